/**
 * How a key is written: `pk_<id>_<secret>`. The id stands in clear, so that the row is found by its primary key and a
 * person can distinguish keys; the secret has 256 random bits.
 */
import { createHash } from 'node:crypto';

export const SECRET_BYTES = 32;

/**
 * An id of 15 digits is an exact number. 43 characters carry 32 bytes; the last of them has 4 bits, and so one of 16
 * values: one key is one string.
 */
const SHAPE = /^pk_(?<id>[1-9][0-9]{0,14})_(?<secret>[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

/** What the key with this id begins with. */
export const apiKeyPrefix = (id: number): string => `pk_${id}_`;

/** The parts of a key, undefined for a text that cannot be one. */
export function parseApiKey(text: string): { readonly id: number; readonly secret: string } | undefined {
  const { id, secret } = SHAPE.exec(text)?.groups ?? {};
  return id === undefined || secret === undefined ? undefined : { id: Number(id), secret };
}

/** What is stored of a secret. It has too much entropy to be guessed, so a fast hash without salt is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
