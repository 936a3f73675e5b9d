import type { RouteOptions } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { acceptPatch } from '../headers.ts';
import { type SetDeprecationHeaders, whenSent } from '../hooks/deprecation.ts';
import { METHODS } from '../hooks/message.ts';

/** The value of Allow for `OPTIONS *`, which concerns the whole server and which the router treats as `/`. */
const ALL_METHODS = [...METHODS, 'OPTIONS'].join(', ');

/** Adds routes for the other methods of all paths. */
export function withOtherMethods(routes: readonly RouteOptions[]): RouteOptions[] {
  const byPath = Map.groupBy(routes, ({ url }) => url);
  const others = [...byPath].map(([url, ofPath]) => {
    const { config } = ofPath[0] ?? {};
    const methods = ofPath.flatMap(({ method }) => method);
    return { ...(config && { config }), ...otherMethods(url, methods) };
  });
  return [...routes, ...others];
}

/**
 * Returns the route for the methods that a path lacks: OPTIONS with Allow, and the others with 405 and Allow (RFC 9110, sections
 * 9.3.7 and 15.5.6). It is one route, since Fastify spends most of the time of a start on each. Fastify adds HEAD for GET.
 *
 * @param setDeprecationHeaders sets the deprecation headers on all these responses.
 */
export function otherMethods(
  url: string,
  own: readonly string[],
  setDeprecationHeaders?: SetDeprecationHeaders,
): RouteOptions {
  const supported = own.includes('GET') ? [...own, 'HEAD'] : own;
  const allow = [...supported, 'OPTIONS'].join(', ');
  return {
    method: ['OPTIONS', ...METHODS.filter((method) => !supported.includes(method))],
    url,
    exposeHeadRoute: false,
    // The response does not depend on the body, so the body is not read.
    onRequest: ({ method }, _reply, done) => {
      if (method === 'OPTIONS') done();
      else done(new ApiError('method_not_allowed', { message: `This route supports ${allow}.`, allow }));
    },
    ...whenSent(setDeprecationHeaders),
    handler: ({ url: asked }, reply) =>
      reply
        .code(204)
        .header('allow', asked === '*' ? ALL_METHODS : allow)
        .headers(own.includes('PATCH') ? acceptPatch : {})
        .send(),
  };
}
