import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import {
  createSignInLimit,
  type SignInAttempt,
  type SignInLimit,
} from '../../src/rate-limit/sign-in-limit.ts';

const refused = { code: 'rate_limited', retryAfter: expect.any(Number) };
const ada = { account: 'ada@acme.test', address: '192.0.2.1' };
const ed = { account: 'ed@acme.test', address: '192.0.2.2' };

describe('limits of 5 wrong passwords for an account from one place, 7 from unknown places, and 8 from an address', () => {
  let limit: SignInLimit;
  let looked: number;

  beforeEach(() => {
    limit = createSignInLimit({ perAccount: 5, fromUnknown: 7, perAddress: 8 });
    looked = 0;
  });

  const attempt = (who: SignInAttempt, right: boolean) =>
    limit.attempt(who, async () => {
      looked += 1;
      await turn();
      return right;
    });
  const wrong = (who: SignInAttempt) => attempt(who, false);
  const together = (who: SignInAttempt, times: number, right: boolean) =>
    Promise.allSettled(Array.from({ length: times }, () => attempt(who, right)));

  test('the sixth for one account from one address is refused with Retry-After', async () => {
    for (let times = 0; times < 5; times++) await expect(wrong(ada)).resolves.toBe(false);
    const error = await wrong(ada).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(refused);
    const { retryAfter } = error as ApiError;
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(looked).toBe(5);
  });

  test('a correct password is not verified either, after five wrong ones', async () => {
    await together(ada, 5, false);
    await expect(attempt(ada, true)).rejects.toMatchObject(refused);
    expect(looked).toBe(5);
  });

  const elsewhere = (n: number) => ({ ...ada, address: `198.51.100.${n}` });
  /** Sends more wrong passwords than the limit, each from another address. */
  const guess = () => Promise.allSettled(Array.from({ length: 20 }, (_, n) => wrong(elsewhere(n))));

  test('guessing locks out the guesser, and not a user at another address', async () => {
    await together(ada, 20, false);
    await expect(attempt(elsewhere(1), true)).resolves.toBe(true);
  });

  test('all addresses that are unknown to an account share seven attempts', async () => {
    const outcomes = await guess();
    expect(looked).toBe(7);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(13);
    await expect(attempt(ada, true)).rejects.toMatchObject(refused);
  });

  test('an address from which the account has signed in before has its own allowance and can still sign in', async () => {
    limit = createSignInLimit({ perAccount: 5, fromUnknown: 7, perAddress: 100 });
    await attempt(ada, true);
    await guess();
    for (let times = 0; times < 2; times += 1) {
      await together(ada, 4, false);
      await expect(attempt(ada, true)).resolves.toBe(true);
    }
    await together(ada, 5, false);
    await expect(attempt(ada, true)).rejects.toMatchObject(refused);
    // A sign-in does not reset the limit of the attackers.
    await expect(attempt(elsewhere(30), true)).rejects.toMatchObject(refused);
  });

  test('a known device has its own allowance too, whatever its address', async () => {
    for (let person = 0; person < 8; person++) await wrong({ ...ada, account: `${person}@acme.test` });
    await guess();
    const device = { ...ada, device: '7' };
    await expect(attempt(device, true)).resolves.toBe(true);
    await together(device, 6, false);
    await expect(attempt(device, true)).rejects.toMatchObject(refused);
    await expect(attempt({ ...ada, device: '8' }, true)).resolves.toBe(true);
  });

  test('of 1,500 simultaneous correct ones for one account, a few wait, and the others are refused at once', async () => {
    const release = Promise.withResolvers<void>();
    const outcomes = Array.from({ length: 1500 }, () =>
      limit.attempt(ada, async () => {
        looked += 1;
        await release.promise;
        return true;
      }),
    );
    const settled = Promise.allSettled(outcomes.slice(5 + LIMITS.waitingSignIns));
    for (const { status, reason } of (await settled) as PromiseRejectedResult[])
      expect({ status, reason }).toMatchObject({
        status: 'rejected',
        reason: { code: 'rate_limited', retryAfter: 1 },
      });
    await turn();
    expect(looked).toBe(5);
    await expect(attempt(ed, true)).resolves.toBe(true);
    release.resolve();
    await Promise.all(outcomes.slice(0, 5 + LIMITS.waitingSignIns));
    expect(looked).toBe(5 + LIMITS.waitingSignIns + 1);
    expect(limit.inFlight).toBe(0);
  });

  test('a waiting attempt ends when its client disconnects', async () => {
    const release = Promise.withResolvers<boolean>();
    const first = Array.from({ length: 5 }, () => limit.attempt(ada, () => release.promise));
    const controller = new AbortController();
    const gone = attempt({ ...ada, signal: controller.signal }, true);
    await turn();
    const reason = new Error('The client went away.');
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    release.resolve(true);
    await Promise.all(first);
    expect(looked).toBe(0);
    expect(limit.inFlight).toBe(0);
  });

  test('of seven simultaneous wrong ones, five are verified', async () => {
    const outcomes = await together(ada, 7, false);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(looked).toBe(5);
  });

  test('simultaneous correct passwords are all accepted', async () => {
    const outcomes = await together(ada, 25, true);
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(looked).toBe(25);
  });

  test('another account from another address is not affected', async () => {
    await together(ada, 6, false);
    await expect(attempt(ed, true)).resolves.toBe(true);
  });

  test('an address that tries many accounts is refused', async () => {
    for (let person = 0; person < 8; person++) await wrong({ ...ada, account: `${person}@acme.test` });
    await expect(wrong({ ...ada, account: 'new@acme.test' })).rejects.toMatchObject(refused);
  });

  test.each([
    ['2001:db8::1', '2001:db8::ffff:1', true],
    ['2001:db8:0:0:1::', '2001:db8:0:0:2::7', true],
    ['::ffff:192.0.2.9', '192.0.2.9', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['192.0.2.8', '192.0.2.9', false],
  ])('wrong passwords from %s count for %s: %s', async (address, another, counts) => {
    for (let person = 0; person < 8; person++) await wrong({ account: `${person}@acme.test`, address });
    const outcome = attempt({ account: 'ada@acme.test', address: another }, true);
    if (counts) await expect(outcome).rejects.toMatchObject(refused);
    else await expect(outcome).resolves.toBe(true);
  });

  test('a correct password resets the count of its account, not that of the address', async () => {
    await together(ada, 4, false);
    await expect(attempt(ada, true)).resolves.toBe(true);
    await together(ada, 4, false);
    await expect(attempt(ada, true)).rejects.toMatchObject(refused);
  });

  test('a flood of wrong passwords for many accounts leaves no state behind', async () => {
    const people = Array.from({ length: 200 }, (_, n) => ({
      account: `${n}@acme.test`,
      address: `192.0.2.${n}`,
    }));
    const seen: number[] = [];
    const watched = (person: SignInAttempt) =>
      limit.attempt(person, async () => {
        seen.push(limit.inFlight);
        await turn();
        return false;
      });
    const outcomes = await Promise.allSettled(
      people.flatMap((person) => Array.from({ length: 6 }, () => watched(person))),
    );
    // Each has a separate account and address.
    expect(Math.max(...seen)).toBe(600);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(200);
    expect(limit.inFlight).toBe(0);
  });

  test('an attempt that fails for another reason does not count', async () => {
    const broken = () => limit.attempt(ada, () => Promise.reject(new Error('no database')));
    for (let times = 0; times < 20; times++) await expect(broken()).rejects.toThrow('no database');
    await expect(attempt(ada, true)).resolves.toBe(true);
  });
});
