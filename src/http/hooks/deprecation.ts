import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Services } from '../../pipeline/context.ts';
import type { Route, RouteDeprecation } from '../../rest/index.ts';
import { deprecationHeaders } from '../headers/deprecation.ts';

/** Sets the deprecation headers of a response. */
export type SetDeprecationHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** The deprecation headers of a route; undefined for a current one. */
export const deprecationOfRoute = (
  { deprecation }: Route,
  { basePath }: Services,
): SetDeprecationHeaders | undefined => deprecation && settingHeaders(deprecation, basePath);

/** The same of a former path of a route, for what leads to it. */
export const deprecationOfFormer = (
  { moved }: Route,
  { basePath }: Services,
): SetDeprecationHeaders | undefined => moved && settingHeaders(moved, basePath);

/**
 * Sets the headers in `onSend`, so that they are also on requests that are refused before
 * any hook or handler of the route runs: by overload, or for a body that is too large or not JSON.
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
 * The headers of the other methods of a path, such as for 405. They are about the resource (RFC 9745, section 2.2), which
 * is deprecated when all of its methods are: from the last one on.
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
    const { link = '', ...headers } = deprecationHeaders(deprecation, base, successor);
    const own = reply.getHeader('link');
    reply.headers({ ...headers, link: own === undefined ? link : `${own}, ${link}` });
  };
}
