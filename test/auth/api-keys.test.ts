/** Internals of API keys: when their use is written, and what happens if that fails. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../src/auth/api-keys.ts';
import { type Principal, ROLE_SCOPES } from '../../src/auth/policy.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { apiKeys as apiKeyLookup, apiKeyRows } from '../../src/db/queries/credentials.ts';
import { describeEachEngine } from '../support/engines.ts';
import { membersOf, type TestClock, testClock } from '../support/test-doubles.ts';

const MINUTE = 60_000;

const ada: Principal = {
  kind: 'user',
  userId: 1,
  org: 'acme',
  role: 'admin',
  scopes: ROLE_SCOPES.admin,
  expiresAt: Number.POSITIVE_INFINITY,
};

describeEachEngine('API keys', (engine) => {
  const clock: TestClock = testClock();
  const ran: string[] = [];
  const failures: unknown[] = [];
  let database: OpenDatabase;
  let uses: ApiKeys;
  let apiKeys: ApiKeys;
  let id = 0;
  let key = '';

  const keysOver = (over: OpenDatabase) => {
    uses = new ApiKeys({ database: over, clock, onNotRecorded: (error) => failures.push(error) });
    return uses;
  };
  const create = (over: ApiKeys, expiresAt: Date | null = null) =>
    over.create(
      ada,
      { name: 'test', scopes: ['read:orders'], expiresAt },
      { commit: (change) => database.transaction(change) },
    );
  const lastUse = async () => (await apiKeyLookup.find(database, 'acme', id))?.lastUsedAt;
  const writes = () => ran.filter((name) => name === 'apiKeys.touch').length;

  beforeAll(async () => {
    await installDemo(engine.database, async (password) => password);
    database = await engine.open({ observe: (name) => ran.push(name) });
  });
  beforeEach(async () => {
    apiKeys = keysOver(database);
    ({ id, key } = await create(apiKeys));
    ran.length = 0;
    failures.length = 0;
  });

  test('act as their owner, with the current role and their own scopes', async () => {
    expect(await apiKeys.verify(key)).toEqual({
      kind: 'api_key',
      userId: 1,
      org: 'acme',
      role: 'admin',
      scopes: new Set(['read:orders']),
      expiresAt: Number.POSITIVE_INFINITY,
      credential: { table: 'apiKeys', id },
    });
  });

  test('have their expiry in seconds', async () => {
    const expiresAt = new Date(clock().getTime() + 1500);
    const made = await create(apiKeys, expiresAt);
    expect(await apiKeys.verify(made.key)).toMatchObject({ expiresAt: expiresAt.getTime() / 1000 });
  });

  test('are looked up in one statement, and malformed ones not at all', async () => {
    await apiKeys.verify(key);
    expect(ran[0]).toBe('apiKeys.usable');
    await uses.settled();
    ran.length = 0;
    await expect(apiKeys.verify(key.slice(1))).rejects.toMatchObject({ code: 'invalid_token' });
    expect(ran).toEqual([]);
  });

  test('have secrets of 32 random bytes each', async () => {
    const secrets = [await create(apiKeys), await create(apiKeys)].map((one) => one.key.slice(-43));
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  describe('the last use', () => {
    test('is written once for many simultaneous uses, and settled() waits for it', async () => {
      await Promise.all(Array.from({ length: 50 }, () => apiKeys.verify(key)));
      await uses.settled();
      expect(await lastUse()).toEqual(clock());
      expect(writes()).toBe(1);
    });

    test('is written again after a minute and not before', async () => {
      await apiKeys.verify(key);
      await uses.settled();
      const first = clock();
      clock.advance(MINUTE - 1);
      await apiKeys.verify(key);
      await uses.settled();
      expect(await lastUse()).toEqual(first);
      expect(writes()).toBe(1);
      clock.advance(1);
      await apiKeys.verify(key);
      await uses.settled();
      expect(await lastUse()).toEqual(clock());
      expect(writes()).toBe(2);
    });

    test('is not overwritten by an instance with an older value', async () => {
      const touch = (now: Date) =>
        database.transaction((tx) =>
          apiKeyRows.touch(tx, { id, now, unlessSince: new Date(now.getTime() - MINUTE) }),
        );
      const first = clock();
      await touch(first);
      await touch(new Date(first.getTime() + MINUTE - 1));
      expect(await lastUse()).toEqual(first);
      await touch(new Date(first.getTime() + MINUTE));
      expect(await lastUse()).toEqual(new Date(first.getTime() + MINUTE));
    });

    test('does not delay the request', async () => {
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const slow: OpenDatabase = {
        ...membersOf(database),
        transaction: async (work) => {
          await held;
          return database.transaction(work);
        },
      };
      const over = keysOver(slow);
      await expect(over.verify(key)).resolves.toMatchObject({ userId: 1 });
      let isSettled = false;
      const settled = uses.settled().then(() => {
        isSettled = true;
      });
      await over.verify(key);
      expect(isSettled).toBe(false);
      letGo();
      await settled;
      expect(await lastUse()).toEqual(clock());
    });

    test('is reported if it cannot be written, fails no request, and is retried after a minute', async () => {
      const broken = new Error('The disk is full.');
      const over = keysOver({ ...membersOf(database), transaction: () => Promise.reject(broken) });
      for (let use = 0; use < 5; use += 1) {
        await expect(over.verify(key)).resolves.toMatchObject({ userId: 1 });
        await uses.settled();
      }
      expect(failures).toEqual([broken]);
      clock.advance(MINUTE);
      await over.verify(key);
      await uses.settled();
      expect(failures).toEqual([broken, broken]);
      expect(await lastUse()).toBeNull();
    });
  });

  test('an unreachable database is not reported as a wrong key', async () => {
    const away = new ApiError('unavailable', { retryAfter: 1 });
    const over = keysOver({ ...membersOf(database), run: () => Promise.reject(away) });
    await expect(over.verify(key)).rejects.toBe(away);
    expect(failures).toEqual([]);
  });
});
