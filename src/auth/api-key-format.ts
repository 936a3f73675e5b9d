/**
 * The format of an API key: `pk_<id>_<secret>`. The id is readable, so that the row can be found by its primary key and people can
 * distinguish keys.
 */
import { SECRET_PATTERN } from './random-secrets.ts';

/** An id of 15 digits is an exact number. */
const SHAPE = new RegExp(`^pk_(?<id>[1-9][0-9]{0,14})_(?<secret>${SECRET_PATTERN})$`);

/** The prefix of the key with this id. */
export const apiKeyPrefix = (id: number): string => `pk_${id}_`;

/** Splits a key into its parts; undefined for a text that cannot be a key. */
export function parseApiKey(text: string): { readonly id: number; readonly secret: string } | undefined {
  const { id, secret } = SHAPE.exec(text)?.groups ?? {};
  return id === undefined || secret === undefined ? undefined : { id: Number(id), secret };
}
