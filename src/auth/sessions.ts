/**
 * Sign-in, refresh and sign-out. A session is a row with a family of refresh tokens, exactly one of which is valid at any time
 * (RFC 9700, section 4.14.2). Access tokens are issued for a session and verified without it. The session of a browser at the
 * authorization server has no tokens (browser-sessions.ts).
 */
import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { AbortSignalLike } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import { networkOf } from '../core/networks.ts';
import type { Role } from '../core/roles.ts';
import { boundTo } from '../db/bound.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Origin } from '../db/origin.ts';
import { findRefreshToken, insertRefreshToken, insertSession } from '../db/queries/sessions.ts';
import { findUserByEmail } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { recordAudit } from '../events/audit.ts';
import type { SignInLimit } from '../rate-limit/sign-in-limit.ts';
import { type BrowserSession, fromBrowser, signOut } from './browser-sessions.ts';
import { createDeviceTokens } from './device-tokens.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { problemsWithScopes } from './grants.ts';
import type { Keys } from './keys.ts';
import { originOf } from './origins.ts';
import { verifyPassword } from './passwords.ts';
import { ROLE_SCOPES, type Scope, scopesWithin } from './policy.ts';
import { createRefreshRotation } from './refresh-rotation.ts';
import { hashRefreshToken, isRefreshToken, newRefreshToken } from './refresh-tokens.ts';
import type { TokenSubject, Tokens } from './tokens.ts';

export interface Login {
  /** Compared without regard to case and surrounding white space. */
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Narrows the session to these scopes. Without them the session has all scopes of the role. */
  readonly scopes?: readonly string[] | undefined;
  /** The device token of an earlier sign-in to this account on this device. An invalid one is ignored. */
  readonly deviceToken?: string | undefined;
  /** Aborted when no caller waits for the session any more. */
  readonly signal?: AbortSignalLike | undefined;
}

/** The tokens that a client receives. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Proves at the next sign-in that this device has signed in before. */
  readonly deviceToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

export interface Sessions {
  /**
   * Signs a person in, and creates the session of a browser, which expires soon unless it is kept.
   *
   * @throws ApiError like {@link login}, except for its scopes.
   */
  loginBrowser(login: Omit<Login, 'scopes'>): Promise<BrowserSession>;
  /**
   * Signs a person in and creates a session.
   *
   * @throws ApiError `invalid_credentials` without naming what was wrong, `validation_failed` for scopes that
   *   cannot be granted, `rate_limited` after too many wrong passwords, `unavailable` when too many sign in at once.
   */
  login(login: Login): Promise<SessionTokens>;
  /**
   * Exchanges a refresh token for the next pair of tokens. The current role applies: scopes that it does not include are dropped.
   *
   * @throws ApiError `invalid_token` for a token that is unknown, used, or of a session that has ended.
   */
  refresh(refreshToken: string, address?: string): Promise<SessionTokens>;
  /** Ends the session that a refresh token belongs to, even if the token was used. An unknown token is not an error. */
  logout(refreshToken: string, address?: string): Promise<void>;
  /**
   * Whether the password is that of a signed-in person, for changes that require it again. A wrong one counts as a failed sign-in.
   *
   * @throws ApiError `rate_limited`, `unavailable`, like {@link login}.
   */
  confirm(person: UserRow, attempt: Pick<Login, 'password' | 'address' | 'signal'>): Promise<boolean>;
  /** Resolves when all wrong passwords are recorded. Then the database may be closed. */
  settled(): Promise<void>;
}

