import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The key for counting per network: an IPv4 address, or the /64 of an IPv6 address, which is a single client's (RFC 6177). */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // The zone of a link-local address is the name of an interface, such as `br-1f2e` or `eth0.100`, which the parser does not accept.
  const parsed = ipaddr.IPv6.parse(address.replace(/%.*$/, ''));
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
