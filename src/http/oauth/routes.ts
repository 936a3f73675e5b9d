/** Routes of the authorization server. oidc-provider serves most of them directly: it reads bodies and writes responses itself. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import type { Provider } from 'oidc-provider';
import { PROOF_ALGORITHMS } from '../../auth/confirmation.ts';
import { SCOPES, type Scope } from '../../auth/policy.ts';
import type { Clock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { basePathOf } from '../../core/public-url.ts';
import type { Database } from '../../db/database.ts';
import { findPerson } from '../../db/queries/users.ts';
import { flowOf } from '../../pipeline/flow.ts';
import type { Budget } from '../../rate-limit/budget.ts';
import type { Tool } from '../../rest/index.ts';
import type { Authenticate } from '../hooks/authentication.ts';
import { READABLE_BY_ALL } from '../hooks/cors.ts';
import { MCP_PATH, metadataPaths, type RESOURCE_PATHS, scopesOfTools } from '../resources.ts';
import { otherMethods } from '../routes/methods.ts';
import { sendFailure } from './failures.ts';
import { CODE_IN_URL } from './pages.ts';
import { PATHS } from './paths.ts';

export interface OAuthRouteParts {
  readonly provider: () => Provider;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Paths to which browsers post forms. Pages of other sites must not. */
const FORMS = [PATHS.code_verification, `${PATHS.end_session}/confirm`];

/** The path of the metadata (RFC 8414). */
const METADATA = '/.well-known/oauth-authorization-server';

/** Writes a path as Fastify's router reads it: a colon would begin a parameter. */
const routePathOf = (path: string): string => path.replaceAll(':', '::');

/** The methods that oidc-provider serves, by path. */
export const PROVIDED: Readonly<Record<string, readonly ('GET' | 'POST')[]>> = {
  [PATHS.authorization]: ['GET'],
  [`${PATHS.authorization}/:uid`]: ['GET'],
  [PATHS.token]: ['POST'],
  [PATHS.pushed_authorization_request]: ['POST'],
  [PATHS.revocation]: ['POST'],
  [PATHS.introspection]: ['POST'],
  [PATHS.device_authorization]: ['POST'],
  [PATHS.code_verification]: ['GET', 'POST'],
  [`${PATHS.code_verification}/:uid`]: ['GET'],
  [PATHS.end_session]: ['GET'],
  [`${PATHS.end_session}/confirm`]: ['POST'],
  [`${PATHS.end_session}/success`]: ['GET'],
  '/.well-known/openid-configuration': ['GET'],
  [METADATA]: ['GET'],
};

/** Leaves the bodies of these routes to oidc-provider. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

const FORM = 'application/x-www-form-urlencoded';

/** Parses the bodies of routes as forms. @param others what happens to bodies of other types. */
export function readForms(scope: FastifyInstance, others: 'ignored' | 'refused'): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: LIMITS.formBytes },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  );
  const message = `Send the body as ${FORM}.`;
  // An ignored body is read as well, so that its length is limited.
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) =>
    done(others === 'refused' ? new ApiError('unsupported_media_type', { message }) : null),
  );
}

/** Returns the routes that oidc-provider serves. */
export function providedRoutes(parts: OAuthRouteParts): RouteOptions[] {
  const base = basePathOf(parts.publicUrl);
  const provided = Object.entries(PROVIDED);
  // Clients insert the path before that of the public URL (RFC 8414, section 3.1), where a proxy passes it on unchanged.
  if (base !== '') provided.push([routePathOf(METADATA + base), ['GET']]);
  return provided.flatMap(([url, methods]) => [
    ...methods.map((method) => ({
      // Fastify's own HEAD route would act on Fastify's response; oidc-provider handles HEAD itself.
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      exposeHeadRoute: false,
      ...(method === 'POST' && FORMS.includes(url) && { onRequest: refuseForeignForms(parts.publicUrl) }),
      handler: provide(parts),
      errorHandler: sendFailure(parts.publicUrl),
    })),
    otherMethods(url, methods),
  ]);
}

/**
 * oidc-provider adds the hash of its script to a policy that has `script-src`: the script sends the form of `response_mode=form_post`
 * and of a sign-out without a session.
 */
const POLICY = "default-src 'none'; script-src; frame-ancestors 'none'";

function provide({ provider, budget, clock, publicUrl }: OAuthRouteParts): RouteHandlerMethod {
  const { host, protocol } = new URL(publicUrl);
  const place = { host, protocol: protocol.slice(0, -1), base: basePathOf(publicUrl) };
  return async (request, reply) => {
    await pay(request, budget, clock);
    const { raw } = request;
    if (raw.url?.startsWith(`${METADATA}/`)) raw.url = METADATA;
    addressAs(raw, { ...place, address: request.ip });
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.raw.setHeader('content-security-policy', POLICY);
    const respond = provider().callback();
    reply.hijack();
    await respond(raw, reply.raw);
    return reply;
  };
}

