/** Idempotency keys, and what distinguishes requests with the same key. */
import { createHmac, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Secrets } from '../core/vault.ts';

/** A string of RFC 9651 (section 3.3.3): in quotes, with quotes and backslashes escaped by a backslash. */
const QUOTED = /^"(?<escaped>(?:[^"\\]|\\["\\])*)"$/;

/** Visible ASCII, which needs no encoding in a header and contains no look-alikes. */
const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Parses an idempotency key, unquoted or as the quoted string that draft-ietf-httpapi-idempotency-key-header requires: both are the same key.
 *
 * @throws ApiError `invalid_idempotency_key`, also for a header that was sent twice: it is joined with ", ", which has a space.
 */
export function readKey(text: string): string {
  const escaped = QUOTED.exec(text)?.groups?.['escaped'];
  const key = escaped === undefined ? text : escaped.replace(/\\(.)/g, '$1');
  const isWhole = escaped !== undefined || !text.startsWith('"');
  if (isWhole && key.length <= LIMITS.idempotencyKeyLength && VISIBLE.test(key)) return key;
  throw new ApiError('invalid_idempotency_key');
}

/**
 * Returns the fingerprint of a request for each secret: an HMAC over the coerced arguments in canonical form (RFC 8785), so that neither the
 * order of members nor the door matters. It is keyed, since arguments such as a payment source must not be guessable.
 */
export function fingerprintsOf(
  secrets: Secrets,
  args: Readonly<Record<string, unknown>>,
): readonly [string, ...string[]] {
  // Coerced arguments consist of JSON values, and of dates, which have a form in JSON. A null member means the same as an absent
  // one: which of the two it is depends on the door.
  const said: unknown = JSON.parse(JSON.stringify(args, (_name, value: unknown) => value ?? undefined));
  const text = canonicalize(said) ?? '';
  const seal = (secret: KeyObject) => createHmac('sha256', secret).update(text).digest('base64url');
  const [newest, ...older] = secrets;
  return [seal(newest), ...older.map(seal)];
}
