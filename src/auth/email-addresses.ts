import { invalidValue } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { storedAddress } from '../core/stored-address.ts';

/**
 * Other spellings of one mailbox would be further addresses, each with an account and a limit of messages of its own. The local part is
 * therefore without the special characters of RFC 5322, section 3.2.3, and the domain in ASCII and without a final dot, or the address of a
 * host.
 */
const SHAPE =
  /^[^\s\p{Cc}\p{Cf}\p{Cs}@<>()[\]\\,;:"]+@(?:[\w-]+(?:\.[\w-]+)*|\[(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){3}\]|\[ipv6:[\da-f:]+\])$/u;

/**
 * Validates an email address and returns it as accounts store it.
 *
 * @param path the path of the address in the caller's input.
 * @throws ApiError `validation_failed`.
 */
export function requireEmailAddress(address: string, path: string): string {
  const email = storedAddress(address);
  // Converting can make the text longer, so the limit is checked again.
  if (SHAPE.test(email) && email.length <= LIMITS.emailLength) return email;
  throw invalidValue(path, 'must be an email address');
}

/** The domain of the addresses of apps, which receives no mail (RFC 2606, section 2). */
export const APP_DOMAIN = 'apps.invalid';

/**
 * Validates the address of a new person like {@link requireEmailAddress}. With the address of an app's member, a person of one organisation
 * could keep the app out of another one: an address has one account on the server.
 *
 * @throws ApiError `validation_failed`.
 */
export function requireAddressOfPerson(address: string, path: string): string {
  const email = requireEmailAddress(address, path);
  if (email.endsWith(`@${APP_DOMAIN}`))
    throw invalidValue(path, `must not be in ${APP_DOMAIN}, the domain of apps`);
  return email;
}
