/** Introspection (RFC 7662) reports the rights with which the API currently accepts a token, not those with which it was issued. */
import type { Provider } from 'oidc-provider';
import { isOpaque, type OpaqueTokens } from '../../auth/apps/opaque-tokens.ts';
import { scopesWithin } from '../../auth/policy.ts';
import type { Presence } from '../../auth/presence.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { Clock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { use } from './middleware.ts';
import { tokenIn } from './structured-tokens.ts';

export interface IntrospectionParts {
  readonly tokens: Tokens;
  readonly opaqueTokens: OpaqueTokens;
  readonly presence: Presence;
  readonly clock: Clock;
}

export function reportCurrentRights(provider: Provider, parts: IntrospectionParts): void {
  use(provider, async (ctx, next) => {
    await next();
    const { oidc } = ctx;
    if (oidc?.route !== 'introspection') return;
    const body: { readonly active?: unknown } = Object(ctx.body);
    const { AccessToken, ClientCredentials } = oidc.entities;
    if (body.active !== true || !(AccessToken ?? ClientCredentials)) return;
    const rights = await currentRights(tokenIn(ctx), parts);
    ctx.body = rights ? { ...body, ...rights } : { active: false };
  });
}

/** Returns undefined for a token that the API no longer accepts. */
async function currentRights(token: string, { tokens, opaqueTokens, presence, clock }: IntrospectionParts) {
  try {
    const verified = isOpaque(token) ? opaqueTokens.verify(token, clock()) : tokens.verify(token);
    const { role, scopes, grant } = await presence.now(await verified);
    const scope = [...(grant?.identity ?? []), ...scopesWithin(role, scopes)].join(' ');
    return { role, scope: scope || undefined };
  } catch (error) {
    const isEnded =
      error instanceof ApiError && (error.code === 'invalid_token' || error.code === 'token_expired');
    if (isEnded) return undefined;
    throw error;
  }
}
