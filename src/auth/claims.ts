/**
 * What an access token says (RFC 9068). A signature proves that a token was made with our key; this proves
 * that it says what our tokens say, so that no later code meets a role or a scope of another type.
 */
import { LIMITS } from '../core/limits.ts';
import type { Role } from '../core/roles.ts';
import { appIdOf } from './apps/client-id.ts';
import type { Confirmation } from './confirmation.ts';
import { isRole, isScope, type Principal, ROLE_SCOPES, type Scope } from './policy.ts';

/** Members of a token beside those that every JWT library knows. */
export interface AccessTokenClaims {
  /** The id of the person, in decimal digits. */
  readonly sub: string;
  readonly org: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly iss: string;
  readonly aud: string;
  readonly jti: string;
  /** The id of the session, in decimal digits (OpenID Connect Front-Channel Logout 1.0, section 3). */
  readonly sid?: string;
}

/** What a token of an app has beside them. */
export interface AppClaims {
  readonly client_id: string;
  /** The grant, in decimal digits. */
  readonly gid: string;
  /** With the scopes of OpenID Connect. */
  readonly scope?: string;
  readonly cnf?: Readonly<Record<string, string>>;
}

/** Seconds from `iat` to `exp` at most. */
const LIFETIME = LIMITS.accessTokenLifetime / 1000;

/** An id in decimal digits. */
const ID = /^[1-9][0-9]{0,15}$/;

/**
 * The principal that the claims of a verified signature describe, or undefined when any claim is missing, has a
 * wrong type, names a role or a scope that does not exist, or grants more than the role gives, and when the token
 * lives longer than ours do.
 *
 * `iss`, `aud`, `nbf` and the end of the token are compared by the JWT library before.
 */
export function readClaims(claims: Readonly<Record<string, unknown>>): Principal | undefined {
  const { sub, org, role, scopes, iat, exp, jti, sid } = claims;
  if (!isId(sub) || (sid !== undefined && !isId(sid))) return undefined;
  if (typeof org !== 'string' || org === '') return undefined;
  if (typeof jti !== 'string' || jti === '') return undefined;
  if (!isRole(role)) return undefined;
  if (!isTime(iat) || !isTime(exp)) return undefined;
  // A sum, as the one who issues forms it: of times with fractions, `exp - iat` may be rounded to more.
  if (exp > iat + LIFETIME) return undefined;
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return undefined;
  if (!scopes.every((scope) => ROLE_SCOPES[role].has(scope))) return undefined;
  const app = readAppClaims(claims);
  if (app === undefined) return undefined;
  return Object.freeze({
    kind: app === null ? 'user' : 'app',
    ...app,
    userId: Number(sub),
    org,
    role,
    scopes: new Set(scopes),
    expiresAt: exp,
    tokenId: jti,
    ...(sid !== undefined && { sessionId: Number(sid) }),
  });
}

/** What a token says of its app: null for a token of a sign-in, undefined for one that says it wrongly. */
function readAppClaims({
  client_id: clientId,
  gid,
  scope,
  cnf,
}: Readonly<Record<string, unknown>>): Pick<Principal, 'grant' | 'confirmation'> | null | undefined {
  if (clientId === undefined && gid === undefined && cnf === undefined) return null;
  if (typeof clientId !== 'string' || appIdOf(clientId) === undefined) return undefined;
  if (typeof gid !== 'string' || !ID.test(gid)) return undefined;
  const identity = typeof scope === 'string' ? scope.split(' ').filter(isIdentity) : [];
  const grant = Object.freeze({ id: Number(gid), clientId, identity });
  if (cnf === undefined) return { grant };
  const confirmation = readConfirmation(cnf);
  return confirmation && { grant, confirmation };
}

/** A binding that is not understood must not count as none (RFC 7800, section 3.1). */
function readConfirmation(cnf: unknown): Confirmation | undefined {
  if (typeof cnf !== 'object' || cnf === null) return undefined;
  const { jkt, 'x5t#S256': x5t, ...others }: Partial<Record<string, unknown>> = { ...cnf };
  if (Object.keys(others).length > 0 || (jkt === undefined && x5t === undefined)) return undefined;
  if (jkt !== undefined && typeof jkt !== 'string') return undefined;
  if (x5t !== undefined && typeof x5t !== 'string') return undefined;
  return { ...(jkt !== undefined && { jkt }), ...(x5t !== undefined && { x5t }) };
}

/** Scopes of OpenID Connect are none of the API's, which have a colon. */
export const isIdentity = (scope: string) => scope !== '' && !scope.includes(':');

const isId = (value: unknown): value is string =>
  typeof value === 'string' && ID.test(value) && Number.isSafeInteger(Number(value));

/** JSON has no infinity, but `1e400` becomes one when it is read. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
