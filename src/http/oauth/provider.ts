/**
 * The authorization server (OAuth 2.0, OpenID Connect), implemented by oidc-provider. Its clients are apps, its grants record the
 * consent of people, and its access tokens are those of the API.
 */
import type { EventEmitter } from 'node:events';
import { decodeProtectedHeader } from 'jose';
import { errors, type Interaction, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Key } from '../../auth/jwk.ts';
import { SCOPES } from '../../auth/policy.ts';
import { hasHash } from '../../auth/random-secrets.ts';
import { certifiedUrlOf } from '../../core/public-url.ts';
import { secretsOfApp } from '../../db/queries/apps.ts';
import { reporter } from '../../observability/log.ts';
import { createPollingPace, type PollingPace } from '../../rate-limit/polling-pace.ts';
import type { HttpParts } from '../parts.ts';
import { successorOf } from './adapter.ts';
import { bindInteractions, tieSessions } from './browser-sessions.ts';
import { configurationOf, type ProviderParts } from './configuration.ts';
import { handleFailures, type Middleware, ProviderDatabase } from './failures.ts';
import { DEVICE_GRANT, IDENTITY_SCOPES } from './provider-payloads.ts';
import { refuseReplays, requireUnusedProof } from './records.ts';
import { readStructuredToken, reportCurrentRights } from './structured-tokens.ts';
import { noteSecret, requireUsable } from './token-claims.ts';

/** Returns a function that returns the provider for the current keys, created again when they change. */
export function createProviders({ services, verifiers, keys, config, logger, redis, serverUrls }: HttpParts) {
  const { publicUrl, tls } = config.http;
  const parts: ProviderParts = {
    ...services,
    ...verifiers,
    serverUrls,
    keys,
    database: new ProviderDatabase(services.database),
    certifiedUrl: certifiedUrlOf(publicUrl, tls.certifiedPort),
  };
  const onFailure = reporter(logger)('the authorization server failed');
  const pace = createPollingPace(redis);
  let made: { readonly kids: string; readonly provider: Provider } | undefined;
  const current = async (): Promise<Provider> => {
    const ring = await keys.live();
    const kids = ring.map(({ kid }) => kid).join();
    if (made?.kids !== kids) {
      made = { kids, provider: createProvider(parts, ring, pace, onFailure) };
      acceptNewerKeys(made.provider, ring, async () => {
        await keys.refresh();
        return current();
      });
    }
    return made.provider;
  };
  return current;
}

/**
 * Accepts ID tokens as hints that another instance has signed with a key which this instance has not read yet.
 *
 * @param renewed reads the keys again, and returns the provider for them.
 */
function acceptNewerKeys(provider: Provider, ring: readonly Key[], renewed: () => Promise<Provider>): void {
  const { IdToken } = provider;
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (token, client) => {
    const { kid } = decodeProtectedHeader(token);
    const other = ring.some((key) => key.kid === kid) ? provider : await renewed();
    return other === provider ? validate(token, client) : other.IdToken.validate(token, client);
  };
}

/** An error outside of the middleware. */
type KoaError = Error & {
  /** Whether the response has begun, or its client has disconnected. */
  readonly headerSent?: boolean;
};

function createProvider(
  parts: ProviderParts,
  ring: readonly Key[],
  pace: PollingPace,
  onFailure: (error: unknown) => void,
): Provider {
  const provider = new Provider(parts.publicUrl, configurationOf(parts, ring));
  // oidc-provider adds its own members to the contexts, which the types of its `use` lack.
  const use = (middleware: Middleware) =>
    provider.use((ctx, next) => middleware(ctx as unknown as KoaContextWithOIDC, next));
  // Each is inside of those before.
  use(handleFailures(onFailure));
  use(keepCors);
  sendSecureCookies(provider);
  tieSessions(provider, parts);
  bindInteractions(provider);
  adaptPrompts(provider);
  requireRedirectUri(provider);
  compareSecrets(provider, parts);
  refuseReplays(provider, parts);
  keepRefused(provider, parts);
  succeedRefreshTokens(provider, parts);
  readStructuredToken(provider, parts.tokens);
  use(reportCurrentRights(parts));
  use(correctMetadata);
  use(nameDisallowedGrants);
  use(startDeviceAgain);
  use(slowDown(pace));
  // Trusts the forwarded headers, which the route sets to the client's address and to the public URL.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => onFailure(error));
  // Without a listener, Koa writes errors with their stacks to standard error, also those of clients that reset their connection.
  // oidc-provider is an application of Koa, whose events its types lack.
  const application: EventEmitter = provider;
  application.on('error', (error: KoaError) => {
    if (!error.headerSent) onFailure(error);
  });
  return provider;
}

