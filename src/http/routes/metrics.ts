import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';
import { passExpectations } from '../hooks/message.ts';

/** `/metrics`, for Prometheus. It contains no secrets and nothing about individual people, but shows how busy the service is. */
export const metricsRoute = (metrics: Metrics): RouteOptions => ({
  method: 'GET',
  url: '/metrics',
  handler: async (_request, reply) =>
    reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text()),
});

/** Creates a server with only `/metrics`, for a port that only operators can reach. It ignores unknown expectations, as HTTP permits. */
export function createMetricsServer(metrics: Metrics): FastifyInstance {
  const server: FastifyInstance = Fastify();
  passExpectations(server.server);
  server.route(metricsRoute(metrics));
  return server;
}
