import { ApiError } from '../core/errors.ts';

/** Seconds after which a client that was shed may retry: random between these, so that clients do not all retry at once. */
const RETRY_AFTER = { least: 1, most: 3 };

/** The error of an operation that is shed. */
export function overloaded(): ApiError {
  const { least, most } = RETRY_AFTER;
  return new ApiError('overloaded', { retryAfter: least + Math.floor(Math.random() * (most - least + 1)) });
}
