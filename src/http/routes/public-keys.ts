import type { RouteOptions } from 'fastify';
import type { Keys } from '../../auth/keys.ts';

/** Seconds that others may keep our public keys: short against the hour that a retired key still verifies. */
const MAX_AGE = 300;

/** The public keys that verify access tokens (RFC 7517). */
export const publicKeysRoute = (keys: Keys): RouteOptions => ({
  method: 'GET',
  url: '/.well-known/jwks.json',
  handler: (_request, reply) =>
    reply.header('cache-control', `public, max-age=${MAX_AGE}`).send(keys.publicJwks()),
});
