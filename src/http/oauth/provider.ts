/**
 * The authorization server (OAuth 2.0, OpenID Connect), implemented by oidc-provider and configured here. Its clients are apps,
 * its grants record the consent of people, and its access tokens are those of the API.
 */
import { createHmac } from 'node:crypto';
import {
  type AccessToken,
  type Client,
  type ClientCredentials,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
  type RefreshToken,
} from 'oidc-provider';
import { isAppSecret } from '../../auth/apps/secrets.ts';
import type { Keys } from '../../auth/keys.ts';
import { SCOPES } from '../../auth/policy.ts';
import { hashRefreshToken } from '../../auth/refresh-tokens.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Vault } from '../../core/vault.ts';
import type { Database } from '../../db/database.ts';
import { secretsOfApp } from '../../db/queries/apps.ts';
import { findConsentTo } from '../../db/queries/grants.ts';
import { findPerson } from '../../db/queries/users.ts';
import { resourcesAt } from '../resources.ts';
import { certificateOf, namesIn } from '../tls/presented.ts';
import { OAuthAdapter } from './adapter.ts';
import { hasOldPassword, keepStamps, passwordStamp, STAMP } from './browser-sessions.ts';
import { IDENTITY_SCOPES } from './client.ts';
import { handleFailures, ProviderDatabase } from './failures.ts';
import { type CurrentPrincipal, reportCurrentRights } from './introspection.ts';
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceDonePage,
  errorPage,
  signedOutPage,
  signOutPage,
} from './pages.ts';
import { readStructuredToken } from './structured-tokens.ts';
import { noteSecret, tokenClaims, writeJwt } from './token-claims.ts';

export interface ProviderParts {
  readonly database: Database;
  readonly vault: Vault;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly current: CurrentPrincipal;
  readonly clock: Clock;
  /** The issuer, and the audience of its tokens. */
  readonly publicUrl: string;
  /** The URL at the port for client certificates; undefined without one. */
  readonly certifiedUrl?: string | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** The paths of the endpoints. The keys are served by a separate route. */
export const PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  pushed_authorization_request: '/oauth/par',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  device_authorization: '/oauth/device',
  code_verification: '/device',
  userinfo: '/oauth/userinfo',
  end_session: '/oauth/logout',
  jwks: '/.well-known/jwks.json',
} as const;

/** Endpoints at which clients authenticate. */
const ALIASED = [
  'token',
  'pushed_authorization_request',
  'revocation',
  'introspection',
  'device_authorization',
  'userinfo',
] as const;

/** The path at which people sign in and consent. */
export const INTERACTION_PATH = '/oauth/interaction';

const SUCCESSOR_PURPOSE = 'portico app refresh token successor 1';

/** Returns a function that returns the provider for the current signing key, created again after a rotation. */
export function createProviders(parts: ProviderParts): () => Provider {
  let made: { readonly generation: number; readonly provider: Provider } | undefined;
  return () => {
    const { generation } = parts.keys;
    if (made?.generation !== generation) made = { generation, provider: createProvider(parts) };
    return made.provider;
  };
}

function createProvider(given: ProviderParts): Provider {
  const parts = { ...given, database: new ProviderDatabase(given.database) };
  const provider = new Provider(parts.publicUrl, configurationOf(parts));
  // The first middleware, around all others.
  provider.use(handleFailures(parts.onFailure));
  sendSecureCookies(provider);
  keepStamps(provider);
  compareSecrets(provider, parts);
  succeedRefreshTokens(provider, parts);
  readStructuredToken(provider, parts.tokens);
  reportCurrentRights(provider, parts.current);
  // The API's scopes belong to its resource, so oidc-provider does not list them in the metadata.
  provider.use(async (ctx, next) => {
    await next();
    if ((ctx as unknown as KoaContextWithOIDC).oidc?.route === 'discovery') {
      ctx.body = { ...Object(ctx.body), scopes_supported: [...IDENTITY_SCOPES, ...SCOPES] };
    }
  });
  provider.use(startDeviceAgain);
  // Trusts the forwarded headers, which the route sets to the client's address and to the public URL.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => parts.onFailure(error));
  return provider;
}

/**
 * Shows the form for a device's code again if a browser without a session returns to a sign-in that no longer exists.
 * oidc-provider writes its form for an unsaved session there, and throws when it saves the changed session.
 */
async function startDeviceAgain(
  ctx: Parameters<Parameters<Provider['use']>[0]>[0],
  next: () => Promise<unknown>,
) {
  try {
    await next();
  } catch (error) {
    const { oidc } = ctx as unknown as KoaContextWithOIDC;
    const wasSaved = oidc.session?.exp !== undefined;
    if (!(error instanceof TypeError) || oidc.route !== 'device_resume' || wasSaved) throw error;
    ctx.redirect(oidc.urlFor('code_verification'));
  }
}

