/**
 * Refresh tokens: opaque strings with 256 random bits. The database has their hashes only.
 *
 * The first of a session is random. Each further one is an HMAC of its predecessor under a secret of the key
 * ring, so that a client whose response was lost can be given the same successor by any instance, although none
 * has stored it. To compute a live token takes an older one and the key file; a copy of the database adds
 * nothing. Keeping the successor sealed in the row instead would let a backup and an older token do.
 *
 * The ring may have been rotated between the first answer and the second. So the successor is computed with
 * each of its keys, and the one whose hash is stored is the one that was given; keys stay in the ring for an
 * hour after their rotation, and the question is asked for seconds.
 */
import { createHash, createHmac, type KeyObject } from 'node:crypto';

const PREFIX = 'prt_';
const TOKEN_BYTES = 32;

/** 43 characters carry 32 bytes; the last of them has 4 bits, and so one of 16 values. */
const SHAPE = /^prt_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Names the use that the ring's secrets are derived for. */
export const SUCCESSOR_PURPOSE = 'portico refresh token successor 1';

export const isRefreshToken = (text: string): boolean => SHAPE.test(text);

export function newRefreshToken(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** What is stored of a token. It has too much entropy to be guessed, so a fast hash without salt is enough. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The token that follows this one; always the same for the same secret. */
export function successorOf(token: string, secret: KeyObject): string {
  return PREFIX + createHmac('sha256', secret).update(token).digest('base64url');
}
