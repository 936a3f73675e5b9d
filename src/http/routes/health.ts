import type { RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { hasRefused, type Redis } from '../../cluster/redis.ts';
import { LIMITS } from '../../core/limits.ts';
import { sharedRun, unlessLate } from '../../core/promises.ts';
import type { OpenDatabase } from '../../db/database.ts';
import type { HttpParts } from '../parts.ts';

/** The result of one check, with a sentence for every problem. */
interface Finding {
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: readonly string[];
}

const NOTHING: Finding = { checks: {}, reasons: [] };

const CHANGES_FAIL: Finding = {
  checks: { changes: 'refused' },
  reasons: [
    'The database refused changes: its disk is full or fails, it is read-only, or its file was replaced.',
  ],
};

const REDIS_REFUSES: Finding = {
  checks: { redis: 'refused' },
  reasons: ['Redis refuses commands: every instance continues on its own. The log has its error.'],
};

/**
 * `/healthz`: the process responds. `/readyz`: whether it should receive requests, and if not, why. Without Redis, or
 * while the database can only be read, it is `degraded` but should still receive requests: another instance would do no better.
 */
export function healthRoutes({ logger, database, redis, isLeaving }: HttpParts): RouteOptions[] {
  // Concurrent requests share the checks, which wait for a connection to the database.
  const check = sharedRun(() =>
    Promise.all([
      checkDatabase(logger, database),
      redis ? checkRedis(logger, redis) : NOTHING,
      database.refusesChanges ? CHANGES_FAIL : NOTHING,
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
        const [essential, ...helpful] = await check();
        const leaving = isLeaving() ? ['This process is stopping.'] : [];
        const isReady = essential.reasons.length + leaving.length === 0;
        const reasons = [...essential.reasons, ...helpful.flatMap(({ reasons }) => reasons), ...leaving];
        return reply
          .code(isReady ? 200 : 503)
          .header('cache-control', 'no-store')
          .send({
            status: !isReady ? 'not ready' : reasons.length > 0 ? 'degraded' : 'ready',
            checks: {
              ...essential.checks,
              ...Object.assign({}, ...helpful.map(({ checks }) => checks)),
              draining: leaving.length > 0 ? 'yes' : 'no',
            },
            ...(reasons.length > 0 && { reasons }),
          });
      },
    },
  ];
}

/** A frozen server would delay the response for longer than probes wait, so that they would not see the reason. */
const inTime = <T>(check: Promise<T>): Promise<T> =>
  unlessLate(
    check,
    LIMITS.probeTime,
    () => new Error(`There was no response within ${LIMITS.probeTime} ms.`),
  );

async function checkDatabase(log: Logger, database: OpenDatabase): Promise<Finding> {
  try {
    const missing = await inTime(database.ping().then(() => database.missingMigrations()));
    if (missing === 0) return { checks: { database: 'ok', migrations: 'ok' }, reasons: [] };
    return {
      checks: { database: 'ok', migrations: 'missing' },
      reasons: [`The database lacks migrations: ${missing}. Run \`npx portico migrate\`.`],
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
    await inTime(redis.ping());
    return hasRefused(redis) ? REDIS_REFUSES : { checks: { redis: 'ok' }, reasons: [] };
  } catch (error) {
    log.warn({ err: error }, 'Redis did not respond to the readiness probe');
    return {
      checks: { redis: 'unreachable' },
      reasons: ['Redis does not respond: events of other instances arrive with a delay.'],
    };
  }
}
