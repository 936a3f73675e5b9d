import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation behind a route of REST. */
    readonly operation?: string;
  }
}

/** Stands where a request met no route, or a route has no operation. */
const NONE = 'none';

/** Counts every request when its answer has left. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    countRequest(metrics, request, reply);
    done();
  });
}

/** What a request met, by its template: never by what it sent. */
export function countRequest(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  metrics.request({
    // The request itself may have been shown as another one.
    method: request.raw.method ?? NONE,
    route: url ?? NONE,
    operation: config?.operation ?? NONE,
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
  });
}

/** `/metrics`, for Prometheus. It tells no secret and nothing about single people; how busy the service is, it does tell. */
export function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text()),
  );
}
