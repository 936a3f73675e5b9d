import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** A string of RFC 9651 (section 3.3.3): in quotes, with quotes and backslashes escaped by a backslash. */
const QUOTED = /^"(?<escaped>(?:[^"\\]|\\["\\])*)"$/;

/** Visible ASCII, which needs no encoding in a header and contains no look-alikes. */
const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Parses an idempotency key, which clients send unquoted, or as the quoted string that the draft of the header `Idempotency-Key`
 * requires (draft-ietf-httpapi-idempotency-key-header). Both forms are the same key.
 *
 * @throws ApiError `invalid_idempotency_key`. A header that was sent twice arrives as one value joined with ", ", and is refused
 *   because of the space.
 */
export function readKey(text: string): string {
  const escaped = QUOTED.exec(text)?.groups?.['escaped'];
  const key = escaped === undefined ? text : escaped.replace(/\\(.)/g, '$1');
  const isWhole = escaped !== undefined || !text.startsWith('"');
  if (isWhole && key.length <= LIMITS.idempotencyKeyLength && VISIBLE.test(key)) return key;
  throw new ApiError('invalid_idempotency_key');
}
