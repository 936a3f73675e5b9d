/**
 * What a caller may do. Everything here is a pure function of the principal, so that REST, GraphQL and event streams apply the
 * same rules.
 */

import { ApiError } from '../core/errors.ts';
import { ROLES, type Role } from '../core/roles.ts';
import type { Credential } from '../db/queries/standing.ts';
import type { Reader } from '../db/visibility.ts';
import type { Confirmation } from './confirmation.ts';

/** What each scope permits, for people who grant it. */
export const SCOPE_WORDS = {
  'read:users': 'See the people of your organisation',
  'read:orders': 'See orders and products',
  'read:docs': 'Read documents that you can read',
  'read:charges': 'See charges',
  'read:feed': 'Follow what happens in your organisation',
  'read:audit': 'Read the audit log of your organisation: who did what, and from where',
  'write:orders': 'Place, change, ship, cancel and delete orders',
  'write:docs': 'Write, share and delete documents',
  'write:charges': 'Make charges and refunds',
  'write:products': 'Add, change and archive products',
  'write:users': 'Change and remove people, and end their sessions',
  'manage:api-keys': 'See and revoke API keys and client certificates',
  'manage:webhooks': 'Manage webhooks, which send events to other servers',
  'manage:apps': 'See and remove apps and grants',
} as const;
export type Scope = keyof typeof SCOPE_WORDS;

/** All scopes, in the order in which tokens and responses list them. */
export const SCOPES = Object.keys(SCOPE_WORDS) as readonly Scope[];

const READING: readonly Scope[] = SCOPES.filter(
  (scope) => scope.startsWith('read:') && scope !== 'read:audit',
);

/** The maximum scopes of each role. `write:users` applies to other people: everyone may edit their own account. */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set<Scope>(READING),
  editor: new Set<Scope>([...READING, 'write:orders', 'write:docs', 'write:charges', 'write:products']),
  admin: new Set<Scope>(SCOPES),
};

/** The authenticated caller, as established by its credentials. Only the server creates one, never the client. */
export interface Principal {
  /**
   * `user` has an access token from a sign-in, `api_key` a long-lived key of a machine, `certificate` the key of a client
   * certificate, `app` an access token that the authorization server issued to an app. No door admits the others: `browser` is a
   * person who has signed in at the authorization server and has a cookie, `operator` one who runs commands on the server's machine.
   */
  readonly kind: 'user' | 'api_key' | 'certificate' | 'app' | 'browser' | 'operator';
  /**
   * The person who signed in, or on whose behalf the key, the certificate, the app or the operator acts. For an app that acts for
   * itself, the app's own member. 0 for an operator who acts for no person.
   */
  readonly userId: number;
  /** The only organisation whose rows this caller may access. */
  readonly org: string;
  readonly role: Role;
  /** The granted scopes, a subset of the role's. */
  readonly scopes: ReadonlySet<Scope>;
  /** Seconds since the epoch after which the credentials are invalid; `Infinity` for a key that does not expire. */
  readonly expiresAt: number;
  /** The row of the API key, the client certificate or the app's grant, which can be revoked; left out for people and operators. */
  readonly credential?: Credential;
  /** The grant that an app calls with. The credentials are invalid once it has ended. */
  readonly grant?: {
    readonly id: number;
    readonly appId: number;
    readonly clientId: string;
    /** The scopes of OpenID Connect that the token has, such as `openid`. */
    readonly identity: readonly string[];
  };
  /** The key that the token is bound to; left out for a bearer token. */
  readonly confirmation?: Confirmation;
  /** The session that an access token belongs to; left out for other credentials. */
  readonly sessionId?: number | undefined;
}

/** Returns the principal of a person with all scopes of their role, by something that does not expire. */
export const personAs = <Kind extends Principal['kind']>(
  kind: Kind,
  { id: userId, org, role }: { readonly id: number; readonly org: string; readonly role: Role },
) => ({ kind, userId, org, role, scopes: ROLE_SCOPES[role], expiresAt: Number.POSITIVE_INFINITY });

/** The actor that events name for this caller: null for an operator, who is not a member of the organisation. */
export const actorIdOf = ({ kind, userId }: Principal): number | null =>
  kind === 'operator' ? null : userId;

/** Whether two callers act for the same person of an organisation, with the same kind of credentials and as the same app. */
export const isSameCaller = (one: Principal, other: Principal): boolean =>
  one.kind === other.kind &&
  one.userId === other.userId &&
  one.org === other.org &&
  one.grant?.appId === other.grant?.appId;

/** The caller as it appears in the server's log: its id, never its credentials. */
export const namedCaller = ({ kind, userId, org, grant, credential }: Principal) => ({
  kind,
  /** The id of the API key or certificate, otherwise of the person. */
  id: grant ? userId : (credential?.id ?? userId),
  org,
  /** The client id of the app that acts for the person. */
  ...(grant && { client: grant.clientId }),
});

/** What an operation requires of its caller. An empty requirement requires only an authenticated caller. */
export interface Requirement {
  readonly scope?: Scope;
  /** A scope that is accepted instead of `scope`: the resolver then checks what else the caller needs. */
  readonly or?: Scope;
  /** This role or a more powerful one. */
  readonly role?: Role;
}

const KNOWN_ROLES: ReadonlySet<unknown> = new Set(ROLES);
const KNOWN_SCOPES: ReadonlySet<unknown> = new Set(SCOPES);

