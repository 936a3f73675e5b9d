/**
 * What a caller may do. Everything here is a pure function of the principal, so that REST, GraphQL and
 * event streams ask the same questions and get the same responses.
 */
import { ApiError } from '../core/errors.ts';
import { ROLES, type Role } from '../core/roles.ts';

/** All scopes, in the order of tokens and responses. */
export const SCOPES = [
  'read:users',
  'read:orders',
  'read:docs',
  'read:charges',
  'read:feed',
  'write:orders',
  'write:docs',
  'write:charges',
  'write:users',
  'manage:api-keys',
  'manage:webhooks',
] as const;
export type Scope = (typeof SCOPES)[number];

const READING: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('read:'));

/** The most that a token of a role can carry. `write:users` is for other people: everyone may edit their own account. */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set<Scope>(READING),
  editor: new Set<Scope>([...READING, 'write:orders', 'write:docs', 'write:charges']),
  admin: new Set<Scope>(SCOPES),
};

/** Who is calling, as established by a token or a key. Only the server makes one, never the client. */
export interface Principal {
  /**
   * `user` holds an access token from a sign-in, `api_key` a long-lived key of a machine. `operator` is the person who runs
   * commands beside the server; no door lets one in.
   */
  readonly kind: 'user' | 'api_key' | 'operator';
  /** The person who signed in, or on whose behalf the key or the operator acts; 0 for an operator who acts for no person. */
  readonly userId: number;
  /** The one organisation whose rows this caller may touch. */
  readonly org: string;
  readonly role: Role;
  /** What was granted: a subset of what the role gives. */
  readonly scopes: ReadonlySet<Scope>;
  /** Seconds since the epoch after which the credentials are void; `Infinity` for a key without an end. */
  readonly expiresAt: number;
  /** The `jti` of the token or the id of the key: names these credentials in logs and counts. */
  readonly tokenId: string;
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
    throw new ApiError('insufficient_scope', {
      message: `This requires the scope "${scope}", which the credentials do not carry.`,
    });
  }
}

/** True when the row belongs to the caller's organisation; compared exactly, since names are identifiers. */
export const sameOrganisation = (principal: Principal, org: string): boolean => principal.org === org;

/** True when the sign-in gave up nothing of what its role gives. */
export function isUnnarrowed(principal: Principal): boolean {
  return mayGiveRole(principal, principal.role);
}

/**
 * True when the caller may assign this role. A person with the role can sign in with all its scopes, so credentials
 * that lack some of it would get it that way.
 */
export function mayGiveRole(principal: Principal, role: Role): boolean {
  return [...ROLE_SCOPES[role]].every((scope) => principal.scopes.has(scope));
}

/**
 * True when the caller may change this person, who must already be known to be of the caller's organisation.
 *
 * An administrator may with `write:users`. People may change themselves, but only with a sign-in that was not
 * narrowed: a token that was cut down to reading orders, or a machine's key, must not rename its owner.
 */
export function mayUpdateUser(principal: Principal, userId: number): boolean {
  if (principal.role === 'admin' && principal.scopes.has('write:users')) return true;
  return principal.kind === 'user' && principal.userId === userId && isUnnarrowed(principal);
}
