/** Secrets of apps: `pas_` and 256 random bits. The database has their hashes only. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret, SECRET_BYTES } from '../api-key-format.ts';

const PREFIX = 'pas_';

export const newAppSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

/** What is stored of a secret. */
export const hashAppSecret = (secret: string): string => hashSecret(secret).toString('base64url');

/** True when the secret has this hash, in a time that does not depend on where they differ. */
export const isAppSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(hashSecret(secret), Buffer.from(hash, 'base64url'));
