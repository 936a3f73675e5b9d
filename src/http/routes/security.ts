import type { RouteOptions } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../core/clock.ts';
import { DAY } from '../../core/limits.ts';

/** Milliseconds until the file expires: less than a year, as RFC 9116, section 2.5.5, recommends. */
const VALID_FOR = 180 * DAY;

/** Seconds for which clients may cache the file. */
const MAX_AGE = 86_400;

/** Returns the route of the contact for vulnerability reports (RFC 9116); none if no contact is configured. */
export function securityRoutes(
  { publicUrl, securityContact }: Pick<Config['http'], 'publicUrl' | 'securityContact'>,
  clock: Clock,
): RouteOptions[] {
  if (securityContact === '') return [];
  const url = '/.well-known/security.txt';
  const handler: RouteOptions['handler'] = (_request, reply) => {
    const expires = new Date(Math.floor((clock().getTime() + VALID_FOR) / DAY) * DAY);
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', `public, max-age=${MAX_AGE}`)
      .send(
        `Contact: ${securityContact}\nExpires: ${expires.toISOString()}\nCanonical: ${publicUrl}${url}\n`,
      );
  };
  return [{ method: 'GET', url, handler }];
}
