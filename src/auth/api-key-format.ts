/**
 * The format of an API key: `pk_<id>_<secret>`. The id is readable, so that the row can be found by its primary key and people can
 * distinguish keys. The secret has 256 random bits.
 */
import { createHash } from 'node:crypto';

export const SECRET_BYTES = 32;

/**
 * An id of 15 digits is an exact number. 43 characters carry 32 bytes; the last one carries 4 bits, so only 16 values are
 * accepted: each key has exactly one spelling.
 */
const SHAPE = /^pk_(?<id>[1-9][0-9]{0,14})_(?<secret>[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

/** The prefix of the key with this id. */
export const apiKeyPrefix = (id: number): string => `pk_${id}_`;

/** Splits a key into its parts; undefined for a text that cannot be a key. */
export function parseApiKey(text: string): { readonly id: number; readonly secret: string } | undefined {
  const { id, secret } = SHAPE.exec(text)?.groups ?? {};
  return id === undefined || secret === undefined ? undefined : { id: Number(id), secret };
}

/** The stored hash of a secret. A secret has too much entropy to be guessed, so a fast hash without salt is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
