import type { FastifyReply, RouteShorthandOptions } from 'fastify';
import type { Services } from '../../pipeline/context.ts';
import type { RouteDeprecation } from '../../rest/compile/deprecated-route.ts';
import type { Route, RouteMethod } from '../../rest/compile/route.ts';
import { fillIn } from '../../rest/compile/spelling.ts';
import { deprecationHeaders } from '../headers.ts';

/** Sets the deprecation headers of a response. */
export type SetDeprecationHeaders = (reply: FastifyReply) => void;

/**
 * Sets the headers in `onSend`, so that they are also on requests that are refused before
 * any other hook or the handler of the route runs: for overload, or for a body that is too large or not JSON.
 */
export const whenSent = (
  setDeprecationHeaders: SetDeprecationHeaders | undefined,
): Pick<RouteShorthandOptions, 'onSend'> =>
  setDeprecationHeaders
    ? {
        onSend: (_request, reply, payload, done) => {
          setDeprecationHeaders(reply);
          done(null, payload);
        },
      }
    : {};

/**
 * Returns the hooks of a deprecated route, or of one of its former paths: they set its headers, and count its uses.
 *
 * @param deprecation undefined for a route that is not deprecated, which has none of these hooks.
 */
export function deprecationHooks(
  method: RouteMethod,
  path: string,
  deprecation: RouteDeprecation | undefined,
  services: Services,
): Pick<RouteShorthandOptions, 'onSend' | 'onResponse'> {
  if (!deprecation) return {};
  const names = [`${method} ${path}`];
  return {
    ...whenSent(settingHeaders(deprecation, services)),
    onResponse: (request, _reply, done) => {
      services.noteDeprecatedUse(request.principal, names);
      done();
    },
  };
}

/**
 * Returns the setter for the other methods of a path, such as for 405. The headers describe the resource (RFC 9745,
 * section 2.2), which is deprecated when all its methods are, from the latest date on.
 */
export function deprecationOfPath(
  routes: readonly Route[],
  services: Services,
): SetDeprecationHeaders | undefined {
  const deprecations = routes.flatMap(({ deprecation }) => deprecation ?? []);
  if (deprecations.length < routes.length) return undefined;
  const last = deprecations.reduce((a, b) => (b.since > a.since ? b : a));
  return settingHeaders(last, services);
}

/** Returns the setter of deprecation headers; undefined if there is nothing to set. */
export function settingHeaders(
  deprecation: RouteDeprecation | undefined,
  { basePath }: Services,
): SetDeprecationHeaders | undefined {
  if (!deprecation) return undefined;
  return (reply) => {
    // Fastify's router returns strings by name, and the successor has only variables of this route's path.
    const values = reply.request.params as Readonly<Record<string, string>>;
    const successor = fillIn(deprecation.successor, values);
    const { link = '', ...headers } = deprecationHeaders(deprecation, basePath, successor);
    const own = reply.getHeader('link');
    reply.headers({ ...headers, link: own === undefined ? link : `${own}, ${link}` });
  };
}
