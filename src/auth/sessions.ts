import type { Clock } from '../core/clock.ts';
import type { AbortSignalLike } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import { networkOf } from '../core/networks.ts';
import type { Role } from '../core/roles.ts';
import { storedAddress } from '../core/stored-address.ts';
import { BoundDatabase } from '../db/bound.ts';
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
import { problemsWithScopes } from './grantable-scopes.ts';
import type { Keys } from './keys.ts';
import { originOf } from './origins.ts';
import { verifyPassword } from './passwords.ts';
import { ROLE_SCOPES, type Scope, scopesWithin } from './policy.ts';
import { hashSecret } from './random-secrets.ts';
import { exchangeRefreshToken, REFRESH_TOKEN } from './refresh-rotation.ts';
import type { TokenSubject, Tokens } from './tokens.ts';

interface Login {
  /** Compared without regard to case, Unicode normalization and surrounding white space. */
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

interface SessionsOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly keys: Pick<Keys, 'secrets' | 'reload'>;
  readonly clock: Clock;
  readonly limit: SignInLimit;
  /** Verifies passwords. The default is `verifyPassword` of passwords.ts. */
  readonly verify?: typeof verifyPassword;
  /** Called when a wrong password could not be recorded for the audit log. The request continues. */
  readonly onNotRecorded?: (error: unknown) => void;
}

/**
 * Sign-in, refresh and sign-out. A session is a row with a family of refresh tokens, exactly one of which is valid at any time
 * (RFC 9700, section 4.14.2). Access tokens are issued for a session and verified without it. The session of a browser at the
 * authorization server has no tokens (browser-sessions.ts).
 */
export class Sessions {
  readonly #options: Required<SessionsOptions>;
  readonly #failed: FailedSignIns;
  readonly #devices;

  constructor(options: SessionsOptions) {
    this.#options = { verify: verifyPassword, onNotRecorded: () => {}, ...options };
    const { database, keys, clock, onNotRecorded } = this.#options;
    this.#failed = new FailedSignIns(database, clock, onNotRecorded);
    this.#devices = createDeviceTokens(() => keys.secrets(DEVICE_PURPOSE), clock);
  }

  /**
   * Signs a person in, and creates the session of a browser, which expires soon unless it is kept.
   *
   * @throws ApiError like {@link login}, except for its scopes.
   */
  async loginBrowser(
    login: Omit<Login, 'scopes'>,
  ): Promise<Pick<SessionTokens, 'deviceToken'> & { readonly session: BrowserSession }> {
    const user = await this.#identify(login);
    const { address } = login;
    const lifetime = LIMITS.interactionLifetime;
    const session = { user, scopes: [], address, lifetime };
    const id = await this.#databaseFor(login).transaction((tx) =>
      this.#begin(tx, session, () => fromBrowser(address)),
    );
    return { session: { org: user.org, userId: user.id, id }, deviceToken: this.#devices.issue(user.id, id) };
  }

