import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** An address that mail could be sent to, by its form. */
const SHAPE = /^[^\s\p{Cc}\p{Cf}\p{Cs}@]+@[^\s\p{Cc}\p{Cf}\p{Cs}@]+$/u;

/**
 * An email address as accounts have it, in lower case.
 *
 * @param path where it stands in what the caller sent.
 * @throws ApiError `validation_failed`.
 */
export function checkedAddress(address: string, path: string): string {
  const email = address.toLowerCase();
  // Lower case can be longer than what was sent, so that the bound is looked at once more.
  if (SHAPE.test(email) && email.length <= LIMITS.emailLength) return email;
  throw new ApiError('validation_failed', { details: [{ path, message: 'must be an email address' }] });
}
