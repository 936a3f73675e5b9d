import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { ROLE_SCOPES, type Role, SCOPES } from '../../src/auth/policy.ts';
import { hashRefreshToken } from '../../src/auth/refresh-tokens.ts';
import { createSessions, type Sessions, type SessionTokens } from '../../src/auth/sessions.ts';
import { createSignInLimit } from '../../src/auth/sign-in-limit.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { asStored, type Database, statement } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { loadRows } from '../../src/db/queries/loading.ts';
import type { EventRow, RefreshTokenRow, SessionRow } from '../../src/db/rows.ts';
import { describeEachEngine } from './engine-standin.ts';
import { AUDIENCE, ISSUER, type TokenBench, testClock, tokenBench } from './fixtures.ts';

const { verifications } = vi.hoisted(() => ({ verifications: [] as string[] }));

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>();
  const verify: typeof original.verify = (hash, ...rest) => {
    verifications.push(String(hash));
    return original.verify(hash, ...rest);
  };
  return { ...original, verify };
});

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const ADDRESS = '192.0.2.1';
/** Wide enough that no test here runs into it; `sign-in-limit.test.ts` does. */
const limit = createSignInLimit({ perAccount: 1000, perAddress: 1000 });
const PASSWORD = 'portico-demo';

const allSessions = statement<object, readonly SessionRow[]>(
  'test.sessions',
  ({ orm, tables: { sessions } }) => orm.select().from(sessions).orderBy(sessions.id),
);
const allTokens = statement<object, readonly RefreshTokenRow[]>(
  'test.refreshTokens',
  ({ orm, tables: { refreshTokens } }) => orm.select().from(refreshTokens).orderBy(refreshTokens.id),
);
const allEvents = statement<object, readonly EventRow[]>('test.events', ({ orm, tables: { events } }) =>
  orm.select().from(events).orderBy(events.id),
);
const setRole = statement<{ id: number; role: Role }, unknown>(
  'test.setRole',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ role: asStored(p.role, users.role) })
      .where(eq(users.id, p.id)),
);
const setOrg = statement<{ id: number; org: string }, unknown>(
  'test.setOrg',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ org: asStored(p.org, users.org) })
      .where(eq(users.id, p.id)),
);

