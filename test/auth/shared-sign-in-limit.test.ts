/** The limit of wrong passwords when several instances count them in Redis, and when Redis fails. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterEach, expect, type TestContext, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import {
  createSignInLimit,
  type SignInAttempt,
  type SignInLimit,
} from '../../src/rate-limit/sign-in-limit.ts';
import { connectPatiently, manageRedis, sharedRedis } from '../support/redis.ts';
import { holdTime } from '../support/test-doubles.ts';

const servers = manageRedis();
const opened: Redis[] = [];
afterEach(() => {
  for (const redis of opened.splice(0)) redis.disconnect();
});

/**
 * An instance with limits of 5 wrong passwords for an account from one address, 7 from unknown ones, and 8
 * from an address.
 */
async function instance(url: string): Promise<SignInLimit> {
  const redis = await connectPatiently(url);
  opened.push(redis);
  return createSignInLimit({ perAccount: 5, fromUnknown: 7, perAddress: 8 }, redis);
}

const instances = async (url: string) => [await instance(url), await instance(url)] as const;

/** The commands that read one count. */
const ONE_READ = ['multi', 'get', 'pttl', 'exec'];

/** The names of the commands sent from now on. */
function commandsOn(redis: Redis): string[] {
  const names: string[] = [];
  const send = redis.sendCommand.bind(redis);
  vi.spyOn(redis, 'sendCommand').mockImplementation((command, stream) => {
    names.push(command.name);
    return send(command, stream);
  });
  return names;
}

/** A unique prefix, because other tests share the Redis. */
const somewhere = () => [10, ...Array.from({ length: 3 }, () => randomInt(256))].join('.');
const somebody = (): SignInAttempt => ({ account: `${randomUUID()}@acme.test`, address: somewhere() });
const wrong = async () => false;
const right = async () => true;
const refused = { code: 'rate_limited', retryAfter: expect.any(Number) };

const onRedis = (title: string, run: (skip: TestContext['skip']) => Promise<void>) =>
  test(title, ({ skip }) => run(skip));

onRedis(
  'five wrong passwords for an account reach its limit, whichever instances received them',
  async (skip) => {
    const [one, other] = await instances(sharedRedis(skip));
    const person = somebody();
    for (const limit of [one, other, one, other, one])
      await expect(limit.attempt(person, wrong)).resolves.toBe(false);
    for (const limit of [one, other]) {
      await expect(limit.attempt(person, right)).rejects.toMatchObject(refused);
      await expect(limit.attempt(somebody(), right)).resolves.toBe(true);
    }
  },
);

onRedis(
  'seven from anywhere reach the limit, which does not affect a user who has signed in on another instance',
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

onRedis('eight wrong passwords from an address reach its limit, for any accounts', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip));
  const { address } = somebody();
  for (let turn = 0; turn < 8; turn += 1)
    await (turn % 2 ? one : other).attempt({ ...somebody(), address }, wrong);
  for (const limit of [one, other])
    await expect(limit.attempt({ ...somebody(), address }, right)).rejects.toMatchObject(refused);
});

onRedis('a correct password resets the count on all instances', async (skip) => {
  const [one, other] = await instances(sharedRedis(skip));
  const person = somebody();
  for (let turn = 0; turn < 4; turn += 1) await one.attempt(person, wrong);
  await expect(other.attempt(person, right)).resolves.toBe(true);
  await expect(one.attempt(person, wrong)).resolves.toBe(false);
  await expect(other.attempt(person, right)).resolves.toBe(true);
});

onRedis('of twenty simultaneous ones on one instance, five are verified', async (skip) => {
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

onRedis('one that arrives while the last one fails is refused', async (skip) => {
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

onRedis('keys in Redis live for a minute and contain no names', async (skip) => {
  const own = await servers.start(skip);
  const [one] = await instances(own.url);
  await one.attempt({ account: 'ada@acme.test', address: '192.0.2.1' }, wrong);
  const [redis] = opened;
  const keys = (await redis?.keys('*')) ?? [];
  expect(keys).toHaveLength(3);
  expect(keys.join()).not.toMatch(/ada|192\.0/);
  for (const key of keys) expect(await redis?.ttl(key)).toBeGreaterThan(50);
});

onRedis('while Redis does not respond, an attempt waits for it only once', async (skip) => {
  const own = await servers.start(skip);
  const [one] = await instances(own.url);
  const person = somebody();
  await expect(one.attempt(person, wrong)).resolves.toBe(false);
  const [redis] = opened;
  if (!redis) throw new Error('There is no connection.');
  await redis.call('client', 'pause', '60000', 'all');
  redis.options.commandTimeout = LIMITS.redisTimeout;
  const sent = commandsOn(redis);
  // The pause after an unanswered command ends only when the test moves this clock.
  const time = holdTime();
  for (const isRight of [right, wrong]) {
    await one.attempt(somebody(), isRight);
    expect(sent.splice(0)).toEqual(ONE_READ);
    time.advance(LIMITS.redisTimeout);
  }
  // This instance counts alone.
  for (let attempt = 0; attempt < 5; attempt += 1)
    await expect(one.attempt(person, wrong)).resolves.toBe(false);
  await expect(one.attempt(person, right)).rejects.toMatchObject(refused);
});

onRedis('without Redis, each instance counts alone, and together again after the outage', async (skip) => {
  const own = await servers.start(skip);
  const [one, other] = await instances(own.url);
  const person = somebody();
  await own.stop();
  const sent = opened.map(commandsOn);
  const time = holdTime();
  for (let turn = 0; turn < 5; turn += 1) await expect(one.attempt(person, wrong)).resolves.toBe(false);
  await expect(one.attempt(person, right)).rejects.toMatchObject(refused);
  await expect(other.attempt(person, wrong)).resolves.toBe(false);
  // At most one attempt of each instance finds out that the connection is lost; none waits after that.
  for (const commands of sent) expect([[], ONE_READ]).toContainEqual(commands);
  time.release();

  await own.start();
  const sixthAttempt = async () => {
    const another = somebody();
    for (const limit of [one, other, one, other, one]) await limit.attempt(another, wrong);
    return other.attempt(another, right).catch((error: unknown) => error);
  };
  // Each instance uses Redis again some time after it is available.
  await expect.poll(sixthAttempt).toMatchObject(refused);
});