/**
 * Keeps the headers that the hook for CORS has set: oidc-provider would let every page read the response. Its metadata have no secrets, and apps in pages of any origin read them.
 */
const keepCors: Middleware = async (ctx, next) => {
  const { res } = ctx;
  const own = CORS_HEADERS.map((name) => [name, res.getHeader(name)] as const);
  try {
    await next();
  } finally {
    if (ctx.oidc?.route !== 'discovery') {
      for (const [name, value] of own) {
        if (value === undefined) res.removeHeader(name);
        else res.setHeader(name, value);
      }
    }
  }
};

const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'];

/**
 * Lists the API's scopes in the metadata, which belong to its resource, so that oidc-provider does not, and only claims that occur: an ID
 * token has the session (`sid`) only for clients that are notified of its end.
 */
const correctMetadata: Middleware = async (ctx, next) => {
  await next();
  if (ctx.oidc?.route !== 'discovery') return;
  const metadata: { readonly claims_supported: readonly string[] } = Object(ctx.body);
  ctx.body = {
    ...metadata,
    claims_supported: metadata.claims_supported.filter((claim) => claim !== 'sid'),
    scopes_supported: [...IDENTITY_SCOPES, ...SCOPES],
  };
};

/** Responds with the error of RFC 6749 (section 5.2) to an app that may not use a grant type, and not with `invalid_request`. */
const nameDisallowedGrants: Middleware = async (ctx, next) => {
  await next();
  const { client, params, route } = ctx.oidc ?? {};
  const wanted =
    route === 'device_authorization' ? DEVICE_GRANT : route === 'token' && params?.['grant_type'];
  if (!client || typeof wanted !== 'string' || client.grantTypeAllowed(wanted)) return;
  const body: { readonly error?: unknown } = Object(ctx.body);
  if (body.error === 'invalid_request') ctx.body = { ...body, error: 'unauthorized_client' };
};

/** Slows down a device that polls too fast. Only codes that wait for a person are counted, so others take no memory. */
const slowDown =
  (pace: PollingPace): Middleware =>
  async (ctx, next) => {
    await next();
    const code = ctx.oidc?.params?.['device_code'];
    const body: { readonly error?: unknown } = Object(ctx.body);
    if (typeof code !== 'string' || body.error !== 'authorization_pending') return;
    if (!(await pace.isTooFast(code))) return;
    const { error, error_description } = new errors.SlowDown();
    ctx.body = { error, error_description };
  };

/**
 * Ends sign-ins and consents that could not begin now, since their app or its redirect URI was removed: oidc-provider does not check them
 * again, neither on a page nor when it sends the response.
 */
function requireRedirectUri({ Interaction, Client }: Provider): void {
  const { find } = Interaction;
  const findPossible = async (id: string): Promise<Interaction | undefined> => {
    // Cast because the type of `call` loses the class that `find` is called on.
    const interaction = (await find.call(Interaction, id)) as Interaction | undefined;
    if (!interaction) return undefined;
    const { client_id: clientId, redirect_uri: uri } = interaction.params;
    const client = await Client.find(String(clientId));
    // A device has no redirect URI.
    return client && (typeof uri !== 'string' || client.redirectUriAllowed(uri)) ? interaction : undefined;
  };
  Object.defineProperty(Interaction, 'find', { value: findPossible });
}

