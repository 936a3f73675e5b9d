import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';
import { addMetrics } from '../hooks/metrics.ts';

/** Answers `/metrics` and nothing else, for a port that only those can reach who look after the service. */
export function createMetricsServer(metrics: Metrics): FastifyInstance {
  const server: FastifyInstance = Fastify();
  addMetrics(server, metrics);
  return server;
}
