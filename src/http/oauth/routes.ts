/** Routes of the authorization server. oidc-provider serves most of them directly: it parses bodies and writes responses itself. */
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Provider } from 'oidc-provider';
import { PROOF_ALGORITHMS } from '../../auth/confirmation.ts';
import { SCOPES } from '../../auth/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { findPerson } from '../../db/queries/users.ts';
import { authorizeCaller } from '../../graphql/directives/auth.ts';
import { READABLE_BY_ALL } from '../hooks/cors.ts';
import type { HttpParts } from '../parts.ts';
import { MCP_PATH, metadataPaths, scopesOfTools } from '../resources.ts';
import { otherMethods } from '../routes/methods.ts';
import { publicHeaders } from '../routes/texts.ts';
import { sendFailure } from './failures.ts';
import { CODE_IN_URL } from './pages.ts';
import { PATHS } from './paths.ts';
import { payForRequest } from './paying.ts';

export type GetProvider = () => Promise<Provider>;

/** Paths to which browsers post forms. Pages of other sites must not. */
const FORMS = [PATHS.code_verification, `${PATHS.end_session}/confirm`];

/** Endpoints that accept their parameters in a form as well (OpenID Connect Core, section 3.1.2.1; RP-Initiated Logout, section 2). */
const REDIRECTED: readonly string[] = [PATHS.authorization, PATHS.end_session];

/** The path of the metadata (RFC 8414). */
const METADATA = '/.well-known/oauth-authorization-server';

/** Writes a path as Fastify's router reads it: a colon would begin a parameter. */
const routePathOf = (path: string): string => path.replaceAll(':', '::');

/** The methods of the endpoints, by path. oidc-provider serves all but POST of {@link REDIRECTED}. */
export const PROVIDED: Readonly<Record<string, readonly ('GET' | 'POST')[]>> = {
  [PATHS.authorization]: ['GET', 'POST'],
  [`${PATHS.authorization}/:uid`]: ['GET'],
  [PATHS.token]: ['POST'],
  [PATHS.pushed_authorization_request]: ['POST'],
  [PATHS.revocation]: ['POST'],
  [PATHS.introspection]: ['POST'],
  [PATHS.device_authorization]: ['POST'],
  [PATHS.code_verification]: ['GET', 'POST'],
  [`${PATHS.code_verification}/:uid`]: ['GET'],
  [PATHS.end_session]: ['GET', 'POST'],
  [`${PATHS.end_session}/confirm`]: ['POST'],
  [`${PATHS.end_session}/success`]: ['GET'],
  '/.well-known/openid-configuration': ['GET'],
  [METADATA]: ['GET'],
};

/** Reads the bodies of these routes, which oidc-provider parses. The `body` of a request is a text with a character for each byte. */
export function readBytes(scope: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: LIMITS.formBytes } as const;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', options, ({ raw }, body: Buffer, done) => {
    readAgain(raw, body);
    done(null, body.toString('latin1'));
  });
}

/** Lets oidc-provider read a body that was read: on its own it would accept more than `formBytes`, and it reads only streams. */
function readAgain(raw: FastifyRequest['raw'], body: Buffer): void {
  Object.defineProperties(raw, { readable: { value: true }, iterator: { value: () => [body] } });
}

const FORM = 'application/x-www-form-urlencoded';

const notForm = () => new ApiError('unsupported_media_type', { message: `Send the body as ${FORM}.` });

/** Parses the bodies of routes as forms. @param others what happens to bodies of other types. */
export function readForms(scope: FastifyInstance, others: 'ignored' | 'refused'): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: LIMITS.formBytes },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  );
  // An ignored body is read as well, so that its length is limited.
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) =>
    done(others === 'refused' ? notForm() : null),
  );
}

/** Returns the routes that oidc-provider serves. */
export function providedRoutes(parts: HttpParts, provider: GetProvider): RouteOptions[] {
  const { publicUrl, basePath: base } = parts.services;
  const provided = Object.entries(PROVIDED);
  // Clients insert the path before that of the public URL (RFC 8414, section 3.1), where a proxy passes it on unchanged.
  if (base !== '') provided.push([routePathOf(METADATA + base), ['GET']]);
  return provided.flatMap(([url, methods]) => [
    ...methods.map((method) => ({
      // Fastify's own HEAD route would act on Fastify's response; oidc-provider handles HEAD itself.
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      exposeHeadRoute: false,
      ...(method === 'POST' && FORMS.includes(url) && { onRequest: refuseForeignForms(publicUrl) }),
      handler:
        method === 'POST' && REDIRECTED.includes(url) ? redirectForm(parts, url) : provide(parts, provider),
      errorHandler: sendFailure(publicUrl),
    })),
    otherMethods(url, methods),
  ]);
}

