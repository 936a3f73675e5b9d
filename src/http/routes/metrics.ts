import { setTimeout as sleep } from 'node:timers/promises';
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
  // Free, since scrapers share one rendering, and the points of their network are not theirs alone.
  return { method: 'GET', url: '/metrics', config: { isFree: true }, handler };
}

/**
 * Returns a function that renders the metrics, which takes milliseconds. Requests that wait for the pause after the previous rendering, or
 * for the present one, share it, so that rendering takes a fifth of the time at most, and no text is older than its request by more than
 * one rendering.
 */
function rendererOf(metrics: Metrics): () => Promise<Buffer> {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return sharedRun(async () => {
    const pause = pausedUntil - monotonicTime();
    if (pause > 0) await sleep(pause);
    const began = monotonicTime();
    const text = Buffer.from(await metrics.text());
    const now = monotonicTime();
    pausedUntil = now + Math.min(LIMITS.metricsRestFactor * (now - began), LIMITS.metricsPause);
    return text;
  });
}

/** Creates a server with only `/metrics`, for a port that only operators can reach. It ignores unknown expectations, as HTTP permits. */
export function createMetricsServer(metrics: Metrics): FastifyInstance {
  const server: FastifyInstance = Fastify();
  passExpectations(server.server);
  server.route(metricsRoute(metrics));
  return server;
}
