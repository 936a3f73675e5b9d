import type { FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation of a REST route. */
    readonly operation?: string;
  }
}

/** The label for requests without a route or operation. */
const NONE = 'none';

/** Counts every request after its response. */
export function countRequests(metrics: Metrics): onResponseHookHandler {
  return (request, reply, done) => {
    countRequest(metrics, request, reply);
    done();
  };
}

/** Counts a request by its route template, never by its URL. */
export function countRequest(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  metrics.request({
    method: request.method,
    route: url ?? NONE,
    operation: config?.operation ?? NONE,
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
  });
}
