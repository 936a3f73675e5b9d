import type { FastifyInstance } from 'fastify';
import { namedCaller } from '../../auth/named-caller.ts';

/**
 * Writes a line for each request when its answer has left: what was asked and by whom, by the names that the server has for
 * it. Nothing in it was sent by the client but the method and the id that a client may give its request: not the URL, which
 * may carry a token, no header, no body.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { raw, routeOptions, principal, span } = request;
    const { url, config } = routeOptions;
    request.log.info(
      {
        reqId: request.id,
        method: raw.method,
        route: url ?? 'none',
        ...(config.operation !== undefined && { operation: config.operation }),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
        address: request.ip,
        ...(principal && { principal: namedCaller(principal) }),
        ...(span && { trace_id: span.traceId }),
      },
      'request',
    );
    done();
  });
}
