/** Sessions on a suite's database, with a new user for each test. */

import { decodeJwt } from 'jose';
import { beforeAll, beforeEach } from 'vitest';
import { loadKeys } from '../../src/auth/keys.ts';
import { hashPassword, verifyPassword } from '../../src/auth/passwords.ts';
import { Sessions, type SessionTokens } from '../../src/auth/sessions.ts';
import { Tokens } from '../../src/auth/tokens.ts';
import type { Role } from '../../src/core/roles.ts';
import { eq } from '../../src/db/drizzle/index.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import type { EventRow, RefreshTokenRow, SessionRow } from '../../src/db/rows.ts';
import { asStored, statement } from '../../src/db/statement.ts';
import { createSignInLimit } from '../../src/rate-limit/sign-in-limit.ts';
import type { TestEngine } from '../support/engines.ts';
import { testClock } from '../support/test-doubles.ts';
import { AUDIENCE, ISSUER, type TokenBench, tokenBench } from './fixtures.ts';

export const ADDRESS = '192.0.2.1';
export const PASSWORD = 'portico-demo';

/** The error for an unusable refresh token. */
export const REFUSED = { name: 'ApiError', code: 'invalid_token', status: 401 };

/** A limit that no test here reaches; `sign-in-limit.test.ts` tests it. */
const limit = createSignInLimit({ perAccount: 1000, fromUnknown: 1000, perAddress: 1000 });

/** Hashed once for all tests. */
let hashed: Promise<string> | undefined;

/** Returns the hash of `PASSWORD` that the users have. */
export const hashOfPassword = (): Promise<string> => {
  hashed ??= hashPassword(PASSWORD);
  return hashed;
};

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

export interface SessionBench extends TokenBench {
  /** In tests: the sessions of this instance. */
  readonly sessions: Sessions;
  /** In tests: the hashes that passwords were verified against in this test; null for an unknown address. */
  readonly verifications: readonly (string | null)[];
  /** In tests: the user of this test, an editor of acme by default. */
  readonly userId: number;
  readonly email: string;
  /** Creates another user, which becomes the user of this test. */
  newUser(role: Role, passwordHash?: null): Promise<void>;
  /** Changes the user's role. */
  become(role: Role): Promise<unknown>;
  /** Moves the user to another organisation. */
  moveTo(org: string): Promise<unknown>;
  login(scopes?: readonly string[]): Promise<SessionTokens>;
  /** A second instance: its own connections and memory, with the same database and key file. */
  secondInstance(): Promise<Sessions>;
  mySessions(): Promise<readonly SessionRow[]>;
  myTokens(): Promise<readonly RefreshTokenRow[]>;
  myEvents(): Promise<readonly EventRow[]>;
}

export const scopesOf = ({ accessToken }: SessionTokens) => decodeJwt(accessToken)['scopes'];

/** Registers the hooks of a suite. */
export function sessionBench(engine: TestEngine): SessionBench {
  let bench: TokenBench;
  let sessions: Sessions;
  let verifications: (string | null)[] = [];
  let userId = 0;
  let email = '';

  beforeAll(async () => {
    const createdAt = testClock()();
    await engine.database.transaction((tx) =>
      loadRows(tx, 'organisations', [
        { id: 'acme', name: 'Acme', createdAt },
        { id: 'globex', name: 'Globex', createdAt },
      ]),
    );
  });
  beforeEach(async () => {
    bench = await tokenBench();
    verifications = [];
    const verify: typeof verifyPassword = (password, stored) => {
      verifications.push(stored);
      return verifyPassword(password, stored);
    };
    sessions = new Sessions({ database: engine.database, limit, verify, ...bench });
    await newUser('editor');
  });

  /** Each test has its own user, so that tests do not share sessions. */
  async function newUser(role: Role, passwordHash?: null): Promise<void> {
    email = `${crypto.randomUUID()}@acme.test`;
    const now = bench.clock();
    const hash = passwordHash === undefined ? await hashOfPassword() : passwordHash;
    const user = { org: 'acme', email, name: 'Ed', role, passwordHash: hash, createdAt: now, updatedAt: now };
    const [row] = await engine.database.transaction((tx) => loadRows(tx, 'users', [user]));
    userId = row?.id ?? 0;
  }

  async function secondInstance(): Promise<Sessions> {
    const { keysFile, clock } = bench;
    const database = await engine.open();
    const keys = await loadKeys({ file: keysFile, createWhenMissing: false, clock });
    const tokens = new Tokens({ keys, issuer: ISSUER, audience: AUDIENCE, clock });
    return new Sessions({ database, keys, tokens, clock, limit });
  }

  const mySessions = async () =>
    (await engine.database.run(allSessions, {})).filter((session) => session.userId === userId);

  return {
    get sessions() {
      return sessions;
    },
    get verifications() {
      return verifications;
    },
    get userId() {
      return userId;
    },
    get email() {
      return email;
    },
    get clock() {
      return bench.clock;
    },
    get keys() {
      return bench.keys;
    },
    get keysFile() {
      return bench.keysFile;
    },
    get tokens() {
      return bench.tokens;
    },
    newUser,
    become: (role) => engine.database.transaction((tx) => tx.run(setRole, { id: userId, role })),
    moveTo: (org) => engine.database.transaction((tx) => tx.run(setOrg, { id: userId, org })),
    login: (scopes) => sessions.login({ address: ADDRESS, email, password: PASSWORD, scopes }),
    secondInstance,
    mySessions,
    myTokens: async () => {
      const ids = (await mySessions()).map((session) => session.id);
      return (await engine.database.run(allTokens, {})).filter((token) => ids.includes(token.sessionId));
    },
    myEvents: async () =>
      (await engine.database.run(allEvents, {})).filter((event) => event.data['user_id'] === userId),
  };
}
