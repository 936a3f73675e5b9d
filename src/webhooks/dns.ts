import { Resolver } from 'node:dns/promises';
import { LIMITS } from '../core/limits.ts';
import type { Resolve } from './targets.ts';

/**
 * Creates a resolver that queries the name servers of this machine. Unlike `dns.lookup` it does not occupy one of the four
 * threads of the pool: a name server that never responds, which the owner of a webhook may run, would block password hashing.
 */
export function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: LIMITS.nameTimeout, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