/** The routes on which oidc-provider writes its form for a device's code into a session that may be new. */
const OF_DEVICES: readonly (string | undefined)[] = ['device_resume', 'code_verification'];

/**
 * Shows the form for a device's code again if a browser without a session sends it, or returns to a sign-in that no longer exists.
 * oidc-provider writes its form for an unsaved session there, and throws when it saves the changed session.
 */
const startDeviceAgain: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const { oidc } = ctx;
    const wasSaved = oidc.session?.exp !== undefined;
    if (!(error instanceof TypeError) || !OF_DEVICES.includes(oidc.route) || wasSaved) throw error;
    ctx.redirect(oidc.urlFor('code_verification'));
  }
};

/**
 * Adds the prompt `consent` to authorization requests for `offline_access`, however they are sent. OpenID Connect requires consent for it
 * each time (Core, section 11); without the prompt, oidc-provider would drop the scope, and the client would get no refresh token. An account
 * is selected (Core, section 3.1.2.1) by signing in, since a browser has one sign-in.
 */
function adaptPrompts({ OIDCContext }: Provider): void {
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: KoaContextWithOIDC['oidc']) {
      const { scope, prompt, response_type: responseType } = this.params ?? {};
      const prompts = new Set(textsIn(prompt).map((each) => (each === 'select_account' ? 'login' : each)));
      // The requests of devices have no prompts.
      const isOffline = responseType !== undefined && textsIn(scope).includes('offline_access');
      return isOffline && !prompts.has('none') ? prompts.add('consent') : prompts;
    },
  });
}

const textsIn = (list: unknown): readonly string[] => (typeof list === 'string' ? list.split(' ') : []);

/** Allows secure cookies: clients use HTTPS, or localhost, where browsers accept secure cookies too. */
function sendSecureCookies(provider: Provider): void {
  const createContext = provider.createContext.bind(provider);
  provider.createContext = (request, response) => {
    const context = createContext(request, response);
    context.cookies.secure = true;
    return context;
  };
}

/**
 * Keeps what a request that is refused would use up: a client that corrects its request would otherwise use it a second time, which ends
 * the grant.
 */
function keepRefused({ AuthorizationCode, DeviceCode, RefreshToken }: Provider, parts: ProviderParts): void {
  for (const { prototype } of [AuthorizationCode, DeviceCode, RefreshToken]) {
    const { consume } = prototype;
    prototype.consume = async function consumeUsable() {
      const { ctx } = Provider;
      if (ctx) {
        await requireUsable(ctx, this);
        // With a refresh token, oidc-provider has already used the proof.
        if (this.kind !== 'RefreshToken') await requireUnusedProof(ctx, parts);
      }
      return consume.call(this);
    };
  }
}

/** Makes a used refresh token or device code have one successor, also when the client sends it again. */
function succeedRefreshTokens(provider: Provider, { keys }: ProviderParts): void {
  // The types of oidc-provider lack the method that generates a token.
  const model = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const generate = model.generateTokenId;
  model.generateTokenId = function next() {
    const { ctx } = Provider;
    const { RotatedRefreshToken, DeviceCode } = ctx?.oidc.entities ?? {};
    const used = RotatedRefreshToken ?? DeviceCode;
    return (ctx && used && successorOf(ctx, used.jti, keys)) ?? generate.call(this);
  };
}

/** Compares client secrets with the hashes in the database. An app may have two secrets. */
function compareSecrets(provider: Provider, { database }: ProviderParts): void {
  provider.Client.prototype.compareClientSecret = async function compare(actual: string) {
    for (const { id, secretHash } of await secretsOfApp(database, { appId: Number(this['app_id']) })) {
      if (!hasHash(actual, secretHash)) continue;
      if (Provider.ctx) noteSecret(Provider.ctx, id);
      return true;
    }
    return false;
  };
}
