import type { onResponseHookHandler } from 'fastify';
import { namedCaller } from '../../auth/machine-credentials.ts';

/**
 * Logs a line for each request after its response: route, status, time and caller, by the server's own names. Only the method
 * and the request id come from the client: not the URL, which may contain a token, no header and no body.
 */
export const logRequest: onResponseHookHandler = (request, reply, done) => {
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
};
