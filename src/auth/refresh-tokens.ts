/**
 * Refresh tokens: opaque strings with 256 random bits. The database stores only their hashes.
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
import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'prt_';
const TOKEN_BYTES = 32;

/** 43 characters carry 32 bytes; the last one carries 4 bits, so only 16 values are accepted. */
const SHAPE = /^prt_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The purpose for which the secrets are derived from the keys. */
export const SUCCESSOR_PURPOSE = 'portico refresh token successor 1';

export const isRefreshToken = (text: string): boolean => SHAPE.test(text);

export const newRefreshToken = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored hash of a token. A token has too much entropy to be guessed, so a fast hash without salt is enough. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The successor of a token; always the same for the same secret. */
export function successorOf(token: string, secret: KeyObject): string {
  return PREFIX + createHmac('sha256', secret).update(token).digest('base64url');
}
