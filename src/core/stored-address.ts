import { domainToASCII } from 'node:url';
import { LIMITS } from './limits.ts';

/** A domain with letters beyond ASCII. */
const INTERNATIONAL = /^(?=.*[^\0-\x7f])[\p{L}\p{M}\p{N}.。．｡-]+$/u;

/**
 * Returns an email address as accounts store it, so that every spelling of a mailbox is that of one account: in lower case, in NFC, since
 * keyboards encode accented letters in two ways, and with the domain in ASCII (RFC 5891), as browsers send the value of an email field. A
 * text that is too long for an address only gets lower case: normalizing it could take seconds.
 */
export function storedAddress(address: string): string {
  const lower = address.toLowerCase();
  if (lower.length > LIMITS.emailLength) return lower;
  const normalized = lower.normalize('NFC');
  const start = normalized.lastIndexOf('@') + 1;
  const domain = normalized.slice(start);
  // What cannot be converted stays as it is.
  const ascii = start > 0 && INTERNATIONAL.test(domain) ? domainToASCII(domain) : '';
  return ascii === '' ? normalized : normalized.slice(0, start) + ascii;
}
