import { domainToASCII } from 'node:url';
import { LIMITS } from './limits.ts';

/** A domain with letters beyond ASCII. */
const INTERNATIONAL = /^(?=.*[^\0-\x7f])[\p{L}\p{M}\p{N}.。．｡-]+$/u;

/** The IPv6 address of a host (RFC 5321, section 4.1.3). */
const HOST = /^\[ipv6:([\da-f:.]+)\]$/;

/** Returns a domain in its one spelling. What cannot be converted stays as it is. */
function storedDomain(domain: string): string {
  const host = HOST.exec(domain)?.[1];
  if (host !== undefined) return URL.parse(`http://[${host}]`)?.hostname.replace('[', '[ipv6:') ?? domain;
  return (INTERNATIONAL.test(domain) && domainToASCII(domain)) || domain;
}

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
  return start === 0 ? normalized : normalized.slice(0, start) + storedDomain(normalized.slice(start));
}