describeEachEngine('sessions', (engine) => {
  let database: Database;
  let bench: TokenBench;
  let sessions: Sessions;
  let userId = 0;
  let email = '';

  beforeAll(async () => {
    database = await openDatabase({ url: engine.url });
    const createdAt = testClock()();
    await database.transaction((tx) =>
      loadRows(tx, 'organisations', [
        { id: 'acme', name: 'Acme', createdAt },
        { id: 'globex', name: 'Globex', createdAt },
      ]),
    );
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    bench = await tokenBench();
    sessions = createSessions({ database, limit, ...bench });
    await newUser('editor');
    verifications.length = 0;
  });

  const hashed = hashPassword(PASSWORD);

  /** Each test has a person of its own, so that tests cannot see each other's sessions. */
  async function newUser(role: Role, passwordHash?: null): Promise<void> {
    email = `${crypto.randomUUID()}@acme.test`;
    const now = bench.clock();
    const hash = passwordHash === undefined ? await hashed : passwordHash;
    const user = { org: 'acme', email, name: 'Ed', role, passwordHash: hash, createdAt: now, updatedAt: now };
    const [row] = await database.transaction((tx) => loadRows(tx, 'users', [user]));
    userId = row?.id ?? 0;
  }

  const login = (scopes?: readonly string[]) =>
    sessions.login({ address: ADDRESS, email, password: PASSWORD, scopes });
  const write = (work: Parameters<Database['transaction']>[0]) => database.transaction(work);
  const mySessions = async () =>
    (await database.run(allSessions, {})).filter((session) => session.userId === userId);
  const myTokens = async () => {
    const ids = (await mySessions()).map((session) => session.id);
    return (await database.run(allTokens, {})).filter((token) => ids.includes(token.sessionId));
  };
  const myEvents = async () =>
    (await database.run(allEvents, {})).filter((event) => event.data['user_id'] === userId);
  const scopesOf = ({ accessToken }: SessionTokens) => decodeJwt(accessToken)['scopes'];

  const REFUSED = { name: 'ApiError', code: 'invalid_token', status: 401 };

  /** A second instance: its own connections and its own memory, the same database and key file. */
  async function secondInstance(): Promise<Sessions> {
    const { keysFile, clock } = bench;
    const other = await openDatabase({ url: engine.url });
    onTestFinished(() => other.close());
    const keys = await loadKeys({ file: keysFile, createWhenMissing: false, clock });
    const tokens = createTokens({ keys, issuer: ISSUER, audience: AUDIENCE, clock });
    return createSessions({ database: other, keys, tokens, clock, limit });
  }

  describe('login', () => {
    test('gives an access token with all that the role gives, and a refresh token', async () => {
      const given = await login();
      expect(given).toEqual({
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^prt_[\w-]{43}$/),
        tokenType: 'Bearer',
        expiresIn: 900,
      });
      const principal = await bench.tokens.verify(given.accessToken);
      expect(principal).toMatchObject({ userId, org: 'acme', role: 'editor', scopes: ROLE_SCOPES.editor });
    });

    test('stores the hash of the refresh token and not the token', async () => {
      const { refreshToken } = await login();
      const [session] = await mySessions();
      const [stored] = await myTokens();
      expect(stored).toMatchObject({ tokenHash: hashRefreshToken(refreshToken), rotatedAt: null });
      expect(JSON.stringify([session, stored])).not.toContain(refreshToken.slice('prt_'.length));
      expect(session?.expiresAt.getTime()).toBe(bench.clock().getTime() + 30 * DAY);
    });

    test('takes an address in any case and with space around it', async () => {
      const typed = ` ${email.toUpperCase()}\n`;
      await expect(
        sessions.login({ address: ADDRESS, email: typed, password: PASSWORD }),
      ).resolves.toBeDefined();
    });

    test.each([
      ['a wrong password', () => ({ email, password: 'portico-demO' })],
      ['an empty password', () => ({ email, password: '' })],
      ['the password of nobody', () => ({ email: 'nobody@acme.test', password: PASSWORD })],
      ['an empty address', () => ({ email: '', password: PASSWORD })],
      ['an address with a NUL', () => ({ email: `${email}\0`, password: PASSWORD })],
      ['an address with a wildcard', () => ({ email: '%', password: PASSWORD })],
      ['an address that is too long', () => ({ email: `${'a'.repeat(250)}@acme.test`, password: PASSWORD })],
      ['half a character', () => ({ email: `\ud800${email}`, password: PASSWORD })],
    ])('%s gets the same answer, after a password was verified', async (_name, attempt) => {
      const failure = { code: 'invalid_credentials', message: 'The email address or the password is wrong.' };
      await expect(sessions.login({ address: ADDRESS, ...attempt() })).rejects.toMatchObject(failure);
      expect(verifications).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)]);
      expect(await mySessions()).toEqual([]);
    });

    test('an account without a password lets nobody in, in the same time', async () => {
      await newUser('viewer', null);
      for (const password of [PASSWORD, '', 'null']) {
        await expect(sessions.login({ address: ADDRESS, email, password })).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
      }
      expect(verifications).toHaveLength(3);
    });

    test('a password beyond the bound is wrong for everybody', async () => {
      const password = 'x'.repeat(300);
      for (const address of [email, 'nobody@acme.test']) {
        await expect(sessions.login({ address: ADDRESS, email: address, password })).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
      }
    });
  });

  describe('narrowing', () => {
    test('keeps the session to the scopes that were asked for, also when refreshed', async () => {
      const given = await login(['write:docs', 'read:docs', 'read:docs']);
      expect(scopesOf(given)).toEqual(['read:docs', 'write:docs']);
      expect(scopesOf(await sessions.refresh(given.refreshToken))).toEqual(['read:docs', 'write:docs']);
    });

    test.each([
      ['unknown', ['read:docs', 'read:everything'], ['scopes.1']],
      ['beyond the role', ['write:users', 'read:docs', 'manage:webhooks'], ['scopes.0', 'scopes.2']],
      ['named like a member of objects', ['__proto__', 'constructor'], ['scopes.0', 'scopes.1']],
      ['none at all', [], ['scopes']],
      ['too many', Array.from({ length: SCOPES.length + 1 }, () => 'read:docs'), ['scopes']],
    ])('scopes that are %s are refused by name', async (_name, scopes, paths) => {
      const error = await login(scopes).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'validation_failed', details: paths.map((path) => ({ path })) });
      expect(await mySessions()).toEqual([]);
    });

    test('says nothing about scopes before the password is right', async () => {
      const attempt = sessions.login({
        address: ADDRESS,
        email,
        password: 'wrong',
        scopes: ['read:everything'],
      });
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_credentials' });
    });
  });

  describe('refresh', () => {
    test('gives another pair each time', async () => {
      const first = await login();
      bench.clock.advance(15 * 60 * SECOND);
      const second = await sessions.refresh(first.refreshToken);
      const third = await sessions.refresh(second.refreshToken);
      const pairs = [first, second, third];
      expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(3);
      expect(new Set(pairs.map((pair) => pair.accessToken)).size).toBe(3);
      await expect(bench.tokens.verify(third.accessToken)).resolves.toMatchObject({ userId, role: 'editor' });
      expect(await myEvents()).toEqual([]);
    });

    test('a token of the right shape cannot be invented', async () => {
      await expect(sessions.refresh(`prt_${'A'.repeat(43)}`)).rejects.toMatchObject(REFUSED);
    });

    test.each([
      '',
      'prt_',
      `prt_${'A'.repeat(42)}B`,
      `PRT_${'A'.repeat(43)}`,
      `prt_${'A'.repeat(43)}=`,
      ` prt_${'A'.repeat(43)}`,
      "prt_' or 1=1 --",
      'prt_\0',
      'x'.repeat(100_000),
    ])('%j is refused', async (token) => {
      await expect(sessions.refresh(token)).rejects.toMatchObject(REFUSED);
    });

    test('an access token is no refresh token', async () => {
      const { accessToken } = await login();
      await expect(sessions.refresh(accessToken)).rejects.toMatchObject(REFUSED);
    });

    test('within ten seconds the same successor is given again, as often as it is asked for', async () => {
      const { refreshToken } = await login();
      const first = await sessions.refresh(refreshToken);
      bench.clock.advance(10 * SECOND);
      const again = await sessions.refresh(refreshToken);
      expect(again.refreshToken).toBe(first.refreshToken);
      await expect(bench.tokens.verify(again.accessToken)).resolves.toMatchObject({ userId });
      await expect(sessions.refresh(again.refreshToken)).resolves.toBeDefined();
      expect(await myTokens()).toHaveLength(3);
      expect(await myEvents()).toEqual([]);
    });

    test('later it ends the session, and everybody in the organisation can read why', async () => {
      const { refreshToken } = await login();
      const { refreshToken: successor } = await sessions.refresh(refreshToken);
      bench.clock.advance(10 * SECOND + 1);
      await expect(sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);

      const [session] = await mySessions();
      expect(session).toMatchObject({ revokedAt: bench.clock(), revokedReason: 'refresh_token_reused' });
      expect(await myEvents()).toEqual([
        expect.objectContaining({
          org: 'acme',
          type: 'session.revoked',
          actorId: null,
          subjectType: 'session',
          subjectId: session?.id,
          data: { reason: 'refresh_token_reused', user_id: userId },
          createdAt: bench.clock(),
        }),
      ]);
      await expect(sessions.refresh(successor)).rejects.toMatchObject(REFUSED);
      await expect(sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
      expect(await myEvents()).toHaveLength(1);
    });

    test('a reuse ends its own session only', async () => {
      const stolen = await login();
      const other = await login();
      await sessions.refresh(stolen.refreshToken);
      bench.clock.advance(11 * SECOND);
      await expect(sessions.refresh(stolen.refreshToken)).rejects.toMatchObject(REFUSED);
      await expect(sessions.refresh(other.refreshToken)).resolves.toBeDefined();
    });

    test('ten at once on two instances get one successor', async () => {
      const other = await secondInstance();
      const { refreshToken } = await login();
      const pairs = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 ? other : sessions).refresh(refreshToken)),
      );
      expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(1);
      expect(await myTokens()).toHaveLength(2);
      expect(await myEvents()).toEqual([]);
    });

    test('ten reuses at once on two instances write one event', async () => {
      const other = await secondInstance();
      const { refreshToken } = await login();
      await sessions.refresh(refreshToken);
      bench.clock.advance(11 * SECOND);
      const attempts = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => (index % 2 ? other : sessions).refresh(refreshToken)),
      );
      for (const attempt of attempts) expect(attempt).toMatchObject({ status: 'rejected', reason: REFUSED });
      expect(await myEvents()).toHaveLength(1);
    });

    test('the successor is the same when the keys are rotated in between, whoever knows of it', async () => {
      const other = await secondInstance();
      const { refreshToken } = await login();
      const first = await sessions.refresh(refreshToken);
      await rotateKeyFile(bench.keysFile, bench.clock);
      await bench.keys.reload();
      expect((await sessions.refresh(refreshToken)).refreshToken).toBe(first.refreshToken);

      const second = await sessions.refresh(first.refreshToken);
      // The other instance has not looked into the file since, and still has the former key only.
      expect((await other.refresh(first.refreshToken)).refreshToken).toBe(second.refreshToken);
      expect(await myEvents()).toEqual([]);
    });

    test('the role is read anew, and takes scopes away that it does not give any more', async () => {
      await newUser('admin');
      const { refreshToken } = await login(['read:docs', 'write:docs', 'write:users']);
      await write((tx) => tx.run(setRole, { id: userId, role: 'editor' }));
      const asEditor = await sessions.refresh(refreshToken);
      expect(scopesOf(asEditor)).toEqual(['read:docs', 'write:docs']);
      await write((tx) => tx.run(setRole, { id: userId, role: 'viewer' }));
      const asViewer = await sessions.refresh(asEditor.refreshToken);
      expect(await bench.tokens.verify(asViewer.accessToken)).toMatchObject({ role: 'viewer' });
      expect(scopesOf(asViewer)).toEqual(['read:docs']);
    });

    test('a role that gives more gives it at the next sign-in', async () => {
      const { refreshToken } = await login();
      await write((tx) => tx.run(setRole, { id: userId, role: 'admin' }));
      const refreshed = await sessions.refresh(refreshToken);
      expect(scopesOf(refreshed)).toEqual(SCOPES.filter((scope) => ROLE_SCOPES.editor.has(scope)));
      expect(scopesOf(await login())).toEqual([...SCOPES]);
    });

    test('a person who left the organisation has no session in it', async () => {
      const { refreshToken } = await login();
      await write((tx) => tx.run(setOrg, { id: userId, org: 'globex' }));
      await expect(sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
    });

    test('thirty days after the sign-in the session ends, however often it was refreshed', async () => {
      let { refreshToken } = await login();
      for (let day = 0; day < 29; day += 1) {
        bench.clock.advance(DAY);
        ({ refreshToken } = await sessions.refresh(refreshToken));
      }
      bench.clock.advance(DAY - 1);
      ({ refreshToken } = await sessions.refresh(refreshToken));
      bench.clock.advance(1);
      await expect(sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
      expect(await myEvents()).toEqual([]);
    });
  });

  describe('logout', () => {
    test('ends the session for every one of its refresh tokens, and writes no event', async () => {
      const first = await login();
      const second = await sessions.refresh(first.refreshToken);
      await sessions.logout(second.refreshToken);
      for (const { refreshToken } of [first, second]) {
        await expect(sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
      }
      expect(await mySessions()).toEqual([expect.objectContaining({ revokedReason: 'logout' })]);
      expect(await myEvents()).toEqual([]);
    });

    test('takes a former refresh token, once, and what is unknown without complaint', async () => {
      const first = await login();
      await sessions.refresh(first.refreshToken);
      await sessions.logout(first.refreshToken);
      const before = await mySessions();
      expect(before).toEqual([expect.objectContaining({ revokedReason: 'logout' })]);
      bench.clock.advance(SECOND);
      await sessions.logout(first.refreshToken);
      await sessions.logout(`prt_${'A'.repeat(43)}`);
      await sessions.logout('garbage\0');
      expect(await mySessions()).toEqual(before);
    });

    test('leaves the other sessions of the person alone', async () => {
      const here = await login();
      const there = await login();
      await sessions.logout(here.refreshToken);
      await expect(sessions.refresh(there.refreshToken)).resolves.toBeDefined();
    });
  });
});
