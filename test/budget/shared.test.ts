/** Buckets in Redis, shared by several instances, and their behaviour when Redis fails. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterEach, expect, type TestContext, test, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Bucket, Budget } from '../../src/rate-limit/budget.ts';
import { createSharedBudget } from '../../src/rate-limit/shared.ts';
import { waitUntil } from '../support/process.ts';
import { connectPatiently, manageRedis, sharedRedis } from '../support/redis.ts';
import { holdTime, testClock } from '../support/test-doubles.ts';
import { expectNoneMade, requestCostOf } from './properties.ts';

/** So few are refilled that a test may take long. */
const OPTIONS = { points: 2000, perSecond: 1 };

const servers = manageRedis();
const opened: Redis[] = [];
afterEach(() => {
  for (const redis of opened.splice(0)) redis.disconnect();
});

async function connect(url: string): Promise<Redis> {
  const redis = await connectPatiently(url);
  opened.push(redis);
  return redis;
}

const isBucket = (budget: Budget, bucket: Bucket) => async () =>
  (await budget.take('other', 1, new Date())).bucket === bucket;

/** Their own buckets are not refilled. */
async function instances(url: string, count: number) {
  const clock = testClock();
  const made = Array.from({ length: count }, async () =>
    createSharedBudget({ ...OPTIONS, redis: await connect(url), clock }),
  );
  return Promise.all(made);
}

const onRedis = (title: string, run: (skip: TestContext['skip']) => Promise<void>) =>
  test(title, ({ skip }) => run(skip));

onRedis('two instances together grant at most one bucket, within 5 %', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip), 2);
  const key = randomUUID();
  const began = performance.now();
  let granted = 0;
  for (let round = 0; round < 30; round += 1) {
    const asked = [one, other].flatMap((budget) =>
      Array.from({ length: 10 }, () => budget?.take(key, 10, new Date())),
    );
    granted += (await Promise.all(asked)).filter((response) => response?.granted).length * 10;
  }
  const cameBack = ((performance.now() - began) / 1000) * OPTIONS.perSecond;
  expect(granted).toBeGreaterThanOrEqual(OPTIONS.points);
  expect(granted).toBeLessThanOrEqual((OPTIONS.points + cameBack) * 1.05);
});

onRedis('Retry-After is correct', async (skip) => {
  const [budget] = await instances(sharedRedis(skip), 1);
  const key = randomUUID();
  /** Moves the time of the bucket, instead of that of Redis. */
  const pass = (seconds: number) => opened[0]?.hincrby(`portico:budget:${key}`, 'at', -1000 * seconds);
  const began = performance.now();
  await budget?.take(key, 2000, new Date());
  const refused = await budget?.take(key, 150, new Date());
  const cameBack = ((performance.now() - began) / 1000) * OPTIONS.perSecond;
  expect(refused?.granted).toBe(false);
  expect(refused?.retryAfter).toBeLessThanOrEqual(150);
  expect(refused?.retryAfter).toBeGreaterThanOrEqual(150 - cameBack);
  const other = await budget?.take(randomUUID(), 150, new Date());
  expect(other).toMatchObject({ granted: true, available: 1850 });
  await pass(75);
  expect((await budget?.take(key, 150, new Date()))?.granted).toBe(false);
  await pass(75);
  expect((await budget?.take(key, 150, new Date()))?.granted).toBe(true);
});

onRedis('unspent points are refunded for all instances', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip), 2);
  const key = randomUUID();
  await one?.take(key, 1000, new Date());
  await one?.settle(key, -900, new Date(), 'shared');
  expect((await other?.take(key, 1, new Date()))?.available).toBeGreaterThanOrEqual(1899);
  await other?.settle(key, 3000, new Date(), 'shared');
  expect((await one?.take(key, 1, new Date()))?.granted).toBe(false);
});

onRedis('points are never created: at most a full bucket and its refill can be spent', async (skip) => {
  const redis = await connect(sharedRedis(skip));
  const options = { points: 100, perSecond: 1 };
  await fc.assert(
    fc.asyncProperty(requestCostOf(options), async (steps) => {
      const began = performance.now();
      const budget = createSharedBudget({ ...options, redis, clock: systemClock });
      // Redis's own clock, read to the millisecond, follows real time.
      const now = () => performance.now() - began + 1;
      await expectNoneMade(budget, steps, { wait: () => {}, now, clock: systemClock }, randomUUID());
    }),
    { seed: 7, numRuns: 50 },
  );
});

onRedis('points that an instance granted alone are not refunded to the shared bucket', async (skip) => {
  const own = await servers.start(skip);
  const [budget] = await instances(own.url, 1);
  const key = randomUUID();
  await own.stop();
  await waitUntil(async () => (await budget?.take(key, 1, new Date()))?.bucket === 'own', 'an outage');
  await budget?.take(key, 600, new Date());
  await own.start();
  const taken = async () => budget?.take(key, 1300, new Date());
  await waitUntil(async () => {
    const allowance = await taken();
    return allowance?.bucket === 'shared' && allowance.granted;
  }, 'the shared bucket');
  await budget?.settle(key, -600, new Date(), 'own');
  expect((await budget?.take(key, 500, new Date()))?.granted).toBe(false);
});

