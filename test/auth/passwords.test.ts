import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/auth/passwords.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { fastest } from '../support/timing.ts';
import { hashAtFullCost } from '../support/vitest/cheap-argon2.ts';

hashAtFullCost();

describe('passwords', () => {
  test('are hashed with argon2id, 19 MiB, two passes and one lane', async () => {
    const hash = await hashPassword('portico-demo');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(hash)).toMatchObject({
      memoryCost: 19_456,
      timeCost: 2,
      parallelism: 1,
      outputLen: 32,
    });
    expect(await hashPassword('portico-demo')).not.toBe(hash);
  });

  test('match their own hash only', async () => {
    const hash = await hashPassword('portico-demo');
    expect(await verifyPassword('portico-demo', hash)).toBe(true);
    expect(await verifyPassword('portico-demo ', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  test('match in every Unicode normalization form', async () => {
    const hash = await hashPassword('caf\u00e9');
    expect(await verifyPassword('cafe\u0301', hash)).toBe(true);
  });

  test('without a hash, nothing matches, in about the same time', async () => {
    const hash = await hashPassword('portico-demo');
    const time = (stored: string | null) =>
      fastest(10, async () => expect(await verifyPassword('wrong', stored)).toBe(false));
    // Without a hash to verify, it would be hundreds of times faster.
    const ratio = (await time(null)) / (await time(hash));
    expect(ratio).toBeGreaterThan(0.02);
    expect(ratio).toBeLessThan(50);
  });

  test('that are too long are refused when set and wrong at sign-in', async () => {
    const tooLong = 'x'.repeat(LIMITS.passwordLength + 1);
    for (const password of ['', tooLong]) {
      await expect(hashPassword(password)).rejects.toMatchObject({
        code: 'validation_failed',
        details: [{ path: 'password' }],
      });
    }
    expect(await verifyPassword(tooLong, await hashPassword('portico-demo'))).toBe(false);
    expect(await verifyPassword(tooLong, null)).toBe(false);
  });
});

describe('the queue for hashing', () => {
  const flow = (n: number) => ({ org: `network:192.0.2.${n}`, caller: 'ada@acme.test' });
  /** Fills the queue, and adds the rest of a flood from one address. */
  const flood = (hash: string, count: number) =>
    Array.from({ length: count }, () => verifyPassword('portico-demo', hash, { flow: flow(1) }));

  test('rejects a flood and serves the next caller after it first', async () => {
    const hash = await hashPassword('portico-demo');
    const order: string[] = [];
    const ofFlood = flood(hash, 200).map((each) =>
      each.then(
        () => order.push('flood'),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'unavailable', retryAfter: 1 });
          return 'refused';
        },
      ),
    );
    const neighbour = verifyPassword('portico-demo', hash, { flow: flow(2) }).then((matches) => {
      order.push('neighbour');
      return matches;
    });
    expect(await neighbour).toBe(true);
    // Those that ran when it arrived, then it beside the first of two that had waited equally long.
    expect(order.length).toBeLessThanOrEqual(2 + 2 * LIMITS.concurrentHashes);
    const outcomes = await Promise.all(ofFlood);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(
      200 - LIMITS.concurrentHashes - LIMITS.waitingHashes + 1,
    );
  });

  test('hashes nothing for a client that has disconnected', async () => {
    const hash = await hashPassword('portico-demo');
    const controller = new AbortController();
    const running = flood(hash, LIMITS.concurrentHashes);
    const gone = verifyPassword('portico-demo', hash, { flow: flow(1), signal: controller.signal });
    const reason = new Error('The client went away.');
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    await expect(verifyPassword('portico-demo', hash, { signal: controller.signal })).rejects.toBe(reason);
    expect(await Promise.all(running)).not.toContain(false);
  });
});
