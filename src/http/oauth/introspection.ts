/** Introspection (RFC 7662) reports the rights with which the API currently accepts a token, not those with which it was issued. */
import type { Provider } from 'oidc-provider';
import { type Principal, scopesWithin } from '../../auth/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { use } from './middleware.ts';
import { tokenIn } from './structured-tokens.ts';

/** Returns the principal of an access token with its current rights. @throws ApiError `invalid_token`, `unavailable`. */
export type CurrentPrincipal = (token: string) => Promise<Principal>;

export function reportCurrentRights(provider: Provider, current: CurrentPrincipal): void {
  use(provider, async (ctx, next) => {
    await next();
    const { oidc } = ctx;
    if (oidc?.route !== 'introspection') return;
    const body: { readonly active?: unknown } = Object(ctx.body);
    const { AccessToken, ClientCredentials } = oidc.entities;
    if (body.active !== true || !(AccessToken ?? ClientCredentials)) return;
    const rights = await currentRights(tokenIn(ctx), current);
    ctx.body = rights ? { ...body, ...rights } : { active: false };
  });
}

/** Returns undefined for a token that the API no longer accepts. */
async function currentRights(token: string, current: CurrentPrincipal) {
  try {
    const { role, scopes, grant } = await current(token);
    const scope = [...(grant?.identity ?? []), ...scopesWithin(role, scopes)].join(' ');
    return { role, scope: scope || undefined };
  } catch (error) {
    const isEnded =
      error instanceof ApiError && (error.code === 'invalid_token' || error.code === 'token_expired');
    if (isEnded) return undefined;
    throw error;
  }
}
