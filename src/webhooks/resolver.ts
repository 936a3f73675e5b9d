import { Resolver } from 'node:dns/promises';
import { LIMITS } from '../core/limits.ts';
import type { Resolve } from './targets.ts';

/**
 * Asks the name servers of this machine. Unlike `dns.lookup` that takes no thread, of which there are four: a name server
 * that never answers, which the owner of a webhook may run, would block the hashing of passwords.
 */
export function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: LIMITS.nameTimeout, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
