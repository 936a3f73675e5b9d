import type { FastifyReply, FastifyRequest } from 'fastify';
import { METHODS, pathIn } from './message.ts';

/** Request headers that pages of other origins may send (Fetch, section 3.2.2), including those of tracing and Apollo Client. */
const REQUEST_HEADERS = [
  'Accept',
  'Apollo-Require-Preflight',
  'ApolloGraphQL-Client-Name',
  'ApolloGraphQL-Client-Version',
  'Authorization',
  'baggage',
  'Content-Type',
  'DPoP',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Portico-Position',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'X-GraphQL-Event-Stream-Token',
  'X-Request-Id',
];

/** Response headers that these pages may read, besides those that Fetch always exposes. */
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
  // Two hours in seconds, the longest that browsers cache the response to a preflight.
  'access-control-max-age': '7200',
};
const EXPOSED = { 'access-control-expose-headers': RESPONSE_HEADERS.join(', ') };

/** Lets pages of every origin read a response: public keys and metadata, which have no secrets, and which apps in pages read. */
export const READABLE_BY_ALL = { 'access-control-allow-origin': '*' };

/**
 * Allows pages of these origins to read responses. There are no cookies, so a browser adds no credentials of its own, and no
 * credentials mode is needed.
 *
 * `@fastify/cors` is not used: it sets a `Vary` that those of routes replace, treats every OPTIONS request as a preflight, also
 * one for `Allow`, and costs requests without an `Origin` 0.1 microseconds.
 *
 * @param origins origins as browsers write them, or `*` for every page.
 */
export function allowOrigins(
  origins: readonly string[],
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
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

/** Paths for operators, which no page may read: probes and metrics. */
const OPERATOR_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Whether a path is for operators, by its route template, or by the path for methods without a route, such as OPTIONS. */
function isForOperators({ routeOptions, url }: FastifyRequest): boolean {
  return OPERATOR_PATHS.has(routeOptions.url ?? pathIn(url));
}
