import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { Gate, hashPassword, verifyPassword } from '../../src/auth/passwords.ts';
import { LIMITS } from '../../src/limits.ts';

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

  test('are the same however the keyboard composes its letters', async () => {
    const hash = await hashPassword('caf\u00e9');
    expect(await verifyPassword('cafe\u0301', hash)).toBe(true);
  });

  test('without a hash nothing matches, after about the same time', async () => {
    const hash = await hashPassword('portico-demo');
    const time = async (stored: string | null) => {
      const start = performance.now();
      for (let i = 0; i < 5; i += 1) expect(await verifyPassword('wrong', stored)).toBe(false);
      return performance.now() - start;
    };
    await time(hash);
    // Generous, for a busy machine: an answer without the work would be hundreds of times faster.
    const ratio = (await time(null)) / (await time(hash));
    expect(ratio).toBeGreaterThan(0.2);
    expect(ratio).toBeLessThan(5);
  });

  test('beyond the bound are refused when set and wrong when tried', async () => {
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

describe('the gate before the hashes', () => {
  /** Tasks that end when they are told to. */
  function tasks(gate: Gate, count: number) {
    const started: number[] = [];
    const finish: ((value?: unknown) => void)[] = [];
    const results = Array.from({ length: count }, (_, index) =>
      gate.run(async () => {
        started.push(index);
        await new Promise((resolve) => {
          finish[index] = resolve;
        });
        return index;
      }),
    );
    return { started, finish: (index: number) => finish[index]?.(), results };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  test('lets two run, the others wait in order', async () => {
    const { started, finish, results } = tasks(new Gate(2, 10), 4);
    await settle();
    expect(started).toEqual([0, 1]);
    finish(1);
    await settle();
    expect(started).toEqual([0, 1, 2]);
    finish(0);
    await settle();
    expect(started).toEqual([0, 1, 2, 3]);
    finish(2);
    finish(3);
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  });

  test('turns away what finds the queue full, and takes it when there is room again', async () => {
    const gate = new Gate(1, 1);
    const { finish, results } = tasks(gate, 2);
    let ran = false;
    const turnedAway = gate.run(async () => {
      ran = true;
    });
    await expect(turnedAway).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
    expect(ran).toBe(false);
    await settle();
    finish(0);
    await settle();
    finish(1);
    await Promise.all(results);
    expect(await gate.run(async () => 'in')).toBe('in');
  });

  test('a task that fails gives its place back', async () => {
    const gate = new Gate(1, 0);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run(async () => 'in')).toBe('in');
  });
});
