import { createHmac, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Secrets } from '../core/secrets.ts';

/**
 * Returns the fingerprint of a request, which distinguishes requests with the same key: an HMAC over the coerced arguments in
 * canonical form (RFC 8785), so that neither the order of members nor the door matters. It is keyed, since arguments contain
 * values that must not be guessable, such as a payment source.
 *
 * @returns one fingerprint for each secret.
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
