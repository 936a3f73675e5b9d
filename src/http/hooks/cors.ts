import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { METHODS } from '../routes/methods.ts';
import { OPERATOR_PATHS } from '../routes/operator-paths.ts';

/** Request headers that pages of other origins may send (Fetch, section 3.2.2), those of tracing and of Apollo Client among them. */
const REQUEST_HEADERS = [
  'Accept',
  'Apollo-Require-Preflight',
  'ApolloGraphQL-Client-Name',
  'ApolloGraphQL-Client-Version',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Portico-Position',
  'traceparent',
  'tracestate',
  'X-GraphQL-Event-Stream-Token',
  'X-Request-Id',
];

/** Response headers that they may read, beside those that Fetch always shows. */
const RESPONSE_HEADERS = [
  'Deprecation',
  'ETag',
  'Idempotency-Key',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Portico-Position',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];

const ALLOWED = {
  'access-control-allow-methods': METHODS.join(', '),
  'access-control-allow-headers': REQUEST_HEADERS.join(', '),
  // Browsers keep a response to a preflight for two hours at most.
  'access-control-max-age': '7200',
};
const EXPOSED = { 'access-control-expose-headers': RESPONSE_HEADERS.join(', ') };

/**
 * Allows pages of these origins to read responses. There are no cookies, so a browser adds nothing that its page does not
 * have, and no credentials mode is needed.
 *
 * It is not `@fastify/cors`, which sets a `Vary` that the routes' own replaces, answers each OPTIONS as a preflight, also one that
 * asks for `Allow`, and costs requests without an `Origin` 0.1 microseconds.
 *
 * @param origins as browsers write them, or `*` for every page.
 */
export function allowOrigins(origins: readonly string[]): onRequestHookHandler {
  const known = new Set(origins);
  return (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !(known.has('*') || known.has(origin)) || isForOperators(request))
      return done();
    reply.headers({ 'access-control-allow-origin': known.has('*') ? '*' : origin, ...EXPOSED });
    // A preflight (Fetch, section 4.8). Other OPTIONS requests get Allow from their route.
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      reply.code(204).headers(ALLOWED).send();
      return;
    }
    done();
  };
}

/** The route template; the path for methods without a route, such as OPTIONS. */
function isForOperators({ routeOptions, url }: FastifyRequest): boolean {
  return OPERATOR_PATHS.has(routeOptions.url ?? url.split('?', 1)[0] ?? url);
}
