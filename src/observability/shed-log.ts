import type { Logger } from 'pino';
import { monotonicTime } from '../core/clock.ts';
import type { Flow } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import type { Metrics, ShedCause } from './metrics.ts';

/** Returns a function that counts shed operations, and logs their number: at once, then at most every `LIMITS.shedWarningInterval`. */
export function createShedLog(
  logger: Pick<Logger, 'warn'>,
  metrics: Pick<Metrics, 'shed'>,
  time = monotonicTime,
): (cause: ShedCause, flow: Flow) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let operations = 0;
  return (cause, { org }) => {
    metrics.shed(cause);
    operations += 1;
    const now = time();
    if (now - warnedAt < LIMITS.shedWarningInterval) return;
    logger.warn(
      { cause, org: org === '' ? null : org, operations },
      'operations were shed: the server is overloaded',
    );
    warnedAt = now;
    operations = 0;
  };
}
