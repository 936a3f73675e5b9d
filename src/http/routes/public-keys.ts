import type { RouteOptions } from 'fastify';
import type { Keys } from '../../auth/keys.ts';
import { READABLE_BY_ALL } from '../hooks/cors.ts';

/** Seconds for which clients may cache the public keys: short compared with the hour for which a retired key still verifies. */
const MAX_AGE = 300;

/** The route of the public keys that verify access tokens (RFC 7517). */
export const publicKeysRoute = (keys: Keys): RouteOptions => ({
  method: 'GET',
  url: '/.well-known/jwks.json',
  handler: (_request, reply) =>
    reply
      .headers({ 'cache-control': `public, max-age=${MAX_AGE}`, ...READABLE_BY_ALL })
      .send(keys.publicJwks()),
});
