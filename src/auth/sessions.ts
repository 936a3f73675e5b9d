/**
 * Signing in, staying signed in, signing out. A session is a row with a family of refresh tokens, one of which
 * is good at any time (RFC 9700, section 4.14.2). Access tokens are made from it and stand on their own.
 */
import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { AbortSignalLike } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { networkOf } from '../core/networks.ts';
import { inOrder } from '../core/promises.ts';
import type { Role } from '../core/roles.ts';
import { boundTo } from '../db/bound.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Origin } from '../db/origin.ts';
import {
  findRefreshToken,
  insertRefreshToken,
  insertSession,
  noteSessionUse,
  type RefreshTokenOfSession,
  revokeSession,
  revokeSessionInTurn,
  rotateRefreshToken,
} from '../db/queries/sessions.ts';
import { findUserByEmail } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { recordAudit } from '../events/audit.ts';
import { record } from '../events/record.ts';
import type { SignInLimit } from '../rate-limit/sign-in-limit.ts';
import { createDeviceTokens } from './device-tokens.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { problemsWithScopes } from './grants.ts';
import type { Keys } from './keys.ts';
import { originOf } from './origins.ts';
import { verifyPassword } from './passwords.ts';
import { ROLE_SCOPES, type Scope, scopesWithin } from './policy.ts';
import {
  hashRefreshToken,
  isRefreshToken,
  newRefreshToken,
  SUCCESSOR_PURPOSE,
  successorOf,
} from './refresh-tokens.ts';
import type { TokenSubject, Tokens } from './tokens.ts';

export interface Login {
  /** Compared without regard to case and surrounding white space. */
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Narrows the session to these. Without them it carries all that the role gives. */
  readonly scopes?: readonly string[] | undefined;
  /** Of an earlier sign-in to this account on this device. One that is of no use is as good as none. */
  readonly deviceToken?: string | undefined;
  /** Aborted when no caller waits for the session any more. */
  readonly signal?: AbortSignalLike | undefined;
}

/** What a client gets to show with its requests, and to come back with later. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Proves at the next sign-in that there was one on this device. */
  readonly deviceToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

export interface Sessions {
  /** Who this is, for a sign-in in a browser that begins no session of tokens. @throws ApiError as {@link login}, except for its scopes. */
  authenticate(login: Omit<Login, 'scopes'>): Promise<UserRow>;
  /**
   * @throws ApiError `invalid_credentials` without saying what was wrong, `validation_failed` for scopes that
   *   cannot be granted, `rate_limited` after too many wrong passwords, `unavailable` when too many sign in at once.
   */
  login(login: Login): Promise<SessionTokens>;
  /**
   * Gives the next pair. The role is read anew; scopes that it does not give any more are gone.
   *
   * @throws ApiError `invalid_token` for a token that is unknown, used, or of a session that has ended.
   */
  refresh(refreshToken: string, address?: string): Promise<SessionTokens>;
  /** Ends the session of any of its refresh tokens. A token that is unknown has no session to end: no error. */
  logout(refreshToken: string, address?: string): Promise<void>;
  /**
   * Whether this is the password of a person who has signed in, for changes that ask for it once more. Wrong ones count as those
   * of sign-ins do.
   *
   * @throws ApiError `rate_limited`, `unavailable`, as for {@link login}.
   */
  confirm(person: UserRow, attempt: Pick<Login, 'password' | 'address' | 'signal'>): Promise<boolean>;
  /** Resolves when no wrong password is being written down any more: then the database may be closed. */
  settled(): Promise<void>;
}

export interface SessionsOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly keys: Pick<Keys, 'secrets' | 'reload'>;
  readonly clock: Clock;
  readonly limit: SignInLimit;
  /** What passwords are verified by. The default is `verifyPassword` of passwords.ts. */
  readonly verify?: typeof verifyPassword;
  readonly randomBytes?: (size: number) => Uint8Array;
  /** Called when a wrong password could not be recorded for the audit log. The request continues. */
  readonly onNotRecorded?: (error: unknown) => void;
}

/** How a refresh ended. */
type Refreshed =
  | { readonly outcome: 'given'; readonly session: RefreshTokenOfSession; readonly refreshToken: string }
  | { readonly outcome: 'reused'; readonly session: RefreshTokenOfSession }
  | { readonly outcome: 'unknown' | 'successor_unknown' };