export const isRole = (value: unknown): value is Role => KNOWN_ROLES.has(value);

export const isScope = (value: unknown): value is Scope => KNOWN_SCOPES.has(value);

/** Whether the role is `least` or a more powerful one. */
export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** The granted scopes that the role includes, in the order of {@link SCOPES} and without duplicates. */
export function scopesWithin(role: Role, granted: Iterable<string>): Scope[] {
  const wanted = new Set(granted);
  return SCOPES.filter((scope) => wanted.has(scope) && ROLE_SCOPES[role].has(scope));
}

/**
 * Returns the caller, limited to this role.
 *
 * @param role the current role of the person behind the caller. A more powerful role than the caller's has no effect until the
 *   person signs in again.
 */
export function limitedToRole(principal: Principal, role: Role): Principal {
  if (hasRole(role, principal.role)) return principal;
  return { ...principal, role, scopes: new Set(scopesWithin(role, principal.scopes)) };
}

/** Returns the caller, limited to these scopes: those that its app may use now. */
export function limitedToScopes(principal: Principal, scopes: readonly string[]): Principal {
  const kept = [...principal.scopes].filter((scope) => scopes.includes(scope));
  return kept.length === principal.scopes.size ? principal : { ...principal, scopes: new Set(kept) };
}

/**
 * Checks a requirement.
 *
 * The role is checked first: to a caller who lacks both, another scope would not help.
 *
 * @throws ApiError `unauthenticated`, `insufficient_role` or `insufficient_scope`.
 */
export function authorize(
  principal: Principal | null,
  requirement: Requirement = {},
): asserts principal is Principal {
  if (principal === null) throw new ApiError('unauthenticated');
  const { role, scope, or } = requirement;
  if (role !== undefined && !hasRole(principal.role, role)) {
    throw new ApiError('insufficient_role', {
      message: `This requires the role "${role}"; yours is "${principal.role}".`,
    });
  }
  if (scope === undefined || principal.scopes.has(scope)) return;
  if (or === undefined || !principal.scopes.has(or)) {
    throw insufficientScope(
      [scope],
      `This requires the scope "${scope}", which the credentials do not have.`,
    );
  }
}

/** @param scopes the scopes that a new sign-in would have to request. */
const insufficientScope = (scopes: readonly Scope[], message: string): ApiError =>
  new ApiError('insufficient_scope', { message, scope: scopes.join(' ') });

/** Whether the caller has all scopes of its role. */
export const isUnnarrowed = (principal: Principal): boolean => missingScopes(principal).length === 0;

/** The scopes of the caller's role that its credentials do not have. */
const missingScopes = ({ role, scopes }: Principal): Scope[] =>
  [...ROLE_SCOPES[role]].filter((scope) => !scopes.has(scope));

/**
 * Checks that a caller may assign this role. A person with the role can sign in with all its scopes, so assigning it would give
 * the caller access to scopes that its own credentials lack.
 *
 * @throws ApiError `insufficient_scope`.
 */
export const requireRoleToGive = (principal: Principal, role: Role): void =>
  requireScopes(
    principal,
    ROLE_SCOPES[role],
    `Your credentials do not have all scopes of the role "${role}", so they cannot assign it.`,
  );

/**
 * Checks that a caller may give access to an app with these scopes: it could use the access itself.
 *
 * @throws ApiError `insufficient_scope`.
 */
export const requireScopesToGive = (principal: Principal, scopes: Iterable<string>): void =>
  requireScopes(
    principal,
    scopes,
    'Your credentials do not have all scopes of the app, so they cannot give access to it.',
  );

/**
 * Checks that a caller has all of these scopes. The error names the missing ones.
 *
 * @throws ApiError `insufficient_scope`.
 */
export function requireScopes(principal: Principal, scopes: Iterable<string>, message: string): void {
  const missing = scopesWithin('admin', scopes).filter((scope) => !principal.scopes.has(scope));
  if (missing.length > 0) throw insufficientScope(missing, message);
}

/**
 * Checks that a caller may change this person. That the person belongs to the caller's organisation must have been checked before.
 *
 * Administrators may do so with `write:users`. People may change themselves, but only with all scopes of their role: a token
 * that was narrowed to reading orders, or a machine's key, must not rename its owner.
 *
 * @throws ApiError `insufficient_scope` if a new sign-in of the caller would be sufficient, otherwise `forbidden`.
 */
export function requireUpdateOfUser(principal: Principal, userId: number): void {
  if (mayManageUsers(principal) || isSelf(principal, userId)) return;
  const isOwn = principal.kind === 'user' && principal.userId === userId;
  if (isOwn)
    throw insufficientScope(
      missingScopes(principal),
      'A sign-in with narrowed scopes cannot change the account.',
    );
  throw new ApiError('forbidden', {
    message:
      'People can change their own account with a full sign-in. All other changes require the role admin and write:users.',
  });
}

/** Whether the caller is an administrator whose credentials may change other people. */
export const mayManageUsers = (principal: Principal): boolean =>
  principal.role === 'admin' && principal.scopes.has('write:users');

/** Whether the caller is this person, signed in with all scopes of their role. */
export const isSelf = (principal: Principal, userId: number): boolean =>
  principal.kind === 'user' && principal.userId === userId && isUnnarrowed(principal);

/** Converts a caller to the reader that queries check. */
export const readerOf = ({ org, userId, role }: Principal): Reader => ({ org, readerId: userId, role });
