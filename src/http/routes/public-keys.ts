import type { RouteOptions } from 'fastify';
import type { Keys } from '../../auth/keys.ts';
import { LIMITS } from '../../core/limits.ts';
import { READABLE_BY_ALL } from '../hooks/cors.ts';

/** The route of the public keys that verify access tokens (RFC 7517). */
export const publicKeysRoute = (keys: Keys): RouteOptions => ({
  method: 'GET',
  url: '/.well-known/jwks.json',
  handler: async (_request, reply) => {
    // No other request may have caused a read for hours.
    await keys.refresh();
    return reply
      .headers({ 'cache-control': `public, max-age=${LIMITS.publicKeysAge / 1000}`, ...READABLE_BY_ALL })
      .send(keys.publicJwks());
  },
});