/** Charges a request to the client's network, as for a sign-in. */
async function pay({ ip }: FastifyRequest, budget: Budget, clock: Clock): Promise<void> {
  const { caller } = flowOf({ principal: null, address: ip });
  const { granted, retryAfter } = await budget.take(caller, LIMITS.oauthRequestCost, clock());
  if (!granted) throw new ApiError('rate_limited', { retryAfter });
}

interface Place {
  readonly host: string;
  readonly protocol: string;
  readonly base: string;
  readonly address: string;
}

/**
 * Makes oidc-provider see the public URL and the client's address, from which it builds URLs. The values that these headers had
 * were evaluated before, and are replaced.
 */
function addressAs(raw: FastifyRequest['raw'], { host, protocol, base, address }: Place): void {
  const url = new URL(raw.url ?? '/', 'http://localhost');
  const code = url.searchParams.get('user_code');
  if (url.pathname === PATHS.code_verification && code !== null) {
    // A code in the URL prefills the form, which the person must submit.
    Reflect.set(raw, CODE_IN_URL, code.slice(0, LIMITS.proofIdLength));
    raw.url = url.pathname;
  }
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-proto'] = protocol;
  raw.headers['x-forwarded-for'] = address;
  // It would refuse requests by their origin, whereas the hook for CORS decides which pages may read responses.
  delete raw.headers.origin;
  // A proxy may have removed the path under which clients reach the server.
  Reflect.set(raw, 'originalUrl', base + raw.url);
}

/**
 * Refuses forms from pages of other sites. Browsers send Sec-Fetch-Site (Fetch Metadata), older ones Origin; a request with
 * neither header is refused too.
 */
export function refuseForeignForms(publicUrl: string): NonNullable<RouteOptions['onRequest']> {
  const { origin } = new URL(publicUrl);
  return async ({ headers }: FastifyRequest) => {
    const site = headers['sec-fetch-site'];
    if (site === undefined ? headers.origin === origin : site === 'same-origin') return;
    throw new ApiError('forbidden', { message: 'This form was sent by a page of another site.' });
  };
}

export interface UserInfoParts {
  readonly database: Database;
  readonly authenticate: Authenticate;
}

/** Returns the routes of the metadata of the resources (RFC 9728). */
export const resourceRoutes = (publicUrl: string, tools: readonly Tool[]): RouteOptions[] =>
  [...metadataPaths(publicUrl)].flatMap(([at, path]) =>
    metadataRoutes(at, path, publicUrl, path === MCP_PATH ? scopesOfTools(tools) : SCOPES),
  );

/** Returns the routes of userinfo. A POST may have a form with the token (OpenID Connect Core, section 5.3.1). */
export const userInfoRoutes = (parts: UserInfoParts): RouteOptions[] => [
  {
    method: ['GET', 'POST'],
    url: PATHS.userinfo,
    handler: (request, reply) => userInfo(parts, request, reply),
  },
  otherMethods(PATHS.userinfo, ['GET', 'POST']),
];

function metadataRoutes(
  at: string,
  path: (typeof RESOURCE_PATHS)[number],
  publicUrl: string,
  scopes: readonly Scope[],
): RouteOptions[] {
  const url = routePathOf(at);
  const metadata = {
    resource: publicUrl + path,
    authorization_servers: [publicUrl],
    jwks_uri: publicUrl + PATHS.jwks,
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Portico',
    resource_documentation: `${publicUrl}/docs`,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    tls_client_certificate_bound_access_tokens: true,
  };
  return [
    {
      method: 'GET',
      url,
      handler: (_request, reply) =>
        reply.headers({ 'cache-control': 'public, max-age=300', ...READABLE_BY_ALL }).send(metadata),
    },
    otherMethods(url, ['GET']),
  ];
}

async function userInfo(
  { database, authenticate }: UserInfoParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  readTokenInForm(request);
  const { principal, refusal } = await authenticate(request);
  if (!principal) throw refusal ?? new ApiError('unauthenticated');
  const identity = principal.grant?.identity ?? [];
  if (!identity.includes('openid')) {
    throw new ApiError('insufficient_scope', {
      message: 'This requires the scope "openid".',
      scope: 'openid',
    });
  }
  const person = await findPerson(database, principal.userId);
  if (!person) throw new ApiError('invalid_token');
  reply.header('cache-control', 'no-store');
  return {
    sub: String(person.id),
    org: person.org,
    ...(identity.includes('profile') && { name: person.name }),
    ...(identity.includes('email') && { email: person.email }),
  };
}

/**
 * Reads a token in a form (RFC 6750, section 2.2) as if it were in the header.
 *
 * @throws ApiError `malformed_request` for a second token.
 */
function readTokenInForm({ body, headers }: FastifyRequest): void {
  const [token, second = headers.authorization] =
    body instanceof URLSearchParams ? body.getAll('access_token') : [];
  if (token === undefined) return;
  if (second !== undefined) {
    throw new ApiError('malformed_request', {
      message: 'Send one access token: either in the Authorization header or in the form.',
    });
  }
  headers.authorization = `Bearer ${token}`;
}
