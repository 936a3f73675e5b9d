import type { RouteOptions } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { type SetDeprecationHeaders, whenSent } from '../hooks/deprecation.ts';

/** What can be sent to a path at all; whatever a path does not answer is 405. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * The methods that a path does not have: OPTIONS with Allow, and the others with 405 and Allow (RFC 9110, sections 9.3.7 and
 * 15.5.6). Fastify adds HEAD where there is GET.
 *
 * @param setDeprecationHeaders sets the headers of every response of the path.
 */
export function otherMethods(
  url: string,
  own: readonly string[],
  setDeprecationHeaders?: SetDeprecationHeaders,
): RouteOptions[] {
  const answered = own.includes('GET') ? [...own, 'HEAD'] : own;
  const allow = [...answered, 'OPTIONS'].join(', ');
  const options: RouteOptions = {
    method: 'OPTIONS',
    url,
    ...whenSent(setDeprecationHeaders),
    handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
  };
  const others: RouteOptions = {
    method: METHODS.filter((method) => !answered.includes(method)),
    url,
    exposeHeadRoute: false,
    // The response does not depend on the body, so none is read.
    onRequest: (_request, _reply, done) =>
      done(new ApiError('method_not_allowed', { message: `This route supports ${allow}.`, allow })),
    ...whenSent(setDeprecationHeaders),
    handler: () => undefined,
  };
  return [options, others];
}
