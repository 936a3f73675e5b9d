import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** A string of RFC 9651 (section 3.3.3): in quotes, with a backslash before each quote and backslash in it. */
const QUOTED = /^"(?<escaped>(?:[^"\\]|\\["\\])*)"$/;

/** Visible ASCII: what stands in a header as it is, and looks like nothing else. */
const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Reads an idempotency key as clients write it: bare, or as the string that the draft of the header `Idempotency-Key` asks
 * for (draft-ietf-httpapi-idempotency-key-header). Both forms are the same key.
 *
 * @throws ApiError `invalid_idempotency_key`. A header that was sent twice arrives as one with ", " in it, and is refused
 *   for its blank.
 */
export function readKey(text: string): string {
  const escaped = QUOTED.exec(text)?.groups?.['escaped'];
  const key = escaped === undefined ? text : escaped.replace(/\\(.)/g, '$1');
  const isWhole = escaped !== undefined || !text.startsWith('"');
  if (isWhole && key.length <= LIMITS.idempotencyKeyLength && VISIBLE.test(key)) return key;
  throw new ApiError('invalid_idempotency_key');
}
