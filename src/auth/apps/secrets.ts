/** Secrets of apps: `pas_` and 256 random bits. The database stores only their hashes. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret, SECRET_BYTES } from '../api-key-format.ts';

const PREFIX = 'pas_';

export const newAppSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

/** The stored hash of a secret. */
export const hashAppSecret = (secret: string): string => hashSecret(secret).toString('base64url');

/** Whether the secret has this hash, compared in constant time. */
export const isAppSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(hashSecret(secret), Buffer.from(hash, 'base64url'));
