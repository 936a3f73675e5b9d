/** How often a device may poll, in one process and in several with one Redis. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openRedis } from '../../src/cluster/redis.ts';
import { createPollingPace, type PollingPace } from '../../src/rate-limit/polling-pace.ts';
import { sharedRedis } from '../support/redis.ts';

describe('slows down', () => {
  afterEach(() => void vi.useRealTimers());

  test.each<[title: string, times: readonly number[], slowed: readonly number[]]>([
    ['no client that polls every 5 seconds', [0, 5, 10, 15, 20], []],
    ['no client whose polls arrive up to 2 seconds late', [0, 7, 10, 17, 20, 25], []],
    ['a second poll at once', [0, 0], [0]],
    ['a poll every 2 seconds, each time for longer', [0, 2, 4, 6, 8, 10], [2, 4, 6, 8, 10]],
    ['no client that then waits 5 seconds longer', [0, 1, 11, 21, 31], [1]],
    ['a client that then continues every 5 seconds', [0, 1, 6], [1, 6]],
    ['no client that was slowed twice and waits 15 seconds', [0, 1, 6, 21, 36], [1, 6]],
  ])('%s', async (_title, times, slowed) => {
    vi.useFakeTimers({ now: 0 });
    const pace = createPollingPace();
    const found: number[] = [];
    for (const time of times) {
      vi.setSystemTime(time * 1000);
      if (await pace.isTooFast('code')) found.push(time);
      // Another code has its own count.
      expect(await pace.isTooFast(`other at ${time} ${randomUUID()}`)).toBe(false);
    }
    expect(found).toEqual(slowed);
  });
});

test('counts the polls of all instances', async ({ skip }) => {
  const url = sharedRedis(skip);
  const instance = async (): Promise<PollingPace> => {
    const redis: Redis = await openRedis({ url, onLost: () => {}, onBack: () => {} });
    onTestFinished(() => redis.disconnect());
    return createPollingPace(redis);
  };
  const [one, other] = [await instance(), await instance()];
  // On a busy machine, the second poll may be late enough.
  const second = async () => {
    const code = randomUUID();
    await one.isTooFast(code);
    return other.isTooFast(code);
  };
  await expect.poll(second).toBe(true);
});
