/**
 * What an access token says (RFC 9068). A signature proves that a token was made with our key; this proves
 * that it says what our tokens say, so that no later code meets a role or a scope of another type.
 */
import { LIMITS } from '../core/limits.ts';
import type { Role } from '../core/roles.ts';
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
}

/** Seconds from `iat` to `exp` at most. */
const LIFETIME = LIMITS.accessTokenLifetime / 1000;

const SUBJECT = /^[1-9][0-9]{0,15}$/;

/**
 * The principal that the claims of a verified signature describe, or undefined when any claim is missing, has a
 * wrong type, names a role or a scope that does not exist, or grants more than the role gives, and when the token
 * lives longer than ours do.
 *
 * `iss`, `aud`, `nbf` and the end of the token are compared by the JWT library before.
 */
export function readClaims(claims: Readonly<Record<string, unknown>>): Principal | undefined {
  const { sub, org, role, scopes, iat, exp, jti } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub) || !Number.isSafeInteger(Number(sub))) return undefined;
  if (typeof org !== 'string' || org === '') return undefined;
  if (typeof jti !== 'string' || jti === '') return undefined;
  if (!isRole(role)) return undefined;
  if (!isTime(iat) || !isTime(exp)) return undefined;
  // A sum, as the one who issues forms it: of times with fractions, `exp - iat` may be rounded to more.
  if (exp > iat + LIFETIME) return undefined;
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return undefined;
  if (!scopes.every((scope) => ROLE_SCOPES[role].has(scope))) return undefined;
  return Object.freeze({
    kind: 'user',
    userId: Number(sub),
    org,
    role,
    scopes: new Set(scopes),
    expiresAt: exp,
    tokenId: jti,
  });
}

/** JSON has no infinity, but `1e400` becomes one when it is read. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
