import { beforeEach, describe, expect, test } from 'vitest';
import { createSignInLimit, type SignInLimit } from '../../src/auth/sign-in-limit.ts';
import type { ApiError } from '../../src/errors.ts';

const refused = { code: 'rate_limited', retryAfter: expect.any(Number) };
const ada = { account: 'ada@acme.test', address: '192.0.2.1' };
const ed = { account: 'ed@acme.test', address: '192.0.2.2' };

describe('a bound of 5 wrong passwords for an account and 8 from an address', () => {
  let limit: SignInLimit;
  const take = (attempt: typeof ada, times: number) =>
    Promise.allSettled(Array.from({ length: times }, () => limit.take(attempt)));

  beforeEach(() => {
    limit = createSignInLimit({ perAccount: 5, perAddress: 8 });
  });

  test('the sixth for one account is refused, wherever it comes from, and says when to come again', async () => {
    await take(ada, 5);
    const error = await limit.take({ ...ada, address: '198.51.100.7' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(refused);
    const { retryAfter } = error as ApiError;
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  test('of eight that arrive together five pass', async () => {
    const outcomes = await take({ ...ada, address: '198.51.100.8' }, 8);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'fulfilled'),
      ...Array.from({ length: 3 }, () => 'rejected'),
    ]);
  });

  test('another account from another address notices nothing', async () => {
    await take(ada, 6);
    await expect(limit.take(ed)).resolves.toBeUndefined();
  });

  test('one address that tries many accounts is refused', async () => {
    for (let person = 0; person < 8; person++) await limit.take({ ...ada, account: `${person}@acme.test` });
    await expect(limit.take({ ...ada, account: 'new@acme.test' })).rejects.toMatchObject(refused);
  });

  test('right passwords use nothing up', async () => {
    for (let times = 0; times < 20; times++) {
      await limit.take(ada);
      await limit.giveBack(ada);
    }
    await expect(limit.take(ada)).resolves.toBeUndefined();
  });

  test('a right password forgets the wrong ones of its account and not those of the address', async () => {
    await take(ada, 4);
    await limit.take(ada);
    await limit.giveBack(ada);
    await take({ ...ada, account: 'other@acme.test' }, 4);
    await expect(limit.take(ada)).rejects.toMatchObject(refused);
  });
});
