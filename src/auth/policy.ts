/**
 * What a caller may do. Everything here is a pure function of the principal, so that REST, GraphQL and
 * event streams ask the same questions and get the same responses.
 */
import { ApiError } from '../core/errors.ts';
import { ROLES, type Role } from '../core/roles.ts';
import type { Confirmation } from './confirmation.ts';

/** All scopes, in the order of tokens and responses. */
export const SCOPES = [
  'read:users',
  'read:orders',
  'read:docs',
  'read:charges',
  'read:feed',
  'read:audit',
  'write:orders',
  'write:docs',
  'write:charges',
  'write:products',
  'write:users',
  'manage:api-keys',
  'manage:webhooks',
  'manage:apps',
] as const;
export type Scope = (typeof SCOPES)[number];

const READING: readonly Scope[] = SCOPES.filter(
  (scope) => scope.startsWith('read:') && scope !== 'read:audit',
);

/** The most that a token of a role can carry. `write:users` is for other people: everyone may edit their own account. */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set<Scope>(READING),
  editor: new Set<Scope>([...READING, 'write:orders', 'write:docs', 'write:charges', 'write:products']),
  admin: new Set<Scope>(SCOPES),
};

/** Who is calling, as established by a token or a key. Only the server makes one, never the client. */
export interface Principal {
  /**
   * `user` holds an access token from a sign-in, `api_key` a long-lived key of a machine, `certificate` the key of a client certificate, `app` an access token that the
   * authorization server gave to an app. `operator` is the person who runs commands beside the server; no door lets one in.
   */
  readonly kind: 'user' | 'api_key' | 'certificate' | 'app' | 'operator';
  /**
   * The person who signed in, or on whose behalf the key, the certificate, the app or the operator acts; the member that an app is, for what it does
   * by itself; 0 for an operator who acts for no person.
   */
  readonly userId: number;
  /** The one organisation whose rows this caller may touch. */
  readonly org: string;
  readonly role: Role;
  /** What was granted: a subset of what the role gives. */
  readonly scopes: ReadonlySet<Scope>;
  /** Seconds since the epoch after which the credentials are void; `Infinity` for a key without one. */
  readonly expiresAt: number;
  /** The `jti` of the token, or the id of the key or certificate: names these credentials in logs and counts. */
  readonly tokenId: string;
  /** Of an app: what it was granted. It is void when the grant has ended. */
  readonly grant?: {
    readonly id: number;
    readonly clientId: string;
    /** Scopes of OpenID Connect that the token has, such as `openid`. */
    readonly identity: readonly string[];
  };
  /** The key that the token is of use with alone. */
  readonly confirmation?: Confirmation;
  /** The session that an access token belongs to; left out for other credentials. */
  readonly sessionId?: number | undefined;
}

/** Whom the log names for what this caller does: null for an operator, who is none of the organisation's people. */
export const actorIdOf = ({ kind, userId }: Principal): number | null =>
  kind === 'operator' ? null : userId;

/** What an operation asks of its caller. Without a member it asks only that there is one. */
export interface Requirement {
  readonly scope?: Scope;
  /** This role or a more powerful one. */
  readonly role?: Role;
}

const KNOWN_ROLES: ReadonlySet<unknown> = new Set(ROLES);
const KNOWN_SCOPES: ReadonlySet<unknown> = new Set(SCOPES);

export const isRole = (value: unknown): value is Role => KNOWN_ROLES.has(value);

export const isScope = (value: unknown): value is Scope => KNOWN_SCOPES.has(value);

/** True when the role does whatever `least` does. */
export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** The granted scopes that the role still gives, in the order of the catalogue and each once. */
export function scopesWithin(role: Role, granted: Iterable<string>): Scope[] {
  const wanted = new Set(granted);
  return SCOPES.filter((scope) => wanted.has(scope) && ROLE_SCOPES[role].has(scope));
}

/**
 * The caller with no more than this role gives.
 *
 * @param role which the person behind the caller has now. A greater one than the caller's changes nothing: it takes another
 *   sign-in.
 */
export function within(principal: Principal, role: Role): Principal {
  if (hasRole(role, principal.role)) return principal;
  return { ...principal, role, scopes: new Set(scopesWithin(role, principal.scopes)) };
}

/**
 * Lets the call pass or says why not.
 *
 * The role is asked first: a caller who lacks both cannot help itself with another scope.
 *
 * @throws ApiError `unauthenticated`, `insufficient_role` or `insufficient_scope`.
 */
export function authorize(
  principal: Principal | null,
  requirement: Requirement = {},
): asserts principal is Principal {
  if (principal === null) throw new ApiError('unauthenticated');
  const { role, scope } = requirement;
  if (role !== undefined && !hasRole(principal.role, role)) {
    throw new ApiError('insufficient_role', {
      message: `This requires the role "${role}"; yours is "${principal.role}".`,
    });
  }
  if (scope !== undefined && !principal.scopes.has(scope)) {
    throw lacksScope([scope], `This requires the scope "${scope}", which the credentials do not carry.`);
  }
}

/** @param scopes what another sign-in would have to ask for. */
export const lacksScope = (scopes: readonly Scope[], message: string): ApiError =>
  new ApiError('insufficient_scope', { message, scope: scopes.join(' ') });

/** True when the sign-in gave up nothing of what its role gives. */
export const isUnnarrowed = (principal: Principal): boolean =>
  missingScopes(principal, principal.role).length === 0;

/** The scopes of a role that the caller's credentials do not carry. */
const missingScopes = (principal: Principal, role: Role): Scope[] =>
  [...ROLE_SCOPES[role]].filter((scope) => !principal.scopes.has(scope));

/**
 * Lets a caller assign this role. A person with the role can sign in with all its scopes, so credentials that lack some of it would
 * get it that way.
 *
 * @throws ApiError `insufficient_scope`.
 */
export function requireRoleToGive(principal: Principal, role: Role): void {
  const missing = missingScopes(principal, role);
  if (missing.length === 0) return;
  throw lacksScope(
    missing,
    `Your credentials do not carry all scopes of the role "${role}", so they cannot give it.`,
  );
}

/**
 * Lets a caller change this person, who must already be known to be of the caller's organisation.
 *
 * An administrator may with `write:users`. People may change themselves, but only with a sign-in that was not
 * narrowed: a token that was cut down to reading orders, or a machine's key, must not rename its owner.
 *
 * @throws ApiError `insufficient_scope` where another sign-in of the caller would do, `forbidden`.
 */
export function requireUpdateOfUser(principal: Principal, userId: number): void {
  if (mayManageUsers(principal) || isSelf(principal, userId)) return;
  const isOwn = principal.kind === 'user' && principal.userId === userId;
  if (isOwn)
    throw lacksScope(
      missingScopes(principal, principal.role),
      'A sign-in that was narrowed does not change the account.',
    );
  throw new ApiError('forbidden', {
    message: 'People change their own account; others need the role admin and write:users.',
  });
}

/** True for an administrator whose credentials may change other people. */
export const mayManageUsers = (principal: Principal): boolean =>
  principal.role === 'admin' && principal.scopes.has('write:users');

/** True for people themselves, with a sign-in that was not narrowed. */
export const isSelf = (principal: Principal, userId: number): boolean =>
  principal.kind === 'user' && principal.userId === userId && isUnnarrowed(principal);
