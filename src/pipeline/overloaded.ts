import { ApiError } from '../core/errors.ts';

/** Seconds after which a client that was turned away may come back; random between these, so that not all do so at once. */
const RETRY_AFTER = { least: 1, most: 3 };

/** What an operation is turned away with. */
export function overloaded(): ApiError {
  const { least, most } = RETRY_AFTER;
  return new ApiError('overloaded', { retryAfter: least + Math.floor(Math.random() * (most - least + 1)) });
}
