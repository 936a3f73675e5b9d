/** Wrong passwords as several instances count them together in Redis, and what becomes of that when Redis goes away. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { openRedis } from '../../src/cluster/redis.ts';
import {
  createSignInLimit,
  type SignInAttempt,
  type SignInLimit,
} from '../../src/rate-limit/sign-in-limit.ts';
import { waitUntil } from '../support/process.ts';
import { manageRedis, sharedRedis } from '../support/redis.ts';

const servers = manageRedis();
const opened: Redis[] = [];
afterEach(() => {
  for (const redis of opened.splice(0)) redis.disconnect();
});

/** An instance that bounds wrong passwords to 5 for an account from one address, 7 from unknown ones, and 8 from an address. */
async function instance(url: string): Promise<SignInLimit> {
  const redis = await openRedis({ url, onLost: () => {}, onBack: () => {} });
  opened.push(redis);
  return createSignInLimit({ perAccount: 5, fromUnknown: 7, perAddress: 8 }, redis);
}

const instances = async (url: string) => [await instance(url), await instance(url)] as const;

/** No one else's: the Redis is shared with other tests. */
const somewhere = () => [10, ...Array.from({ length: 3 }, () => randomInt(256))].join('.');
const somebody = (): SignInAttempt => ({ account: `${randomUUID()}@acme.test`, address: somewhere() });
const wrong = async () => false;
const right = async () => true;
const refused = { code: 'rate_limited', retryAfter: expect.any(Number) };

const onRedis = (title: string, run: (skip: TestContext['skip']) => Promise<void>) =>
  test(title, ({ skip }) => run(skip));

onRedis('five wrong ones for an account are five, whichever instances they came to', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip));
  const person = somebody();
  for (const limit of [one, other, one, other, one])
    await expect(limit.attempt(person, wrong)).resolves.toBe(false);
  for (const limit of [one, other]) {
    await expect(limit.attempt(person, right)).rejects.toMatchObject(refused);
    await expect(limit.attempt(somebody(), right)).resolves.toBe(true);
  }
});

onRedis(
  'seven from anywhere are seven, and keep no one out whom another instance has let in',
  async (skip) => {
    const [one, other] = await instances(sharedRedis(skip));
    const person = somebody();
    const home = somewhere();
    await expect(one.attempt({ ...person, address: home }, right)).resolves.toBe(true);
    for (let turn = 0; turn < 7; turn += 1)
      await (turn % 2 ? one : other).attempt({ ...person, address: somewhere() }, wrong);
    for (const limit of [one, other]) {
      await expect(limit.attempt({ ...person, address: somewhere() }, right)).rejects.toMatchObject(refused);
      await expect(limit.attempt({ ...person, address: home }, right)).resolves.toBe(true);
      await expect(limit.attempt({ ...person, address: somewhere(), device: '7' }, right)).resolves.toBe(
        true,
      );
    }
  },
);

onRedis('eight wrong ones from an address are eight, whomever they were for', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip));
  const { address } = somebody();
  for (let turn = 0; turn < 8; turn += 1)
    await (turn % 2 ? one : other).attempt({ ...somebody(), address }, wrong);
  for (const limit of [one, other])
    await expect(limit.attempt({ ...somebody(), address }, right)).rejects.toMatchObject(refused);
});

onRedis('a right password forgets the wrong ones on all instances', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip));
  const person = somebody();
  for (let turn = 0; turn < 4; turn += 1) await one.attempt(person, wrong);
  await expect(other.attempt(person, right)).resolves.toBe(true);
  await expect(one.attempt(person, wrong)).resolves.toBe(false);
  await expect(other.attempt(person, right)).resolves.toBe(true);
});

onRedis('of twenty that come to one instance at once five are looked at', async (skip) => {
  const [one] = await instances(sharedRedis(skip));
  const person = somebody();
  let looked = 0;
  const attempts = Array.from({ length: 20 }, () =>
    one.attempt(person, async () => {
      looked += 1;
      return false;
    }),
  );
  const outcomes = await Promise.allSettled(attempts);
  expect(looked).toBe(5);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(15);
  expect(one.inFlight).toBe(0);
});

onRedis('one that comes just as the last is found wrong is refused', async (skip) => {
  const [one] = await instances(sharedRedis(skip));
  for (let time = 0; time < 20; time += 1) {
    const { address } = somebody();
    for (let turn = 0; turn < 7; turn += 1) await one.attempt({ ...somebody(), address }, wrong);
    let next: Promise<boolean> | undefined;
    await one.attempt({ ...somebody(), address }, async () => {
      next = one.attempt({ ...somebody(), address }, right);
      next.catch(() => undefined);
      return false;
    });
    await expect(next).rejects.toMatchObject(refused);
  }
});

onRedis('what is kept in Redis for a minute names no one', async (skip) => {
  const own = await servers.start(skip);
  const [one] = await instances(own.url);
  await one.attempt({ account: 'ada@acme.test', address: '192.0.2.1' }, wrong);
  const [redis] = opened;
  const keys = (await redis?.keys('*')) ?? [];
  expect(keys).toHaveLength(3);
  expect(keys.join()).not.toMatch(/ada|192\.0/);
  for (const key of keys) expect(await redis?.ttl(key)).toBeGreaterThan(50);
});

onRedis('without Redis each instance counts by itself, and together again when it is back', async (skip) => {
  const own = await servers.start(skip);
  const [one, other] = await instances(own.url);
  const person = somebody();
  await own.stop();
  const began = performance.now();
  for (let turn = 0; turn < 5; turn += 1) await expect(one.attempt(person, wrong)).resolves.toBe(false);
  await expect(one.attempt(person, right)).rejects.toMatchObject(refused);
  await expect(other.attempt(person, wrong)).resolves.toBe(false);
  expect(performance.now() - began).toBeLessThan(2000);

  await own.start();
  await waitUntil(() => opened.every(({ status }) => status === 'ready'), 'Redis to be there again');
  const another = somebody();
  for (const limit of [one, other, one, other, one]) await limit.attempt(another, wrong);
  await expect(other.attempt(another, right)).rejects.toMatchObject(refused);
});
