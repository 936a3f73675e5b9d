import { decodeJwt } from 'jose';
import {
  type AccessToken,
  type Client,
  type ClientCredentials,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type RefreshToken,
} from 'oidc-provider';
import { ASSERTION_ALGORITHMS } from '../../auth/apps/metadata.ts';
import { isFor, PROOF_ALGORITHMS } from '../../auth/confirmation.ts';
import type { Key } from '../../auth/jwk.ts';
import type { Keys } from '../../auth/keys.ts';
import { SCOPES } from '../../auth/policy.ts';
import { LIMITS, SECOND } from '../../core/limits.ts';
import { basePathOf, type ServerUrls } from '../../core/public-url.ts';
import { findConsentTo } from '../../db/queries/grants.ts';
import { findPerson } from '../../db/queries/users.ts';
import type { Services } from '../../pipeline/context.ts';
import type { Verifiers } from '../parts.ts';
import { resourcesAt } from '../resources.ts';
import { certificateOf, namesIn } from '../tls/presented.ts';
import { OAuthAdapter } from './adapter.ts';
import { requireBoundedAssertion } from './assertions.ts';
import { hasEnded } from './browser-sessions.ts';
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceDonePage,
  errorPage,
  signedOutPage,
  signOutPage,
} from './pages.ts';
import { INTERACTION_PATH, PATHS } from './paths.ts';
import { IDENTITY_SCOPES } from './provider-payloads.ts';
import { tokenClaims, writeJwt } from './token-claims.ts';

/** `publicUrl` is the issuer, and the audience of its tokens. */
export interface ProviderParts extends Services, Verifiers {
  readonly keys: Keys;
  /** The URL at the port for client certificates; undefined without one. */
  readonly certifiedUrl?: string | undefined;
  readonly serverUrls: ServerUrls;
}

/** Endpoints at which clients authenticate. */
const ALIASED = [
  'token',
  'pushed_authorization_request',
  'revocation',
  'introspection',
  'device_authorization',
  'userinfo',
] as const;

/** How confidential apps authenticate. Only these may introspect tokens. */
const AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
] as const;

/** A limit in seconds, the unit of all lifetimes of oidc-provider. */
const seconds = (limit: `${string}Lifetime` & keyof typeof LIMITS): number => LIMITS[limit] / SECOND;

/** Seconds for which each kind of record is valid. */
const LIFETIMES: Configuration['ttl'] = {
  AccessToken: seconds('accessTokenLifetime'),
  ClientCredentials: seconds('accessTokenLifetime'),
  IdToken: seconds('accessTokenLifetime'),
  AuthorizationCode: seconds('authorizationCodeLifetime'),
  DeviceCode: seconds('deviceCodeLifetime'),
  Interaction: seconds('interactionLifetime'),
  RefreshToken: seconds('appRefreshTokenLifetime'),
  Grant: seconds('appRefreshTokenLifetime'),
  // A browser without a sign-in only needs its session for this sign-in.
  Session: (_ctx, { accountId }) =>
    accountId === undefined ? seconds('interactionLifetime') : seconds('browserSessionLifetime'),
};

/**
 * Returns the configuration of oidc-provider, without members whose default is the same: pushed requests, DPoP, cookies that scripts and
 * requests of other sites do not get, and refresh tokens only for `offline_access`.
 *
 * @param ring the first signs tokens. The others verify ID tokens that clients send back as hints.
 */