onRedis('alone, an operation above the share takes all of it and leaves a debt', async (skip) => {
  const own = await servers.start(skip);
  const [budget] = await instances(own.url, 1);
  const key = randomUUID();
  await own.stop();
  await waitUntil(async () => (await budget?.take('other', 1, new Date()))?.bucket === 'own', 'an outage');
  expect(await budget?.take(key, 2001, new Date())).toMatchObject({ granted: false });
  expect(await budget?.take(key, 1500, new Date())).toMatchObject({ granted: true, bucket: 'own' });
  const { available = 0 } = (await budget?.take(key, 1, new Date())) ?? {};
  expect(available).toBeLessThan(-400);
});

onRedis('a bucket that is full again is deleted', async (skip) => {
  const url = sharedRedis(skip);
  const [budget] = await instances(url, 1);
  const key = randomUUID();
  await budget?.take(key, 10, new Date());
  const redis = await connect(url);
  const ttl = await redis.pttl(`portico:budget:${key}`);
  expect(ttl).toBeGreaterThan(0);
  expect(ttl).toBeLessThanOrEqual(11_000);
});

onRedis('without Redis, each instance grants at once its share of the remaining points', async (skip) => {
  const own = await servers.start(skip);
  const [budget] = await instances(own.url, 1);
  const [seen, unseen] = [randomUUID(), randomUUID()];
  await budget?.take(seen, 1600, new Date());
  await own.stop();
  const [redis] = opened;
  if (!redis) throw new Error('There is no connection.');
  const asked = vi.spyOn(redis, 'eval');
  holdTime();
  for (const [key, left] of [
    [seen, 400],
    [unseen, OPTIONS.points],
  ] as const) {
    let granted = 0;
    for (let turn = 0; turn < 300; turn += 1) {
      if ((await budget?.take(key, 10, new Date()))?.granted) granted += 10;
    }
    expect(granted).toBe(left * LIMITS.budgetShareAlone);
  }
  // At most the first finds out that the connection is lost.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1);
});

onRedis('points that an instance granted alone are taken from the shared bucket, once', async (skip) => {
  const own = await servers.start(skip);
  const [budget] = await instances(own.url, 1);
  const key = randomUUID();
  await own.stop();
  await waitUntil(async () => (await budget?.take('other', 1, new Date()))?.bucket === 'own', 'an outage');
  await budget?.take(key, 900, new Date());
  await budget?.settle(key, -300, new Date(), 'own');
  // This Redis has lost its data: its full bucket lacks the granted points.
  await own.start();
  await waitUntil(
    async () => (await budget?.take('other', 1, new Date()))?.bucket === 'shared',
    'the shared bucket',
  );
  for (const wanted of [1, 1]) {
    const { available = 0 } = (await budget?.take(key, wanted, new Date())) ?? {};
    expect(available).toBeGreaterThan(OPTIONS.points - 700);
    expect(available).toBeLessThan(OPTIONS.points - 400);
  }
});

onRedis(
  'a caller that spends less than the refill during a long outage is not refused after it',
  async (skip) => {
    const own = await servers.start(skip);
    const clock = testClock();
    const options = { points: 2000, perSecond: 100 };
    const budget = createSharedBudget({ ...options, redis: await connect(own.url), clock });
    const key = randomUUID();
    await budget.take(key, 1600, clock());
    await own.stop();
    await waitUntil(isBucket(budget, 'own'), 'an outage');
    let granted = 0;
    for (let second = 0; second < 3600; second += 1) {
      clock.advance(1000);
      if ((await budget.take(key, 40, clock())).granted) granted += 1;
    }
    expect(granted).toBe(3600);
    await budget.take(key, 900, clock());
    await own.start();
    await waitUntil(isBucket(budget, 'shared'), 'the shared bucket');
    const { available } = await budget.take(key, 1, clock());
    // The points granted last are missing, and not those granted an hour before.
    expect(available).toBeGreaterThan(options.points - 1100);
    expect(available).toBeLessThan(options.points - 800);
  },
);

onRedis('a debit that Redis applies but confirms too late is applied once', async (skip) => {
  const own = await servers.start(skip);
  const [budget] = await instances(own.url, 1);
  const [redis] = opened;
  if (!budget || !redis) throw new Error('There is no instance.');
  const key = randomUUID();
  await own.stop();
  await waitUntil(isBucket(budget, 'own'), 'an outage');
  await budget.take(key, 900, new Date());
  await own.start();
  const admin = await connect(own.url);
  for (let turn = 0; turn < 2; turn += 1) {
    await waitUntil(isBucket(budget, 'shared'), 'the shared bucket');
    await admin.client('PAUSE', 60_000, 'WRITE');
    const patience = redis.options.commandTimeout;
    redis.options.commandTimeout = LIMITS.redisTimeout;
    expect((await budget.take(key, 1, new Date())).bucket).toBe('own');
    Object.assign(redis.options, { commandTimeout: patience });
    await admin.client('UNPAUSE');
  }
  await waitUntil(isBucket(budget, 'shared'), 'the shared bucket');
  expect((await budget.take(key, 1, new Date())).available).toBeGreaterThan(1000);
});
