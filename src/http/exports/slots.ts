import { ApiError } from '../../core/errors.ts';
import { KeyedCounts } from '../../core/keyed-counts.ts';
import { LIMITS } from '../../core/limits.ts';

/** Limits the number of concurrent exports, in total and by organisation. */
export class ExportSlots {
  readonly #byOrganisation = new KeyedCounts<string>();
  /** Number of running exports. */
  taken = 0;

  /**
   * Takes a slot.
   *
   * @returns a function that releases the slot, and does nothing when it is called again.
   * @throws ApiError `too_many_exports` if the organisation has its maximum, `overloaded` if no slot is free.
   */
  enter(org: string): () => void {
    const retryAfter = LIMITS.exportRetryAfter;
    if (this.#byOrganisation.of(org) >= LIMITS.exportsPerOrganisation)
      throw new ApiError('too_many_exports', { retryAfter });
    if (this.taken >= LIMITS.exportsAtOnce) {
      throw new ApiError('overloaded', {
        message: 'The server runs its maximum number of exports. Retry after the delay in Retry-After.',
        retryAfter,
      });
    }
    this.taken += 1;
    this.#byOrganisation.increment(org);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.taken -= 1;
      this.#byOrganisation.decrement(org);
    };
  }
}
