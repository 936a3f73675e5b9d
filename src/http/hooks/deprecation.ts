import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Services } from '../../pipeline/context.ts';
import type { Route, RouteDeprecation } from '../../rest/index.ts';
import { deprecationHeaders } from '../headers/deprecation.ts';

/** Says in the headers of an answer that its route is deprecated. */
export type SetDeprecationHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** What the answers of a route say of its end; undefined for one that stays. */
export const deprecationOfRoute = (
  { deprecation }: Route,
  { basePath }: Services,
): SetDeprecationHeaders | undefined => deprecation && settingHeaders(deprecation, basePath);

/**
 * Has every answer that Fastify sends say it. They are set when it is sent, so that they also stand on what is refused before
 * any hook or handler of the route runs: by a server that has too much to do, or for a body that is too large or no JSON.
 */
export const whenSent = (
  setDeprecationHeaders: SetDeprecationHeaders | undefined,
): Pick<RouteShorthandOptions, 'onSend'> =>
  setDeprecationHeaders
    ? {
        onSend: (request, reply, payload, done) => {
          setDeprecationHeaders(request, reply);
          done(null, payload);
        },
      }
    : {};

/** Counts the uses of a deprecated route. */
export function countUses(
  { method, path, deprecation }: Route,
  { noteDeprecatedUse }: Services,
): Pick<RouteShorthandOptions, 'onResponse'> {
  if (!deprecation) return {};
  const names = [`${method} ${path}`];
  return {
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
export function deprecationOfPath(
  routes: readonly Route[],
  { basePath }: Services,
): SetDeprecationHeaders | undefined {
  const deprecations = routes.flatMap(({ deprecation }) => deprecation ?? []);
  if (deprecations.length < routes.length) return undefined;
  const last = deprecations.reduce((a, b) => (b.since > a.since ? b : a));
  return settingHeaders(last, basePath);
}

function settingHeaders(deprecation: RouteDeprecation, base: string): SetDeprecationHeaders {
  return (request, reply) => {
    // Fastify's router gives texts by name, and the successor has variables of this route's path only.
    const values = request.params as Readonly<Record<string, string>>;
    const successor = deprecation.successor.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    );
    reply.headers(deprecationHeaders(deprecation, base, successor));
  };
}
