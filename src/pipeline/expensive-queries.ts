import type { Flow } from '../core/fair-queue.ts';
import { FairSlots } from '../core/fair-slots.ts';
import { LIMITS } from '../core/limits.ts';
import type { ShedCause } from '../observability/metrics.ts';
import { overloaded } from './overloaded.ts';

/**
 * The places for expensive queries. Waiting queries are served fairly between organisations and between their callers.
 *
 * @param onShed called for each query that is shed because too many are waiting.
 */
export function createExpensiveQueries(onShed: (cause: ShedCause, flow: Flow) => void): FairSlots {
  return new FairSlots({
    slots: LIMITS.expensiveQueries,
    capacity: LIMITS.waitingExpensiveQueries,
    refusal: (_cause, flow) => {
      onShed('queue_full', flow);
      return overloaded();
    },
  });
}
