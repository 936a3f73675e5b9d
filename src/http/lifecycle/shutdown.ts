import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Redis } from '../../cluster/redis.ts';
import { LIMITS } from '../../core/limits.ts';
import { waitAtMost } from '../../core/promises.ts';
import type { OpenDatabase } from '../../db/database.ts';
import type { Tracing } from '../../observability/tracing.ts';

/** The part of the application that accepts and finishes requests. */
interface Stoppable {
  readonly http: Pick<FastifyInstance, 'close'>;
  leave(): void;
  drain(): void;
  unlisten(): Promise<void>;
}

/** The connections to close after the last request. */
interface Connections {
  readonly database: OpenDatabase;
  readonly redis?: Redis | undefined;
  readonly tracing?: Tracing | undefined;
}

/**
 * Stops the process on SIGTERM and SIGINT: once, in order, and in bounded time.
 *
 * @param delay milliseconds for which it serves as before and only `/readyz` reports the stop, so that load balancers notice first.
 */
export function stopOnSignals(app: Stoppable, connections: Connections, logger: Logger, delay: number): void {
  const stop = async (signal: NodeJS.Signals) => {
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('remaining work was abandoned: stopping took too long');
      process.exit(1);
    }, delay + LIMITS.shutdownTimeout).unref();
    try {
      app.leave();
      if (delay > 0) await sleep(delay);
      await shutDown(app, connections);
      logger.info('stopped');
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      process.exitCode = 1;
    }
  };
  // A terminal and npm both send SIGINT. The listener remains, so that the second signal does not kill the process.
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, (name) => {
      if (!stopping) void stop(name);
      stopping = true;
    });
  }
}

/**
 * Accepts the connections that wait for it and no more, completes running requests, closes database and Redis, and sends the last traces.
 *
 * Keep-alive connections get `Connection: close` with their next response and end there. Idle ones are closed only after the drain
 * time: closing them at once could cut off a request in transit.
 */
async function shutDown(
  { http, drain, unlisten }: Stoppable,
  { database, redis, tracing }: Connections,
): Promise<void> {
  drain();
  await waitAtMost(LIMITS.drainTime, unlisten());
  await http.close();
  await database.close();
  redis?.disconnect();
  await tracing?.close();
}
