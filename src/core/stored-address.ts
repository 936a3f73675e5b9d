import { LIMITS } from './limits.ts';

/**
 * Returns an email address as accounts store it: in lower case, and in NFC, since keyboards encode accented letters in two ways. A text that
 * is too long for an address only gets lower case: normalizing it could take seconds.
 */
export function storedAddress(address: string): string {
  const lower = address.toLowerCase();
  return lower.length > LIMITS.emailLength ? lower : lower.normalize('NFC');
}
