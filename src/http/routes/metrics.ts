import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { sharedRun } from '../../core/promises.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { passExpectations } from '../hooks/message.ts';

/** `/metrics`, for Prometheus. It contains no secrets and nothing about individual people, but shows how busy the service is. */
export function metricsRoute(metrics: Metrics): RouteOptions {
  const render = rendererOf(metrics);
  const handler: RouteOptions['handler'] = async (_request, reply) =>
    reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await render());
  return { method: 'GET', url: '/metrics', handler };
}

/**
 * Returns a function that renders the metrics, which takes milliseconds. Those who ask meanwhile, or shortly after, get the same bytes, so
 * that rendering takes a fifth of the time at most.
 */
function rendererOf(metrics: Metrics): () => Buffer | Promise<Buffer> {
  let last = Buffer.alloc(0);
  let usableUntil = Number.NEGATIVE_INFINITY;
  const render = sharedRun(async () => {
    const began = monotonicTime();
    last = Buffer.from(await metrics.text());
    const now = monotonicTime();
    usableUntil = now + Math.min(LIMITS.metricsRestFactor * (now - began), LIMITS.metricsAge);
    return last;
  });
  return () => (monotonicTime() < usableUntil ? last : render());
}

/** Creates a server with only `/metrics`, for a port that only operators can reach. It ignores unknown expectations, as HTTP permits. */
export function createMetricsServer(metrics: Metrics): FastifyInstance {
  const server: FastifyInstance = Fastify();
  passExpectations(server.server);
  server.route(metricsRoute(metrics));
  return server;
}