export function createSessions(options: SessionsOptions): Sessions {
  const { database, tokens, keys, clock, limit } = options;
  const { verify = verifyPassword, randomBytes = systemRandomBytes, onNotRecorded = () => {} } = options;
  const failed = new FailedSignIns({ database, clock, onFailure: onNotRecorded });

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

  /** Whose address and password these are. */
  async function identify({
    email,
    password,
    address,
    deviceToken,
    signal,
  }: Omit<Login, 'scopes'>): Promise<UserRow> {
    const account = email.trim().toLowerCase();
    const flow = { org: `network:${networkOf(address)}`, caller: account };
    const own = boundTo(database, signal, flow);
    const user = await findAccount(own, account);
    const device = devices.deviceOf(deviceToken ?? '', user?.id ?? NO_USER);
    const isRight = () => verify(password, user?.passwordHash ?? null, { flow, signal });
    const matches = await limit.attempt({ account, address, device, signal }, isRight);
    if (user !== undefined && matches) return user;
    if (user !== undefined) failed.note({ person: user, address, at: 'sign_in' });
    throw new ApiError('invalid_credentials');
  }

  async function authenticate(who: Omit<Login, 'scopes'>): Promise<UserRow> {
    const user = await identify(who);
    const { org, id } = user;
    const origin = { ...originOf(null, who.address), credentials: 'browser' } as const;
    const entry = { org, type: 'user.signed_in', actorId: id, subjectId: id } as const;
    await database.transaction((tx) =>
      recordAudit(tx, { ...entry, data: { session_id: null } }, clock, origin),
    );
    return user;
  }

  async function login({ scopes, ...who }: Login): Promise<SessionTokens> {
    const user = await identify(who);
    const flow = { org: `network:${networkOf(who.address)}`, caller: who.email.trim().toLowerCase() };
    const own = boundTo(database, who.signal, flow);
    const subject = { userId: user.id, org: user.org, role: user.role, scopes: grant(user.role, scopes) };
    const refreshToken = newRefreshToken(randomBytes);
    const sessionId = await own.transaction((tx) =>
      begin(tx, { ...subject, address: who.address }, refreshToken, clock),
    );
    return give(subject, sessionId, refreshToken);
  }

  async function refresh(refreshToken: string, address?: string): Promise<SessionTokens> {
    let result = await rotate(refreshToken);
    if (result.outcome === 'successor_unknown') {
      // Another instance gave the successor, with a key that is new to this one.
      await keys.reload();
      result = await rotate(refreshToken);
    }
    if (result.outcome === 'reused')
      await endStolen(database, result.session, clock, originOf(null, address ?? null));
    if (result.outcome !== 'given') {
      throw new ApiError('invalid_token', { message: 'The refresh token is not valid. Sign in again.' });
    }
    return give(result.session, result.session.sessionId, result.refreshToken);
  }

  async function rotate(refreshToken: string): Promise<Refreshed> {
    if (!isRefreshToken(refreshToken)) return { outcome: 'unknown' };
    const tokenHash = hashRefreshToken(refreshToken);
    // Looked up first, so that invented tokens do not queue for the one writer that SQLite has.
    const known = await findRefreshToken(database, tokenHash);
    if (!known) return { outcome: 'unknown' };
    const successors = keys.secrets(SUCCESSOR_PURPOSE).map((secret) => successorOf(refreshToken, secret));
    return database.transaction((tx) => exchange(tx, known.sessionId, tokenHash, successors, clock));
  }

  async function logout(refreshToken: string, address?: string): Promise<void> {
    if (!isRefreshToken(refreshToken)) return;
    const token = await findRefreshToken(database, hashRefreshToken(refreshToken));
    if (token === undefined || token.revokedAt !== null) return;
    const { sessionId: id, org, userId } = token;
    await database.transaction(async (tx) => {
      if (!(await revokeSession(tx, { org, id, reason: 'logout', now: clock() }))) return;
      await recordAudit(
        tx,
        { org, type: 'user.signed_out', actorId: userId, subjectId: userId, data: { session_id: id } },
        clock,
        ofSession(org, id, address),
      );
    });
  }

  async function confirm(
    person: UserRow,
    { password, address, signal }: Pick<Login, 'password' | 'address' | 'signal'>,
  ): Promise<boolean> {
    const { email: account, passwordHash } = person;
    const flow = { org: `network:${networkOf(address)}`, caller: account };
    const matches = await limit.attempt({ account, address, signal }, () =>
      verify(password, passwordHash, { flow, signal }),
    );
    if (!matches) failed.note({ person, address, at: 'password_change' });
    return matches;
  }

  return { authenticate, login, refresh, logout, confirm, settled: () => failed.settled() };
}

/** Where something comes from that was done with the tokens of a session. */
const ofSession = (callerOrg: string, sessionId: number, address: string | undefined): Origin => ({
  ...originOf(null, address ?? null),
  credentials: 'session',
  credentialsId: sessionId,
  callerOrg,
});

