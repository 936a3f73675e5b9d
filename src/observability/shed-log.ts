import type { Logger } from 'pino';
import { monotonicTime } from '../core/clock.ts';
import type { Flow } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import type { Metrics, ShedCause } from './metrics.ts';

/**
 * Counts each operation that is turned away, and warns of them: of the first at once, and then at most once in a while, with how
 * many there were since.
 *
 * @param time milliseconds that have passed since some moment.
 */
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
      'operations were turned away: there is more to do than can be done',
    );
    warnedAt = now;
    operations = 0;
  };
}
