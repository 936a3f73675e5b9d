import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';

/** Limits the number of concurrent exports, in total and by organisation. */
export class ExportPlaces {
  readonly #of = new Map<string, number>();
  #taken = 0;

  /** Number of running exports. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place.
   *
   * @returns a function that releases the place, and does nothing when it is called again.
   * @throws ApiError `too_many_exports` if the organisation has its maximum, `overloaded` if no place is free.
   */
  enter(org: string): () => void {
    const own = this.#of.get(org) ?? 0;
    const retryAfter = LIMITS.exportRetryAfter;
    if (own >= LIMITS.exportsPerOrganisation) throw new ApiError('too_many_exports', { retryAfter });
    if (this.#taken >= LIMITS.exportsAtOnce) {
      throw new ApiError('overloaded', {
        message: 'The server runs its maximum number of exports. Retry after the delay in Retry-After.',
        retryAfter,
      });
    }
    this.#taken += 1;
    this.#of.set(org, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      const left = (this.#of.get(org) ?? 1) - 1;
      if (left === 0) this.#of.delete(org);
      else this.#of.set(org, left);
    };
  }
}
