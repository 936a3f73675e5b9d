/** The claims of the authorization server's access tokens: those of the API's own tokens, limited to the grant's current scopes. */
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import {
  type AccessToken,
  type AuthorizationCode,
  type ClientCredentials,
  type DeviceCode,
  errors,
  type KoaContextWithOIDC,
  type RefreshToken,
} from 'oidc-provider';
import { ownGrantOf } from '../../auth/apps/consents.ts';
import type { AppChangeParts } from '../../auth/apps/installations.ts';
import { SCOPES } from '../../auth/policy.ts';
import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { findClientApp } from '../../db/queries/apps.ts';
import type { LiveGrant } from '../../db/queries/grants.ts';
import { fromAddress, grantOf } from './adapter.ts';
import { currentScopes } from './provider-payloads.ts';

/** The id of the secret with which a client has authenticated, by request. */
const secretOf = new WeakMap<KoaContextWithOIDC, number>();

/** Records the secret of a request. The app's own grant belongs to it. */
export function noteSecret(ctx: KoaContextWithOIDC, id: number): void {
  secretOf.set(ctx, id);
}

/** Returns the claims of a token, and limits its scope to the grant's current scopes. */
export async function tokenClaims(
  ctx: KoaContextWithOIDC,
  token: AccessToken | ClientCredentials,
  parts: AppChangeParts,
): Promise<Record<string, unknown>> {
  if (token.kind === 'ClientCredentials') return ownClaims(ctx, token, parts);
  const { AuthorizationCode, DeviceCode, RefreshToken } = ctx.oidc.entities;
  const grant = requireScopeLeft(ctx, AuthorizationCode ?? DeviceCode ?? RefreshToken);
  const { org, role } = grant;
  token.scope = narrowed(token.scope, currentScopes(grant));
  return { org, role, gid: String(grant.id) };
}

/**
 * Returns the claims of an app's own token: for its own organisation, or for the one in the parameter `org`. Limits the token's scope
 * to the requested scopes that the app has there; all of them if the request has no `scope`.
 *
 * @throws UnauthorizedClient if the app is not installed, InvalidRequest for several organisations, InvalidScope if no scope is left (RFC
 *   6749, section 5.2).
 */
async function ownClaims(
  ctx: KoaContextWithOIDC,
  token: ClientCredentials,
  parts: AppChangeParts,
): Promise<Record<string, unknown>> {
  const { client, body, params } = ctx.oidc;
  const app = await findClientApp(parts.database, { id: Number(client?.['app_id']) });
  const wanted = (body as Readonly<Record<string, unknown>> | undefined)?.['org'];
  // A repeated parameter is a list.
  if (Array.isArray(wanted)) throw new errors.InvalidRequest('org must be sent once');
  const org = typeof wanted === 'string' ? wanted : (app?.org ?? '');
  const own =
    app &&
    (await ownGrantOf(
      { ...parts, database: fromAddress(parts.database, ctx.ip) },
      app,
      org,
      secretOf.get(ctx) ?? 0,
    ));
  // A description has neither quotation marks nor what the client has sent (RFC 6749, section 5.2).
  if (!own) throw new errors.UnauthorizedClient('the app is not installed in the organisation');
  // Not the token's own scope: oidc-provider has removed unknown scopes from it, so that it may be undefined.
  const { scope: asked } = params ?? {};
  const wantedScopes = typeof asked === 'string' ? asked.split(' ') : own.scopes;
  const scopes = own.scopes.filter((scope) => wantedScopes.includes(scope));
  if (scopes.length === 0)
    throw new errors.InvalidScope('the app has none of these scopes there', wantedScopes.join(' '));
  const scope = scopes.join(' ');
  token.scope = scope;
  // oidc-provider has already copied the requested scope into the record of an opaque token, but it stores these claims. Without
  // this one, the token would get requested scopes that the app receives later, which a JWT does not.
  return { org, role: own.member.role, gid: String(own.id), sub: String(own.member.id), scope };
}

/** What a client exchanges for tokens. */
type Source = AuthorizationCode | DeviceCode | RefreshToken;

/**
 * Requires what oidc-provider checks only after a source is used up.
 *
 * @throws InvalidTarget for a resource that was not requested before (RFC 8707, section 2.2), InvalidGrant for another key than that of the
 *   authorization request (RFC 9449, section 10), and the errors of {@link requireScopeLeft}.
 */
export async function requireUsable(ctx: KoaContextWithOIDC, source: Source): Promise<void> {
  const { resource = [] } = ctx.oidc.params ?? {};
  const isGranted = (each: unknown) => typeof each === 'string' && source.resourceIndicators.has(each);
  if (![resource].flat().every(isGranted)) throw new errors.InvalidTarget();
  const key = 'dpopJkt' in source ? source.dpopJkt : undefined;
  if (key !== undefined && key !== (await provenKey(ctx))) {
    throw new errors.InvalidGrant('the code is bound to another key');
  }
  // That of a device code is found later.
  if (grantOf(ctx)) requireScopeLeft(ctx, source);
}

/** Returns the thumbprint of the key of the request's proof, which was verified. */
async function provenKey(ctx: KoaContextWithOIDC): Promise<string | undefined> {
  const proof = ctx.get('DPoP');
  const { jwk } = proof === '' ? {} : decodeProtectedHeader(proof);
  return jwk && calculateJwkThumbprint(jwk);
}

/**
 * Returns the grant of a request for a token, of which at least one requested scope is left: the role of the person, the app or its
 * installation may have lost them. `offline_access` alone permits nothing.
 *
 * @throws InvalidGrant without a grant. InvalidScope if no scope is left: the grant is still valid, and a refresh token works again
 *   once the person may do what they have consented to (RFC 6749, section 5.2).
 */
function requireScopeLeft(ctx: KoaContextWithOIDC, source: Source | undefined): LiveGrant {
  const grant = grantOf(ctx);
  if (!grant) throw new errors.InvalidGrant('grant not found');
  // Only a refresh has the parameter (RFC 6749, section 6).
  const asked = String(ctx.oidc.params?.['scope'] || (source?.scope ?? ''));
  const left = narrowed(asked, currentScopes(grant));
  if (left === '' || (left === OFFLINE && asked !== OFFLINE)) {
    throw new errors.InvalidScope('none of these scopes is available now', asked);
  }
  return grant;
}

const OFFLINE = 'offline_access';

function narrowed(scope: string | undefined, given: readonly string[]): string {
  const asked = scope?.split(' ') ?? [];
  return asked.filter((each) => given.includes(each)).join(' ');
}

/** Writes a JWT in the API's format: the scopes are a list, the subject is a member, and the times are from the server's clock. */
export function writeJwt(
  token: AccessToken | ClientCredentials,
  jwt: { payload: Record<string, unknown> },
  clock: Clock,
): undefined {
  const asked = token.scope?.split(' ') ?? [];
  const own = token.extra?.['sub'];
  const iat = Math.floor(clock().getTime() / 1000);
  jwt.payload = {
    ...jwt.payload,
    ...(own !== undefined && { sub: own }),
    scope: token.scope,
    scopes: SCOPES.filter((scope) => asked.includes(scope)),
    iat,
    exp: iat + LIMITS.accessTokenLifetime / 1000,
  };
}