/** Names the use that the ring's secrets are derived for. */
const DEVICE_PURPOSE = 'portico device token 1';

/** No account has this id. */
const NO_USER = 0;

async function findAccount(database: Database, address: string): Promise<UserRow | undefined> {
  // No account has such an address, and PostgreSQL refuses text with a NUL in it.
  if (address.length > LIMITS.emailLength || /\p{Cc}/u.test(address)) return undefined;
  return findUserByEmail(database, address);
}

/**
 * The scopes that a session gets.
 *
 * @throws ApiError `validation_failed` naming each one that is unknown or that the role does not give.
 */
function grant(role: Role, wanted: readonly string[] | undefined): Scope[] {
  if (wanted === undefined) return [...ROLE_SCOPES[role]];
  const details = problemsWithScopes(wanted, { role }, 'scopes');
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return scopesWithin(role, wanted);
}

async function begin(
  tx: Transaction,
  { org, userId, scopes, address }: TokenSubject & Pick<Login, 'address'>,
  refreshToken: string,
  clock: Clock,
): Promise<number> {
  const now = clock();
  const sessionId = await insertSession(tx, {
    org,
    userId,
    scopes: [...scopes],
    address,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIMITS.sessionLifetime),
  });
  await inOrder([
    insertRefreshToken(tx, { sessionId, tokenHash: hashRefreshToken(refreshToken), createdAt: now }),
    recordAudit(
      tx,
      { org, type: 'user.signed_in', actorId: userId, subjectId: userId, data: { session_id: sessionId } },
      clock,
      ofSession(org, sessionId, address),
    ),
  ]);
  return sessionId;
}

/**
 * Uses a refresh token. Whether it was used before is decided by the row alone, so that of any number of
 * instances exactly one writes the successor and the others find it.
 *
 * @param successors what the token's successor is under each key of the ring, the current key's first.
 */
async function exchange(
  tx: Transaction,
  sessionId: number,
  tokenHash: string,
  successors: readonly string[],
  clock: Clock,
): Promise<Refreshed> {
  const now = clock();
  // Requests with a token of the same family wait: otherwise its successor could be used while it is issued again.
  await noteSessionUse(tx, sessionId, now);
  const isFirstUse = await rotateRefreshToken(tx, tokenHash, now);
  const session = await findRefreshToken(tx, tokenHash);
  if (session === undefined || session.revokedAt !== null || session.expiresAt <= now) {
    return { outcome: 'unknown' };
  }
  if (isFirstUse) {
    const [refreshToken] = successors;
    if (refreshToken === undefined) throw new Error('A refresh needs a key to make the successor with.');
    await insertRefreshToken(tx, { sessionId, tokenHash: hashRefreshToken(refreshToken), createdAt: now });
    return { outcome: 'given', session, refreshToken };
  }
  if (now.getTime() - (session.rotatedAt?.getTime() ?? 0) <= LIMITS.refreshReplayWindow) {
    const again = await giveAgain(tx, session, successors);
    if (again.outcome !== 'reused') return again;
  }
  return { outcome: 'reused', session };
}

/** For a client whose response was lost. A client that has used the successor got that response, so this is another client. */
async function giveAgain(
  tx: Transaction,
  session: RefreshTokenOfSession,
  successors: readonly string[],
): Promise<Refreshed> {
  for (const refreshToken of successors) {
    const given = await findRefreshToken(tx, hashRefreshToken(refreshToken));
    if (given?.sessionId !== session.sessionId) continue;
    return given.rotatedAt === null
      ? { outcome: 'given', session, refreshToken }
      : { outcome: 'reused', session };
  }
  return { outcome: 'successor_unknown' };
}

/**
 * Two parties hold tokens of one family and the owner is unknown, so both lose them. It is a transaction of its own, since it takes
 * the turn of the organisation before the row of the session, and a refresh takes that row at its beginning.
 */
function endStolen(
  database: Database,
  session: RefreshTokenOfSession,
  clock: Clock,
  origin: Origin,
): Promise<void> {
  const { sessionId: id, org, userId } = session;
  const reason = 'refresh_token_reused';
  return database.transaction(async (tx) => {
    if (!(await revokeSessionInTurn(tx, { org, id, reason, now: clock() }))) return;
    const event = {
      org,
      type: 'session.revoked',
      // The server did it: to name the person would accuse the one who was robbed.
      actorId: null,
      subjectId: id,
      data: { reason, user_id: userId },
    } as const;
    await record(tx, event, clock, origin);
  });
}
