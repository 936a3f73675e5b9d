/** The audit log. */
import { HOUR } from './units.ts';

export const AUDIT = {
  /** Characters of the IP address of a client: the longest that IPv6 writes, with a zone. Proxies could report anything. */
  clientAddressLength: 64,
  /** Milliseconds in which wrong passwords for one account are counted together. */
  auditPeriod: 1 * HOUR,
  /**
   * Entries for wrong passwords of one account in that time: one for each of the first addresses, and one for all others. A guesser makes
   * 240 in a day at most, however many addresses it has.
   */
  auditLikenesses: 10,
} as const;
