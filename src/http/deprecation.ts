import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { basePathOf, deprecationHeaders } from '../deprecation.ts';
import type { Services } from '../graphql/context.ts';
import type { Route, RouteDeprecation } from '../rest/index.ts';

export type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Makes every answer of a deprecated route say so, errors included, and counts its uses.
 *
 * The headers are set as soon as the route is found, so that they also stand on what is refused before its handler runs: a
 * body that is too large, or is no JSON.
 */
export function deprecationHooks(
  { method, path, deprecation }: Route,
  { publicUrl, noteDeprecatedUse }: Services,
): Pick<RouteShorthandOptions, 'onRequest' | 'onResponse'> {
  if (!deprecation) return {};
  const names = [`${method} ${path}`];
  return {
    onRequest: announce(deprecation, publicUrl),
    onResponse: (request, _reply, done) => {
      noteDeprecatedUse(request.principal, names);
      done();
    },
  };
}

/**
 * What the other methods of a path say, such as 405. The header speaks of a resource as a whole (RFC 9745, section 2.2), and
 * that is deprecated when nothing is left of it that is not: from the last of its methods on.
 */
export function announceForPath(routes: readonly Route[], { publicUrl }: Services): OnRequest | undefined {
  const deprecations = routes.flatMap(({ deprecation }) => deprecation ?? []);
  if (deprecations.length < routes.length) return undefined;
  const last = deprecations.reduce((a, b) => (b.since > a.since ? b : a));
  return announce(last, publicUrl);
}

function announce(deprecation: RouteDeprecation, publicUrl: string): OnRequest {
  const base = basePathOf(publicUrl);
  return (request, reply, done) => {
    // Fastify's router gives texts by name, and the successor has variables of this route's path only.
    const values = request.params as Readonly<Record<string, string>>;
    const successor = deprecation.successor.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    );
    reply.headers(deprecationHeaders(deprecation, base, successor));
    done();
  };
}
