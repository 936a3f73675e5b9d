/** The count of messages to one address, over the end of its window. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMailLimit } from '../../src/rate-limit/mail-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ADDRESS = 'nia@people.test';
const PER_ADDRESS = 2;

const countAllowed = async (limit: ReturnType<typeof createMailLimit>): Promise<number> => {
  let allowed = 0;
  while (await limit.mayReceive(ADDRESS, { org: 'acme' })) allowed += 1;
  return allowed;
};

test.each([
  ['was counted before the window ended', 1],
  ['with others was counted before the window ended', 3],
])('a message that was not sent and %s allows no additional one', async (_title, unsent) => {
  const limit = createMailLimit({ perAddress: PER_ADDRESS, perCaller: 100 });
  for (let n = 0; n < unsent; n += 1) await limit.mayReceive(ADDRESS, { org: 'acme' });
  vi.advanceTimersByTime(3_601_000);
  await Promise.all(Array.from({ length: unsent }, () => limit.notSent(ADDRESS, { org: 'acme' })));
  expect(await countAllowed(limit)).toBe(PER_ADDRESS);
});

test('a message that was not sent allows another one in the same window', async () => {
  const limit = createMailLimit({ perAddress: PER_ADDRESS, perCaller: 100 });
  await limit.mayReceive(ADDRESS, { org: 'acme' });
  await limit.notSent(ADDRESS, { org: 'acme' });
  expect(await countAllowed(limit)).toBe(PER_ADDRESS);
});