/** Allows secure cookies: clients use HTTPS, or localhost, where browsers accept secure cookies too. */
function sendSecureCookies(provider: Provider): void {
  const createContext = provider.createContext.bind(provider);
  provider.createContext = (request, response) => {
    const context = createContext(request, response);
    context.cookies.secure = true;
    return context;
  };
}

/** Compares client secrets with the hashes in the database. An app may have two secrets. */
function compareSecrets(provider: Provider, { database }: ProviderParts): void {
  provider.Client.prototype.compareClientSecret = async function compare(actual: string) {
    for (const { id, secretHash } of await secretsOfApp(database, Number(this['app_id']))) {
      if (!isAppSecret(actual, secretHash)) continue;
      if (Provider.ctx) noteSecret(Provider.ctx, id);
      return true;
    }
    return false;
  };
}

/** Derives each refresh token from the previous one, so that a client whose response was lost gets the same token again. */
function succeedRefreshTokens(provider: Provider, parts: ProviderParts): void {
  // The types of oidc-provider lack the method that generates a token.
  const model = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const generate = model.generateTokenId;
  model.generateTokenId = function next() {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated ? successorOf(rotated.jti, parts.keys) : generate.call(this);
  };
}

function successorOf(refreshToken: string, keys: Keys): string {
  const [secret] = keys.secrets(SUCCESSOR_PURPOSE);
  return createHmac('sha256', secret).update(hashRefreshToken(refreshToken)).digest('base64url');
}

function configurationOf(parts: ProviderParts): Configuration {
  const { database, keys, clock, vault, publicUrl, certifiedUrl } = parts;
  const adapterParts = {
    database,
    vault,
    clock,
    publicUrl,
    successorOf: (token: string) => successorOf(token, keys),
  };
  return {
    adapter: (model: string) => new OAuthAdapter(model, adapterParts),
    jwks: { keys: [{ ...keys.signingJwk() }] },
    routes: PATHS,
    scopes: [...IDENTITY_SCOPES],
    claims: { openid: ['sub', 'org'], profile: ['name'], email: ['email'] },
    responseTypes: ['code'],
    clientAuthMethods: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'tls_client_auth',
      'none',
    ],
    enabledJWA: {
      idTokenSigningAlgValues: ['EdDSA'],
      clientAuthSigningAlgValues: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'],
      dPoPSigningAlgValues: ['ES256', 'EdDSA', 'Ed25519'],
    },
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    extraClientMetadata: { properties: ['app_id', 'app_org', 'app_scopes', 'app_homepage', 'token_format'] },
    extraParams: { scope: requireScope },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    expiresWithSession: () => false,
    rotateRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    ttl: {
      AccessToken: LIMITS.accessTokenLifetime / 1000,
      ClientCredentials: LIMITS.accessTokenLifetime / 1000,
      IdToken: LIMITS.accessTokenLifetime / 1000,
      AuthorizationCode: LIMITS.authorizationCodeLifetime,
      DeviceCode: LIMITS.deviceCodeLifetime,
      Interaction: LIMITS.interactionLifetime,
      RefreshToken: LIMITS.appRefreshTokenLifetime,
      Grant: LIMITS.appRefreshTokenLifetime,
      Session: LIMITS.browserSessionLifetime,
    },
    cookies: {
      names: { session: '__Host-portico', interaction: 'portico_interaction', resume: 'portico_resume' },
      long: { httpOnly: true, sameSite: 'lax', secure: true, path: '/' },
      short: { httpOnly: true, sameSite: 'lax', secure: true },
    },
    discovery: {
      userinfo_endpoint: publicUrl + PATHS.userinfo,
      // The endpoints that request a client certificate (RFC 8705, section 5).
      ...(certifiedUrl !== undefined && {
        mtls_endpoint_aliases: Object.fromEntries(
          ALIASED.map((name) => [`${name}_endpoint`, certifiedUrl + PATHS[name]]),
        ),
      }),
    },
    interactions: {
      url: (_ctx, { uid }) => `${new URL(publicUrl).pathname.replace(/\/$/, '')}${INTERACTION_PATH}/${uid}`,
      policy: policy(),
    },
    findAccount: async (_ctx, sub) => {
      const person = await findPerson(database, Number(sub));
      return (
        person && {
          accountId: sub,
          [STAMP]: passwordStamp(person),
          claims: () => ({ sub, name: person.name, email: person.email, org: person.org }),
        }
      );
    },
    loadExistingGrant: (ctx) => existingGrant(ctx, parts),
    extraTokenClaims: (ctx, token) => tokenClaims(ctx, token, parts),
    formats: {
      customizers: { jwt: (_ctx, token, jwt) => writeJwt(token, jwt, clock) },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: mayRevoke },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: true },
      mTLS: {
        enabled: true,
        tlsClientAuth: true,
        certificateBoundAccessTokens: true,
        getCertificate: (ctx) => certificateOf(ctx.req),
        // Only verified certificates get here.
        certificateAuthorized: () => true,
        certificateSubjectMatches: (ctx, property, expected) => {
          const certificate = certificateOf(ctx.req);
          const kind = property === 'tls_client_auth_san_uri' ? 'URI' : 'DNS';
          return certificate !== undefined && namesIn(certificate, kind).includes(expected);
        },
      },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        userCodeInputSource: (ctx, form, out, error) => deviceCodePage(ctx, form, out, error),
        userCodeConfirmSource: (ctx, form, client, _info, code) => deviceConfirmPage(ctx, form, client, code),
        successSource: (ctx) => deviceDonePage(ctx),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => signOutPage(ctx, form),
        postLogoutSuccessSource: (ctx) => signedOutPage(ctx),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => publicUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource, client) => {
          if (!resourcesAt(publicUrl).includes(resource)) throw new errors.InvalidTarget();
          return {
            audience: publicUrl,
            scope: [...IDENTITY_SCOPES, ...SCOPES].join(' '),
            accessTokenFormat: client['token_format'] === 'opaque' ? 'opaque' : 'jwt',
            accessTokenTTL: LIMITS.accessTokenLifetime / 1000,
            jwt: { sign: { alg: 'EdDSA' } },
          };
        },
      },
    },
    renderError: (ctx, out) => errorPage(ctx, out),
  };
}