export function configurationOf(parts: ProviderParts, ring: readonly Key[]): Configuration {
  const { database, clock, publicUrl, certifiedUrl } = parts;
  return {
    adapter: (model: string) => new OAuthAdapter(model, parts),
    jwks: { keys: ring.map(({ privateJwk }) => ({ ...privateJwk })) },
    routes: PATHS,
    scopes: [...IDENTITY_SCOPES],
    claims: { openid: ['sub', 'org'], profile: ['name'], email: ['email'] },
    responseTypes: ['code'],
    clientAuthMethods: [...AUTH_METHODS, 'none'],
    enabledJWA: {
      idTokenSigningAlgValues: ['EdDSA'],
      clientAuthSigningAlgValues: [...ASSERTION_ALGORITHMS],
      dPoPSigningAlgValues: [...PROOF_ALGORITHMS],
    },
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) => requireBoundedAssertion(claims, clock()),
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    extraClientMetadata: { properties: ['app_id', 'app_org', 'app_scopes', 'app_homepage', 'token_format'] },
    extraParams: { scope: requireScope },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    ttl: { ...LIFETIMES },
    cookies: {
      names: { session: '__Host-portico', interaction: 'portico_interaction', resume: 'portico_resume' },
      long: { secure: true, path: '/' },
      short: { secure: true },
    },
    discovery: {
      userinfo_endpoint: publicUrl + PATHS.userinfo,
      // Left out, they would mean other methods than at the token endpoint (RFC 8414, section 2).
      revocation_endpoint_auth_methods_supported: [...AUTH_METHODS, 'none'],
      revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      introspection_endpoint_auth_methods_supported: AUTH_METHODS,
      introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      // The endpoints that request a client certificate (RFC 8705, section 5).
      ...(certifiedUrl !== undefined && {
        mtls_endpoint_aliases: Object.fromEntries(
          ALIASED.map((name) => [`${name}_endpoint`, certifiedUrl + PATHS[name]]),
        ),
      }),
    },
    interactions: {
      url: (_ctx, { uid }) => `${basePathOf(publicUrl)}${INTERACTION_PATH}/${uid}`,
      policy: policy(parts),
    },
    findAccount: async (_ctx, sub) => {
      const person = await findPerson(database, Number(sub));
      return (
        person && {
          accountId: sub,
          claims: () => ({ sub, name: person.name, email: person.email, org: person.org }),
        }
      );
    },
    loadExistingGrant: (ctx) => existingGrant(ctx, parts),
    extraTokenClaims: (ctx, token) => tokenClaims(ctx, token, parts),
    formats: {
      customizers: { jwt: (_ctx, token, jwt) => writeJwt(token, jwt, clock) },
    },
    features: featuresOf(parts),
    renderError: errorPage,
  };
}

function featuresOf({ publicUrl, serverUrls }: ProviderParts): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    userinfo: { enabled: false },
    revocation: { enabled: true, allowedPolicy: mayRevoke },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) =>
        client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
    },
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
        if (certificate === undefined) return false;
        // The case of a DNS name has no meaning (RFC 5280, section 7.2).
        const comparable = (name: string) => (kind === 'DNS' ? name.toLowerCase() : name);
        return namesIn(certificate, kind).map(comparable).includes(comparable(expected));
      },
    },
    dPoP: {
      // oidc-provider calls this immediately before it compares the URL in a proof, after it has authenticated the client.
      requireNonce: (ctx) => {
        acceptAliases(ctx, serverUrls);
        return false;
      },
    },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: deviceCodePage,
      userCodeConfirmSource: deviceConfirmPage,
      successSource: deviceDonePage,
    },
    rpInitiatedLogout: { logoutSource: signOutPage, postLogoutSuccessSource: signedOutPage },
    resourceIndicators: {
      // If several are granted, the token is for any of them: they are one API.
      defaultResource: (_ctx, _client, [granted = publicUrl] = []) => granted,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource, client) => {
        if (!resourcesAt(publicUrl).includes(resource)) throw new errors.InvalidTarget();
        return {
          audience: publicUrl,
          scope: [...IDENTITY_SCOPES, ...SCOPES].join(' '),
          accessTokenFormat: client['token_format'] === 'opaque' ? 'opaque' : 'jwt',
          jwt: { sign: { alg: 'EdDSA' } },
        };
      },
    },
  };
}

/**
 * Lets the proof of possession of the current request name any URL by which its client may use the server. Everything else continues to
 * have the public URL.
 */
function acceptAliases(ctx: KoaContextWithOIDC, serverUrls: ServerUrls): void {
  const { oidc, req } = ctx;
  const [publicUrl = '', ...others] = serverUrls(req.socket);
  if (others.length === 0) return;
  const urlFor = oidc.urlFor.bind(oidc);
  oidc.urlFor = (name, options) => {
    const url = urlFor(name, options);
    if (name !== oidc.route) return url;
    const { htu } = decodeJwt(ctx.get('DPoP'));
    const aliases = others.map((other) => other + url.slice(publicUrl.length));
    return aliases.find((alias) => isFor(htu, alias)) ?? url;
  };
}

/** Adds checks that require a new sign-in if the account of the session no longer exists, or the sign-in has ended. */
function policy(parts: ProviderParts) {
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
    new interactionPolicy.Check('signed_out', 'the session has ended', 'login_required', (ctx) =>
      hasEnded(ctx, parts),
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
