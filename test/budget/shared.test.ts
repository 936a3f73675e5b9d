/** Buckets in Redis, as several instances share them, and what becomes of them when Redis goes away. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { createSharedBudget } from '../../src/budget/shared.ts';
import { systemClock } from '../../src/clock.ts';
import { LIMITS } from '../../src/limits.ts';
import { openRedis } from '../../src/redis.ts';
import { waitUntil } from '../support/process.ts';
import { manageRedis, sharedRedis } from '../support/redis.ts';

const OPTIONS = { points: 2000, perSecond: 100 };

const servers = manageRedis();
const opened: Redis[] = [];
afterEach(() => {
  for (const redis of opened.splice(0)) redis.disconnect();
});

async function connect(url: string): Promise<Redis> {
  const redis = await openRedis({ url, onLost: () => {}, onBack: () => {} });
  opened.push(redis);
  return redis;
}

async function instances(url: string, count: number) {
  const made = Array.from({ length: count }, async () =>
    createSharedBudget({ ...OPTIONS, redis: await connect(url), clock: systemClock }),
  );
  return Promise.all(made);
}

const onRedis = (title: string, run: (skip: TestContext['skip']) => Promise<void>) =>
  test(title, ({ skip }) => run(skip));

onRedis('two instances give no more together than one bucket holds, within 5 %', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip), 2);
  const key = randomUUID();
  const began = performance.now();
  let granted = 0;
  for (let round = 0; round < 30; round += 1) {
    const asked = [one, other].flatMap((budget) =>
      Array.from({ length: 10 }, () => budget?.bucketOf(key, new Date()).take(10)),
    );
    granted += (await Promise.all(asked)).filter((answer) => answer?.granted).length * 10;
  }
  const cameBack = ((performance.now() - began) / 1000) * OPTIONS.perSecond;
  expect(granted).toBeGreaterThanOrEqual(OPTIONS.points);
  expect(granted).toBeLessThanOrEqual((OPTIONS.points + cameBack) * 1.05);
});

onRedis('Retry-After is true', async (skip) => {
  const [budget] = await instances(sharedRedis(skip), 1);
  const key = randomUUID();
  await budget?.bucketOf(key, new Date()).take(2000);
  const refused = await budget?.bucketOf(key, new Date()).take(150);
  expect(refused).toMatchObject({ granted: false, retryAfter: 2 });
  const other = await budget?.bucketOf(randomUUID(), new Date()).take(150);
  expect(other).toMatchObject({ granted: true, available: 1850 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await budget?.bucketOf(key, new Date()).take(150))?.granted).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await budget?.bucketOf(key, new Date()).take(150))?.granted).toBe(true);
});

onRedis('what was not spent is given back to all', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip), 2);
  const key = randomUUID();
  await one?.bucketOf(key, new Date()).take(1000);
  await one?.bucketOf(key, new Date()).settle(-900);
  expect((await other?.bucketOf(key, new Date()).take(1))?.available).toBeGreaterThanOrEqual(1899);
  await other?.bucketOf(key, new Date()).settle(3000);
  expect((await one?.bucketOf(key, new Date()).take(1))?.granted).toBe(false);
});

onRedis('a bucket that is full again is forgotten', async (skip) => {
  const url = sharedRedis(skip);
  const [budget] = await instances(url, 1);
  const key = randomUUID();
  await budget?.bucketOf(key, new Date()).take(10);
  const redis = await connect(url);
  const ttl = await redis.pttl(`portico:budget:${key}`);
  expect(ttl).toBeGreaterThan(0);
  expect(ttl).toBeLessThanOrEqual(1100);
});

onRedis(
  'without Redis each instance gives its share, at once, and returns to the common bucket',
  async (skip) => {
    const own = await servers.start(skip);
    const [budget] = await instances(own.url, 1);
    const key = randomUUID();
    await budget?.bucketOf(key, new Date()).take(1990);
    await own.stop();
    const share = OPTIONS.points * LIMITS.budgetShareAlone;
    const began = performance.now();
    let granted = 0;
    for (let turn = 0; turn < 300; turn += 1) {
      if ((await budget?.bucketOf(key, new Date()).take(10))?.granted) granted += 10;
    }
    const seconds = (performance.now() - began) / 1000;
    expect(granted).toBeGreaterThanOrEqual(share);
    expect(granted).toBeLessThanOrEqual(share + seconds * OPTIONS.perSecond * LIMITS.budgetShareAlone + 10);
    expect(seconds).toBeLessThan(2);

    await own.start();
    await waitUntil(
      async () => ((await budget?.bucketOf(key, new Date()).take(1))?.available ?? 0) > share,
      'the common bucket',
    );
  },
);
