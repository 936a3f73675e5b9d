import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';

export interface HealthParts {
  readonly database: Database;
  /** Whether this process was told to leave. */
  readonly isDraining: () => boolean;
}

/** `/healthz`: the process answers. `/readyz`: it should be sent requests, or why not. */
export function addHealth(app: FastifyInstance, { database, isDraining }: HealthParts): void {
  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    const checks = {
      database: await check(request.log, () => database.ping()),
      draining: isDraining() ? 'yes' : 'no',
    };
    const ready = checks.database === 'ok' && checks.draining === 'no';
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready', checks });
  });
}

async function check(log: FastifyInstance['log'], probe: () => Promise<void>): Promise<'ok' | 'unreachable'> {
  try {
    await probe();
    return 'ok';
  } catch (error) {
    log.warn({ err: error }, 'the database did not answer the readiness probe');
    return 'unreachable';
  }
}