/** Adds checks that require a new sign-in if the account of the session no longer exists, or its password has changed. */
function policy() {
  const prompts = interactionPolicy.base();
  const login = prompts.get('login');
  login?.checks.add(
    new interactionPolicy.Check(
      'account_gone',
      'the account of the session no longer exists',
      'login_required',
      (ctx) => ctx.oidc.session?.accountId !== undefined && ctx.oidc.account === undefined,
    ),
  );
  login?.checks.add(
    new interactionPolicy.Check(
      'password_changed',
      'the password was changed after the sign-in',
      'login_required',
      hasOldPassword,
    ),
  );
  return prompts;
}

/** Returns the existing grant of the person to the app. A grant from the current consent takes precedence. */
async function existingGrant(ctx: KoaContextWithOIDC, { database }: ProviderParts) {
  const { client, session, result, provider } = ctx.oidc;
  const grantId = result?.consent?.grantId;
  if (grantId !== undefined) return provider.Grant.find(grantId);
  const person = session?.accountId && (await findPerson(database, Number(session.accountId)));
  if (!person || !client) return undefined;
  const named = { org: person.org, userId: person.id, appId: Number(client['app_id']) };
  const grant = await findConsentTo(database, named);
  return grant && provider.Grant.find(String(grant.id));
}

/**
 * Checks the scopes of an authorization request, before a person is asked: pushed, by a device or by a redirect. Scopes that do not
 * exist or that the app may not request are ignored beside others (OpenID Connect Core, section 3.1.2.1).
 *
 * @throws InvalidScope if none is left, or none was requested (RFC 6749, section 4.1.2.1).
 */
function requireScope(_ctx: KoaContextWithOIDC, scope: string | undefined, client: Client): void {
  const { app_scopes: appScopes } = client;
  const requestable: unknown[] = [...IDENTITY_SCOPES, ...(Array.isArray(appScopes) ? appScopes : [])];
  if (scope?.split(' ').some((each) => requestable.includes(each))) return;
  throw new errors.InvalidScope(
    scope ? 'the app may request none of these scopes' : 'scope is missing',
    scope ?? '',
  );
}

/**
 * Whether a client may revoke a token: only its own (RFC 7009, section 2.1). A public client, which anyone can claim to be, gets the same
 * response for tokens of others as for unknown ones.
 *
 * @throws InvalidRequest for another client that has authenticated.
 */
function mayRevoke(
  _ctx: KoaContextWithOIDC,
  client: Client,
  token: AccessToken | ClientCredentials | RefreshToken,
): boolean {
  if (token.clientId === client.clientId) return true;
  if (client.clientAuthMethod === 'none') return false;
  throw new errors.InvalidRequest('the token was issued to another client');
}
