import ipaddr from 'ipaddr.js';

/** The only range of public IPv6 addresses that IANA has allocated so far (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');

/**
 * Whether an address belongs to the public internet.
 *
 * This is an allow list, not a list of dangerous addresses, so it refuses everything else: loopback, private, link-local
 * (clouds serve credentials at 169.254.169.254), carrier-grade NAT, multicast, documentation, benchmarking, unspecified and
 * reserved addresses (RFC 6890), and all IPv6 addresses that embed an IPv4 address: mapped, compatible, NAT64, 6to4 and
 * Teredo. A receiver with such an address can use its IPv4 address instead.
 *
 * @param address in the form that `dns` and `URL` return; any other form is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6, 3);
}

/** Whether an address is in 127.0.0.0/8 or is ::1. IPv6 addresses that embed one of these are not loopback addresses. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}
