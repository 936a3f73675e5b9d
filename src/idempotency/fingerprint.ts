import { createHmac, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Secrets } from '../core/secrets.ts';

/**
 * What distinguishes two requests under one key: a seal over the coerced arguments in their canonical form (RFC 8785), so
 * that neither the order of members nor the door makes a difference. It is keyed, since arguments hold things that
 * must not be guessable, such as a payment source.
 *
 * @returns one for each secret.
 */
export function fingerprintsOf(
  secrets: Secrets,
  args: Readonly<Record<string, unknown>>,
): readonly [string, ...string[]] {
  // Coerced arguments are made of what JSON has, and of moments, which have a form in JSON. A member that is null says what
  // one that is missing says: which of the two it is depends on the door.
  const said: unknown = JSON.parse(JSON.stringify(args, (_name, value: unknown) => value ?? undefined));
  const text = canonicalize(said) ?? '';
  const seal = (secret: KeyObject) => createHmac('sha256', secret).update(text).digest('base64url');
  const [newest, ...older] = secrets;
  return [seal(newest), ...older.map(seal)];
}
