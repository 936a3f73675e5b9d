/**
 * Refresh tokens. The database stores only their hashes.
 *
 * The first token of a session is random. Each further one is an HMAC of its predecessor with a secret derived from the key file,
 * so that any instance can issue the same successor again to a client whose response was lost, although no instance stores it.
 * Computing a valid token requires an older one and the key file; a copy of the database does not help. If the successor were
 * stored encrypted in the row instead, a backup and an older token would be sufficient.
 *
 * The keys may have been rotated between the first response and the second. So the successor is computed with each key, and the
 * one whose hash is stored is the one that was issued. Keys stay in the file for weeks after a rotation, and a successor is
 * issued again only for seconds.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { TokenFormat } from './random-secrets.ts';

export const REFRESH_TOKEN = new TokenFormat('prt_');

/** The purpose for which the secrets are derived from the keys. */
export const SUCCESSOR_PURPOSE = 'portico refresh token successor 1';

/** The successor of a token; always the same for the same secret. */
export function successorOf(token: string, secret: KeyObject): string {
  return REFRESH_TOKEN.prefix + createHmac('sha256', secret).update(token).digest('base64url');
}
