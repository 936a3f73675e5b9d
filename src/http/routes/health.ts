import type { RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Redis } from '../../cluster/redis.ts';
import { sharedRun } from '../../core/promises.ts';
import type { Database } from '../../db/database.ts';

export interface HealthParts {
  readonly logger: Logger;
  readonly database: Database;
  /** The connection between instances, if there are several. */
  readonly redis?: Redis | undefined;
  /** Whether this process is stopping. */
  readonly isDraining: () => boolean;
}

/** The result of one check, with a sentence for every problem. */
interface Finding {
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: readonly string[];
}

/**
 * `/healthz`: the process responds. `/readyz`: whether it should receive requests, and if not, why. Without Redis it is
 * `degraded` but should still receive requests, since only speed is lost.
 */
export function healthRoutes({ logger, database, redis, isDraining }: HealthParts): RouteOptions[] {
  // Concurrent requests share the checks, which wait for a connection to the database.
  const check = sharedRun(() =>
    Promise.all([
      checkDatabase(logger, database),
      redis ? checkRedis(logger, redis) : { checks: {}, reasons: [] },
    ]),
  );
  return [
    {
      method: 'GET',
      url: '/healthz',
      config: { isFree: true },
      handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
    },
    {
      method: 'GET',
      url: '/readyz',
      config: { isFree: true },
      handler: async (_request, reply) => {
        const [essential, helpful] = await check();
        const leaving = isDraining() ? ['This process is stopping.'] : [];
        const isReady = essential.reasons.length + leaving.length === 0;
        const reasons = [...essential.reasons, ...helpful.reasons, ...leaving];
        return reply
          .code(isReady ? 200 : 503)
          .header('cache-control', 'no-store')
          .send({
            status: !isReady ? 'not ready' : reasons.length > 0 ? 'degraded' : 'ready',
            checks: { ...essential.checks, ...helpful.checks, draining: leaving.length > 0 ? 'yes' : 'no' },
            ...(reasons.length > 0 && { reasons }),
          });
      },
    },
  ];
}

async function checkDatabase(log: Logger, database: Database): Promise<Finding> {
  try {
    await database.ping();
    const missing = await database.missingMigrations();
    if (missing === 0) return { checks: { database: 'ok', migrations: 'ok' }, reasons: [] };
    return {
      checks: { database: 'ok', migrations: 'missing' },
      reasons: [`The database lacks migrations: ${missing}. Run \`portico migrate\`.`],
    };
  } catch (error) {
    log.warn({ err: error }, 'the database did not respond to the readiness probe');
    return {
      checks: { database: 'unreachable', migrations: 'unknown' },
      reasons: ['The database does not respond.'],
    };
  }
}

async function checkRedis(log: Logger, redis: Redis): Promise<Finding> {
  try {
    await redis.ping();
    return { checks: { redis: 'ok' }, reasons: [] };
  } catch (error) {
    log.warn({ err: error }, 'Redis did not respond to the readiness probe');
    return {
      checks: { redis: 'unreachable' },
      reasons: ['Redis does not respond: events of other instances arrive with a delay.'],
    };
  }
}
