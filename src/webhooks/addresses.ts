import ipaddr from 'ipaddr.js';

/** What IANA has given out as public addresses of IPv6 so far (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');

/**
 * Whether an address is one of the public internet.
 *
 * Everything else is refused by not being in this, rather than by a list of what is dangerous: loopback, private, link-local
 * (where clouds keep their credentials, 169.254.169.254), carrier-grade NAT, multicast, documentation, benchmarking,
 * unspecified and reserved (RFC 6890), and all forms of IPv6 that carry an IPv4 address: mapped, compatible, NAT64, 6to4 and
 * Teredo. A receiver with such an address can be named by its IPv4 address.
 *
 * @param address as `dns` and `URL` write it; anything else is no public address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6, 3);
}

/** 127.0.0.0/8 and ::1, and nothing that merely contains them. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}
