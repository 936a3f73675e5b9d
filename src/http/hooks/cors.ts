import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { METHODS } from '../routes/methods.ts';
import { OPERATOR_PATHS } from '../routes/operator-paths.ts';

/** What pages of other origins may send, and what they may read of the answer beside its body (Fetch, section 3.2). */
const ALLOWED = {
  'access-control-allow-methods': METHODS.join(', '),
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id',
  // Browsers keep the answer for no longer than two hours themselves.
  'access-control-max-age': '7200',
};
const EXPOSED = {
  'access-control-expose-headers':
    'Deprecation, ETag, Idempotency-Key, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id',
};

/**
 * Lets pages of these origins read answers. There are no cookies, so that nothing is sent along that a page does not have
 * itself, and credentials of the browser's are not asked for.
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
    // What a browser asks before a request that it would not send by itself (Fetch, section 4.8).
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      reply.code(204).headers(ALLOWED).send();
      return;
    }
    done();
  };
}

/** The route, however its path was spelled; the path where there is none for the method, such as OPTIONS. */
function isForOperators({ routeOptions, url }: FastifyRequest): boolean {
  return OPERATOR_PATHS.has(routeOptions.url ?? url.split('?', 1)[0] ?? url);
}