export interface SessionsOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly keys: Pick<Keys, 'secrets' | 'reload'>;
  readonly clock: Clock;
  readonly limit: SignInLimit;
  /** Verifies passwords. The default is `verifyPassword` of passwords.ts. */
  readonly verify?: typeof verifyPassword;
  readonly randomBytes?: (size: number) => Uint8Array;
  /** Called when a wrong password could not be recorded for the audit log. The request continues. */
  readonly onNotRecorded?: (error: unknown) => void;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { database, tokens, keys, clock, limit } = options;
  const { verify = verifyPassword, randomBytes = systemRandomBytes, onNotRecorded = () => {} } = options;
  const failed = new FailedSignIns({ database, clock, onFailure: onNotRecorded });

  const rotation = createRefreshRotation({ database, keys, clock });
  const devices = createDeviceTokens(() => keys.secrets(DEVICE_PURPOSE), clock);

  async function give(
    subject: TokenSubject,
    sessionId: number,
    refreshToken: string,
  ): Promise<SessionTokens> {
    const deviceToken = devices.issue(subject.userId, sessionId);
    const accessToken = await tokens.issue({ ...subject, sessionId });
    return { ...accessToken, refreshToken, deviceToken, tokenType: 'Bearer' };
  }

  /** Returns the account that the address and password belong to. */
  async function identify({
    email,
    password,
    address,
    deviceToken,
    signal,
  }: Omit<Login, 'scopes'>): Promise<UserRow> {
    const account = accountOf({ email });
    const flow = flowOf(account, address);
    const own = boundTo(database, signal, flow);
    const user = await findAccount(own, account);
    const device = devices.deviceOf(deviceToken ?? '', user?.id ?? NO_USER);
    const isRight = () => verify(password, user?.passwordHash ?? null, { flow, signal });
    const matches = await limit.attempt({ account, address, device, signal }, isRight);
    if (user !== undefined && matches) return user;
    throw refusal(user, address);
  }

  /** The error for a wrong password, which is noted if the account exists. */
  function refusal(person: UserRow | undefined, address: string): ApiError {
    if (person !== undefined) failed.note({ person, address, at: 'sign_in' });
    return new ApiError('invalid_credentials');
  }

  /**
   * Inserts a session with its audit entry. Returns its id.
   *
   * @throws ApiError as for a wrong password if the person has changed since the password was verified.
   */
  async function begin(
    tx: Transaction,
    { user, lifetime, ...rest }: NewSession,
    originIn: (sessionId: number) => Origin,
  ): Promise<number> {
    const { org, id: userId, role, passwordHash } = user;
    const now = clock();
    const expiresAt = new Date(now.getTime() + lifetime);
    // The password was verified, so there is a hash.
    const as = { org, userId, role, passwordHash: passwordHash ?? '' };
    const id = await insertSession(tx, { ...as, ...rest, createdAt: now, expiresAt });
    if (id === undefined) throw refusal(user, rest.address);
    const entry = { org, type: 'user.signed_in', actorId: userId, subjectId: userId } as const;
    await recordAudit(tx, { ...entry, data: { session_id: id } }, clock, originIn(id));
    return id;
  }

  async function loginBrowser({ address, ...who }: Omit<Login, 'scopes'>): Promise<BrowserSession> {
    const user = await identify({ ...who, address });
    const lifetime = LIMITS.interactionLifetime * 1000;
    const session = { user, scopes: [], address, lifetime };
    const id = await database.transaction((tx) => begin(tx, session, () => fromBrowser(address)));
    return { org: user.org, userId: user.id, id };
  }

  async function login({ scopes, ...who }: Login): Promise<SessionTokens> {
    const user = await identify(who);
    const own = boundTo(database, who.signal, flowOf(accountOf(who), who.address));
    const subject = { userId: user.id, org: user.org, role: user.role, scopes: grant(user.role, scopes) };
    const refreshToken = newRefreshToken(randomBytes);
    const { address } = who;
    const session = { user, scopes: subject.scopes, address, lifetime: LIMITS.sessionLifetime };
    const sessionId = await own.transaction(async (tx) => {
      const id = await begin(tx, session, (id) => ofSession(user.org, id, address));
      const tokenHash = hashRefreshToken(refreshToken);
      await insertRefreshToken(tx, { sessionId: id, tokenHash, createdAt: clock() });
      return id;
    });
    return give(subject, sessionId, refreshToken);
  }

  async function refresh(refreshToken: string, address?: string): Promise<SessionTokens> {
    const { session, successor } = await rotation.rotate(refreshToken, address);
    return give(session, session.sessionId, successor);
  }

  async function logout(refreshToken: string, address?: string): Promise<void> {
    if (!isRefreshToken(refreshToken)) return;
    const token = await findRefreshToken(database, { tokenHash: hashRefreshToken(refreshToken) });
    if (token === undefined) return;
    const { sessionId: id, org, userId } = token;
    await signOut(database, clock, { org, userId, id }, ofSession(org, id, address));
  }

  async function confirm(
    person: UserRow,
    { password, address, signal }: Pick<Login, 'password' | 'address' | 'signal'>,
  ): Promise<boolean> {
    const { email: account, passwordHash } = person;
    const flow = flowOf(account, address);
    const matches = await limit.attempt({ account, address, signal }, () =>
      verify(password, passwordHash, { flow, signal }),
    );
    if (!matches) failed.note({ person, address, at: 'password_change' });
    return matches;
  }

  return { loginBrowser, login, refresh, logout, confirm, settled: () => failed.settled() };
}

/** The address as accounts have it. */
const accountOf = ({ email }: Pick<Login, 'email'>): string => email.trim().toLowerCase();

/** The flow of a sign-in: an account has its share among those that sign in from the same network. */
const flowOf = (account: string, address: string): Flow => ({
  org: `network:${networkOf(address)}`,
  caller: account,
});

/** The origin of an action that was performed with the tokens of a session. */
const ofSession = (callerOrg: string, sessionId: number, address: string | undefined): Origin => ({
  ...originOf(null, address ?? null),
  credentials: 'session',
  credentialsId: sessionId,
  callerOrg,
});

/** The purpose for which the secrets are derived from the keys. */
const DEVICE_PURPOSE = 'portico device token 1';

/** No account has this id. */
const NO_USER = 0;

async function findAccount(database: Database, address: string): Promise<UserRow | undefined> {
  // No account has such an address, and PostgreSQL refuses text with a NUL in it.
  if (address.length > LIMITS.emailLength || /\p{Cc}/u.test(address)) return undefined;
  return findUserByEmail(database, address);
}

/**
 * Returns the scopes of a new session.
 *
 * @throws ApiError `validation_failed` naming each scope that is unknown or that the role does not include.
 */
function grant(role: Role, wanted: readonly string[] | undefined): Scope[] {
  if (wanted === undefined) return [...ROLE_SCOPES[role]];
  const details = problemsWithScopes(wanted, { role }, 'scopes');
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return scopesWithin(role, wanted);
}

interface NewSession {
  /** The person as the password was verified. */
  readonly user: UserRow;
  readonly scopes: readonly Scope[];
  readonly address: string;
  /** In milliseconds. */
  readonly lifetime: number;
}
