/**
 * The claims of an access token (RFC 9068). The signature proves that a token was signed with our key. The checks here ensure
 * that its claims have the expected types, so that later code can rely on them.
 */

import { isRecord } from '../core/json.ts';
import { LIMITS } from '../core/limits.ts';
import { appIdOf } from './apps/client-id.ts';
import type { Confirmation } from './confirmation.ts';
import { isRole, isScope, type Principal, ROLE_SCOPES } from './policy.ts';

/** Maximum seconds from `iat` to `exp`. */
const LIFETIME = LIMITS.accessTokenLifetime / 1000;

const ID = /^[1-9][0-9]{0,15}$/;

/**
 * Returns the principal that verified claims describe. Undefined if a claim is missing, has a wrong type, names an unknown role
 * or scope, or grants more than the role includes, or if the token is valid for longer than our tokens are.
 *
 * The JWT library has checked `iss`, `aud`, `nbf` and `exp` before.
 */
export function readClaims(claims: Readonly<Record<string, unknown>>): Principal | undefined {
  const { sub, org, role, scopes, iat, exp, jti, sid } = claims;
  if (!isId(sub) || (sid !== undefined && !isId(sid))) return undefined;
  if (typeof org !== 'string' || org === '') return undefined;
  if (typeof jti !== 'string' || jti === '') return undefined;
  if (!isRole(role)) return undefined;
  if (!isTime(iat) || !isTime(exp)) return undefined;
  // A sum, like when tokens are issued: with fractional times, rounding could make `exp - iat` larger.
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
    ...(sid !== undefined && { sessionId: Number(sid) }),
  });
}

/** Returns the claims about the app: null for the token of a sign-in, undefined if they are invalid. */
function readAppClaims({
  client_id: clientId,
  gid,
  scope,
  cnf,
}: Readonly<Record<string, unknown>>):
  | Pick<Principal, 'credential' | 'grant' | 'confirmation'>
  | null
  | undefined {
  if (clientId === undefined && gid === undefined && cnf === undefined) return null;
  if (typeof clientId !== 'string') return undefined;
  const appId = appIdOf(clientId);
  if (appId === undefined) return undefined;
  if (typeof gid !== 'string' || !ID.test(gid)) return undefined;
  const identity = typeof scope === 'string' ? scope.split(' ').filter(isIdentity) : [];
  const id = Number(gid);
  const credential = Object.freeze({ table: 'grants', id } as const);
  const grant = Object.freeze({ id, appId, clientId, identity });
  if (cnf === undefined) return { credential, grant };
  const confirmation = readConfirmation(cnf);
  return confirmation && { credential, grant, confirmation };
}

/** Returns the key binding of a token; undefined if it is not understood, which must not count as none (RFC 7800, section 3.1). */
function readConfirmation(cnf: unknown): Confirmation | undefined {
  if (!isRecord(cnf)) return undefined;
  const { jkt, 'x5t#S256': x5t, ...others } = cnf;
  if (Object.keys(others).length > 0 || (jkt === undefined && x5t === undefined)) return undefined;
  if (jkt !== undefined && typeof jkt !== 'string') return undefined;
  if (x5t !== undefined && typeof x5t !== 'string') return undefined;
  return { ...(jkt !== undefined && { jkt }), ...(x5t !== undefined && { x5t }) };
}

/** Whether a scope is one of OpenID Connect. The API's own scopes contain a colon. */
export const isIdentity = (scope: string) => scope !== '' && !scope.includes(':');

const isId = (value: unknown): value is string =>
  typeof value === 'string' && ID.test(value) && Number.isSafeInteger(Number(value));

/** Whether a value is a finite number. JSON has no infinity, but parsing `1e400` gives one. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