  /**
   * Signs a person in and creates a session.
   *
   * @throws ApiError `invalid_credentials` without naming what was wrong, `validation_failed` for scopes that
   *   cannot be granted, `rate_limited` after too many wrong passwords, `unavailable` when too many sign in at once.
   */
  async login(login: Login): Promise<SessionTokens> {
    const { clock } = this.#options;
    const user = await this.#identify(login);
    const { address, scopes } = login;
    const subject = {
      userId: user.id,
      org: user.org,
      role: user.role,
      scopes: scopesOfSession(user.role, scopes),
    };
    const refreshToken = REFRESH_TOKEN.create();
    const session = { user, scopes: subject.scopes, address, lifetime: LIMITS.sessionLifetime };
    const sessionId = await this.#databaseFor(login).transaction(async (tx) => {
      const id = await this.#begin(tx, session, (id) => ofSession(user.org, id, address));
      const tokenHash = hashSecret(refreshToken);
      await insertRefreshToken(tx, { sessionId: id, tokenHash, createdAt: clock() });
      return id;
    });
    return this.#give(subject, sessionId, refreshToken);
  }

  /**
   * Exchanges a refresh token for the next pair of tokens. The current role applies: scopes that it does not include are dropped.
   *
   * @throws ApiError `invalid_token` for a token that is unknown, used, or of a session that has ended.
   */
  async refresh(refreshToken: string, address?: string): Promise<SessionTokens> {
    const { session, successor } = await exchangeRefreshToken(this.#options, refreshToken, address);
    return this.#give(session, session.sessionId, successor);
  }

  /** Ends the session that a refresh token belongs to, even if the token was used. An unknown token is not an error. */
  async logout(refreshToken: string, address?: string): Promise<void> {
    if (!REFRESH_TOKEN.accepts(refreshToken)) return;
    const { database, clock } = this.#options;
    const token = await findRefreshToken(database, { tokenHash: hashSecret(refreshToken) });
    if (token === undefined) return;
    const { sessionId: id, org, userId } = token;
    await signOut(database, clock, { org, userId, id }, ofSession(org, id, address));
  }

  /**
   * Whether the password is that of a signed-in person, for changes that require it again. A wrong one counts as a failed sign-in.
   *
   * @throws ApiError `rate_limited`, `unavailable`, like {@link login}.
   */
  async confirm(
    person: UserRow,
    { password, address, signal }: Pick<Login, 'password' | 'address' | 'signal'>,
  ): Promise<boolean> {
    const { limit, verify } = this.#options;
    const { email: account, passwordHash } = person;
    const flow = flowOf(account, address);
    const matches = await limit.attempt({ account, address, signal }, () =>
      verify(password, passwordHash, { flow, signal }),
    );
    if (!matches) this.#failed.note({ person, address, at: 'password_change' });
    return matches;
  }

  /** Resolves when all wrong passwords are recorded. Then the database may be closed. */
  settled(): Promise<void> {
    return this.#failed.settled();
  }

  async #give(subject: TokenSubject, sessionId: number, refreshToken: string): Promise<SessionTokens> {
    const deviceToken = this.#devices.issue(subject.userId, sessionId);
    const accessToken = await this.#options.tokens.issue({ ...subject, sessionId });
    return { ...accessToken, refreshToken, deviceToken, tokenType: 'Bearer' };
  }

  /** Returns the database as a sign-in uses it: with the share of its account and network. */
  #databaseFor(login: Omit<Login, 'scopes'>): BoundDatabase {
    const flow = flowOf(accountOf(login), login.address);
    return new BoundDatabase(this.#options.database, login.signal, flow);
  }

  /** Returns the account that the address and password belong to. */
  async #identify(login: Omit<Login, 'scopes'>): Promise<UserRow> {
    const { limit, verify } = this.#options;
    const { password, address, deviceToken = '', signal } = login;
    const account = accountOf(login);
    const flow = flowOf(account, address);
    const user = await findAccount(this.#databaseFor(login), login.email.trim());
    const device = this.#devices.deviceOf(deviceToken, user?.id ?? NO_USER);
    const isRight = () => verify(password, user?.passwordHash ?? null, { flow, signal });
    const matches = await limit.attempt({ account, address, device, signal }, isRight);
    if (user !== undefined && matches) return user;
    throw this.#refusal(user, address);
  }

  /** The error for a wrong password, which is noted if the account exists. */
  #refusal(person: UserRow | undefined, address: string): ApiError {
    if (person !== undefined) this.#failed.note({ person, address, at: 'sign_in' });
    return new ApiError('invalid_credentials');
  }

  /**
   * Inserts a session with its audit entry. Returns its id.
   *
   * @throws ApiError as for a wrong password if the person has changed since the password was verified.
   */
  async #begin(
    tx: Transaction,
    { user, lifetime, ...rest }: NewSession,
    originIn: (sessionId: number) => Origin,
  ): Promise<number> {
    const { clock } = this.#options;
    const { org, id: userId, role, passwordHash } = user;
    const now = clock();
    const expiresAt = new Date(now.getTime() + lifetime);
    // The password was verified, so there is a hash.
    const as = { org, userId, role, passwordHash: passwordHash ?? '' };
    const id = await insertSession(tx, { ...as, ...rest, createdAt: now, expiresAt });
    if (id === undefined) throw this.#refusal(user, rest.address);
    const entry = { org, type: 'user.signed_in', actorId: userId, subjectId: userId } as const;
    await recordAudit(tx, { ...entry, data: { session_id: id } }, clock, originIn(id));
    return id;
  }
}

/** The address as accounts have it. */
const accountOf = ({ email }: Pick<Login, 'email'>): string => storedAddress(email.trim());

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
function scopesOfSession(role: Role, wanted: readonly string[] | undefined): Scope[] {
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
