import { invalidValue } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** The form of an email address. */
const SHAPE = /^[^\s\p{Cc}\p{Cf}\p{Cs}@]+@[^\s\p{Cc}\p{Cf}\p{Cs}@]+$/u;

/**
 * Validates an email address and returns it as accounts store it, in lower case.
 *
 * @param path the path of the address in the caller's input.
 * @throws ApiError `validation_failed`.
 */
export function requireEmailAddress(address: string, path: string): string {
  const email = address.toLowerCase();
  // Converting to lower case can make the text longer, so the limit is checked again.
  if (SHAPE.test(email) && email.length <= LIMITS.emailLength) return email;
  throw invalidValue(path, 'must be an email address');
}
