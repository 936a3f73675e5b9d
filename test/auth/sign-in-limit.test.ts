import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSignInLimit, type SignInAttempt, type SignInLimit } from '../../src/auth/sign-in-limit.ts';
import type { ApiError } from '../../src/errors.ts';

const refused = { code: 'rate_limited', retryAfter: expect.any(Number) };
const ada = { account: 'ada@acme.test', address: '192.0.2.1' };
const ed = { account: 'ed@acme.test', address: '192.0.2.2' };

describe('a bound of 5 wrong passwords for an account and 8 from an address', () => {
  let limit: SignInLimit;
  let looked: number;

  beforeEach(() => {
    limit = createSignInLimit({ perAccount: 5, perAddress: 8 });
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

  test('the sixth for one account is refused, wherever it comes from, and says when to come again', async () => {
    for (let times = 0; times < 5; times++) await expect(wrong(ada)).resolves.toBe(false);
    const error = await wrong({ ...ada, address: '198.51.100.7' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(refused);
    const { retryAfter } = error as ApiError;
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(looked).toBe(5);
  });

  test('a right password is not looked at either, after five wrong ones', async () => {
    await together(ada, 5, false);
    await expect(attempt(ada, true)).rejects.toMatchObject(refused);
    expect(looked).toBe(5);
  });

  test('of seven wrong ones that arrive together five are looked at', async () => {
    const outcomes = await together(ada, 7, false);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(looked).toBe(5);
  });

  test('right passwords that arrive together are all let in', async () => {
    const outcomes = await together(ada, 50, true);
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(looked).toBe(50);
  });

  test('another account from another address notices nothing', async () => {
    await together(ada, 6, false);
    await expect(attempt(ed, true)).resolves.toBe(true);
  });

  test('one address that tries many accounts is refused', async () => {
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

  test('a right password forgets the wrong ones of its account and not those of the address', async () => {
    await together(ada, 4, false);
    await expect(attempt(ada, true)).resolves.toBe(true);
    await together(ada, 4, false);
    await expect(attempt(ada, true)).rejects.toMatchObject(refused);
  });

  test('many accounts with more wrong ones at once than are looked at leave nothing behind', async () => {
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
    // Each has an account and an address of its own.
    expect(Math.max(...seen)).toBe(400);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(200);
    expect(limit.inFlight).toBe(0);
  });

  test('an attempt that fails for another reason does not hold its place', async () => {
    const broken = () => limit.attempt(ada, () => Promise.reject(new Error('no database')));
    for (let times = 0; times < 20; times++) await expect(broken()).rejects.toThrow('no database');
    await expect(attempt(ada, true)).resolves.toBe(true);
  });
});
