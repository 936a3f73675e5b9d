/** The audit log. */
import { HOUR } from './units.ts';

export const AUDIT = {
  /** Maximum characters of a client's IP address: the longest form of IPv6, with a zone. Proxies could report anything. */
  clientAddressLength: 64,
  /** Milliseconds in which wrong passwords for one account are counted together. */
  auditPeriod: 1 * HOUR,
  /**
   * Maximum entries for wrong passwords of one account in that time: one for each of the first addresses, and one for all others.
   * An attacker causes at most 240 a day, from however many addresses.
   */
  auditLikenesses: 10,
} as const;
