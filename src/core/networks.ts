import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The key for counting per network: an IPv4 address, or the /64 of an IPv6 address, which is a single client's (RFC 6177). */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const { parts } = ipaddr.IPv6.parse(address);
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
