/**
 * Introspection (RFC 7662) and revocation of access tokens. oidc-provider refuses structured tokens at these endpoints, since it does not store them.
 * Ours contain the id of their grant, so their signature is verified here, and the token represents that grant.
 */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type AccessToken, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isOpaque } from '../../auth/apps/opaque-tokens.ts';
import { type Principal, scopesWithin } from '../../auth/policy.ts';
import type { Tokens } from '../../auth/tokens.ts';
import { ApiError } from '../../core/errors.ts';
import type { ProviderParts } from './configuration.ts';
import type { Middleware } from './failures.ts';

const ROUTES: ReadonlySet<string> = new Set(['introspection', 'revocation']);

/** The verified token of each request, with the temporary name under which oidc-provider finds it. */
const tokensOf = new WeakMap<
  KoaContextWithOIDC,
  { readonly name: string; readonly text: string; readonly token: AccessToken }
>();

const tokenIn = (ctx: KoaContextWithOIDC): string =>
  tokensOf.get(ctx)?.text ?? String(ctx.oidc.params?.['token']);

export function readStructuredToken(provider: Provider, tokens: Tokens): void {
  const { Client, AccessToken } = provider;
  const findClient = Client.find.bind(Client);
  // Both endpoints call this before they read the token.
  Client.find = async (id) => {
    const client = await findClient(id);
    const ctx = Provider.ctx;
    if (ctx?.oidc && ROUTES.has(ctx.oidc.route)) await readToken(ctx, provider, tokens);
    return client;
  };
  const findToken = AccessToken.find.bind(AccessToken);
  const find = async (value: string, options?: { readonly ignoreExpiration?: boolean }) => {
    const read = Provider.ctx && tokensOf.get(Provider.ctx);
    return read?.name === value ? read.token : findToken(value, options);
  };
  // The method is generic over the class on which it is called, which is this one.
  AccessToken.find = find as typeof AccessToken.find;
}

async function readToken(ctx: KoaContextWithOIDC, provider: Provider, tokens: Tokens): Promise<void> {
  const { params } = ctx.oidc;
  const text = params?.['token'];
  if (typeof text !== 'string' || !text.includes('.') || !params) return;
  const name = randomUUID();
  params['token'] = name;
  try {
    tokensOf.set(ctx, { name, text, token: accessTokenOf(provider, text, await tokens.verify(text)) });
  } catch (error) {
    // An invalid token is not active, and cannot be revoked.
    if (!(error instanceof ApiError)) throw error;
  }
}

function accessTokenOf(provider: Provider, text: string, principal: Principal): AccessToken {
  const { grant, confirmation, userId, org, role, scopes, expiresAt } = principal;
  const { jti, scope, iat } = decodeJwt<{ scope?: string }>(text);
  return new provider.AccessToken({
    jti,
    // oidc-provider compares it with the system clock.
    exp: expiresAt,
    iat,
    accountId: String(userId),
    clientId: grant?.clientId,
    grantId: grant && String(grant.id),
    scope: scope ?? [...scopes].join(' '),
    extra: { org, role, gid: grant && String(grant.id) },
    ...(confirmation?.jkt !== undefined && { jkt: confirmation.jkt }),
    ...(confirmation?.x5t !== undefined && { 'x5t#S256': confirmation.x5t }),
    // The constructor's declared parameter is the finished token.
  } as unknown as ConstructorParameters<typeof provider.AccessToken>[0]);
}

/** Makes introspection report the rights with which the API currently accepts a token, not those with which it was issued. */
export function reportCurrentRights(parts: ProviderParts): Middleware {
  return async (ctx, next) => {
    await next();
    const { oidc } = ctx;
    if (oidc?.route !== 'introspection') return;
    const body: { readonly active?: unknown } = Object(ctx.body);
    const { AccessToken, ClientCredentials } = oidc.entities;
    if (body.active !== true || !(AccessToken ?? ClientCredentials)) return;
    const rights = await currentRights(tokenIn(ctx), parts);
    ctx.body = rights ? { ...body, ...rights } : { active: false };
  };
}

/** Returns undefined for a token that the API no longer accepts. */
async function currentRights(token: string, { tokens, opaqueTokens, presence, clock }: ProviderParts) {
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