/**
 * oidc-provider adds the hash of its script to a policy that has `script-src`: the script sends the form of `response_mode=form_post`
 * and of a sign-out without a session.
 */
const POLICY = "default-src 'none'; script-src; frame-ancestors 'none'";

function provide({ services }: HttpParts, provider: GetProvider): RouteHandlerMethod {
  const { host, protocol } = new URL(services.publicUrl);
  // oidc-provider builds URLs from them. The values that these headers had were evaluated before, and are replaced.
  const forwarded = { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) };
  return async (request, reply) => {
    const { raw, body } = request;
    await payForRequest(services, request.ip, textOf(body).length);
    if (raw.url?.startsWith(`${METADATA}/`)) raw.url = METADATA;
    Object.assign(raw.headers, forwarded, { 'x-forwarded-for': request.ip });
    // It would refuse requests by their origin, whereas the hook for CORS decides which pages may read responses.
    delete raw.headers.origin;
    takeCode(raw);
    // A proxy may have removed the path under which clients reach the server.
    Reflect.set(raw, 'originalUrl', services.basePath + raw.url);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.raw.setHeader('content-security-policy', POLICY);
    const respond = (await provider()).callback();
    reply.hijack();
    await respond(raw, reply.raw);
    return reply;
  };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : '');

/**
 * Redirects a form to the URL with its parameters: the form may come from a page of another site, and browsers send cookies that are
 * `SameSite=Lax` only with the redirect.
 */
function redirectForm({ services }: HttpParts, path: string): RouteHandlerMethod {
  return async ({ ip, body, headers }, reply) => {
    const form = textOf(body);
    await payForRequest(services, ip, form.length);
    const [type] = (headers['content-type'] ?? FORM).split(';');
    if (type?.trim().toLowerCase() !== FORM) throw notForm();
    const target = `${services.basePath}${path}?${new URLSearchParams(Buffer.from(form, 'latin1').toString())}`;
    if (target.length > LIMITS.redirectedBytes) throw new ApiError('body_too_large');
    return reply.header('cache-control', 'no-store').redirect(target, 303);
  };
}

/** Takes a code in the URL of the page for devices out of it. It prefills the form, which the person must submit. */
function takeCode(raw: FastifyRequest['raw']): void {
  const url = new URL(raw.url ?? '/', 'http://localhost');
  const code = url.searchParams.get('user_code');
  if (url.pathname !== PATHS.code_verification || code === null) return;
  Reflect.set(raw, CODE_IN_URL, code.slice(0, LIMITS.proofIdLength));
  raw.url = url.pathname;
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

/** Returns the routes of the metadata of the resources (RFC 9728). */
export const resourceRoutes = ({ api: { tools }, services: { publicUrl } }: HttpParts): RouteOptions[] =>
  [...metadataPaths(publicUrl)].flatMap(([at, path]) => {
    const url = routePathOf(at);
    const metadata = {
      resource: publicUrl + path,
      authorization_servers: [publicUrl],
      jwks_uri: publicUrl + PATHS.jwks,
      scopes_supported: path === MCP_PATH ? scopesOfTools(tools) : SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Portico',
      resource_documentation: `${publicUrl}/docs`,
      dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
      tls_client_certificate_bound_access_tokens: true,
    };
    const headers = { ...publicHeaders('max-age=300'), ...READABLE_BY_ALL };
    const handler: RouteOptions['handler'] = (_request, reply) => reply.headers(headers).send(metadata);
    return [{ method: 'GET', url, handler }, otherMethods(url, ['GET'])];
  });

/** Returns the routes of userinfo. A POST may have a form with the token (OpenID Connect Core, section 5.3.1). */
export function userInfoRoutes({ services, authenticate }: HttpParts): RouteOptions[] {
  const url = PATHS.userinfo;
  const handler: RouteOptions['handler'] = async (request, reply) => {
    readTokenInForm(request);
    const principal = authorizeCaller(await authenticate(request));
    const identity = principal.grant?.identity ?? [];
    if (!identity.includes('openid')) {
      throw new ApiError('insufficient_scope', {
        message: 'This requires the scope "openid".',
        scope: 'openid',
      });
    }
    const person = await findPerson(services.database, principal.userId);
    if (!person) throw new ApiError('invalid_token');
    reply.header('cache-control', 'no-store');
    return {
      sub: String(person.id),
      org: person.org,
      ...(identity.includes('profile') && { name: person.name }),
      ...(identity.includes('email') && { email: person.email }),
    };
  };
  return [{ method: ['GET', 'POST'], url, handler }, otherMethods(url, ['GET', 'POST'])];
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
