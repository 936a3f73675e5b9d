/**
 * Signatures of messages between servers, as Standard Webhooks 1.0.0 has them (standardwebhooks.com): an HMAC-SHA256 over
 * id, timestamp and body, in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * The package `standardwebhooks` computes them. Its own `verify` goes by the system's clock and takes `12x` for 12, so the
 * headers are read here.
 */
import { isUtf8 } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { LIMITS } from './limits.ts';

const PREFIX = 'whsec_';

/** Bytes of a secret that is made here; Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32;

/** Base64 of 24 to 64 bytes, in the one spelling that encoding them gives. */
const SECRET = /^whsec_(?<base64>[A-Za-z0-9+/]{32,86}={0,2})$/;

/** How a message that comes in is signed, as `@rest(signed:)` names it. */
export type SignatureScheme = 'STANDARD_WEBHOOKS' | 'STRIPE';

export interface SignedMessage {
  readonly id: string;
  readonly scheme: SignatureScheme;
}

export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** Headers as they came, by lower-case name. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * `genuine`: one of the secrets signed exactly this, and lately. `incomplete`: a header is missing, given twice, or cannot be
 * read. `untimely`: too old, so possibly replayed by an attacker, or from the future. `forged`: no
 * signature is that of a secret.
 */
export type Verdict = 'genuine' | 'incomplete' | 'untimely' | 'forged';

/** A new secret: `whsec_` and 256 random bits, in base64. */
export function newSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

/** Whether a text is a secret: `whsec_` and base64 of 24 to 64 bytes. */
export function isSigningSecret(text: string): boolean {
  const base64 = SECRET.exec(text)?.groups?.['base64'];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}

/**
 * Signs a message with each of the secrets, so that a receiver with one of them can verify it. Two are in use while one is
 * being replaced by the other.
 *
 * @param timestamp when this attempt to deliver it is made; the second is what counts.
 */
export function signMessage(
  secrets: readonly string[],
  id: string,
  timestamp: Date,
  body: string,
): SignatureHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': signaturesOf(secrets, id, timestamp, body).join(' '),
  };
}

/**
 * Judges a message that came in.
 *
 * @param body its bytes as they came: a body that was parsed and written again has another signature.
 * @param now differs from the message's timestamp by at most {@link LIMITS.signatureTolerance}.
 */
export function verifyMessage(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  body: Uint8Array,
  now: Date,
): Verdict {
  const id = headers['webhook-id'];
  const seconds = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof signatures !== 'string') {
    return 'incomplete';
  }
  if (id === '' || signatures === '' || !/^\d{1,12}$/.test(seconds)) return 'incomplete';
  const timestamp = new Date(Number(seconds) * 1000);
  if (Math.abs(now.getTime() - timestamp.getTime()) > LIMITS.signatureTolerance) return 'untimely';
  // Text is what gets signed, and different bytes that are no text could become the same one.
  if (!isUtf8(body)) return 'forged';
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  const expected = signaturesOf(secrets, id, timestamp, Buffer.from(body).toString());
  // All pairs are compared, so that timing does not reveal which secret matched.
  const matches = expected.flatMap((one) => given.filter((other) => isSame(one, other)));
  return matches.length > 0 ? 'genuine' : 'forged';
}

function signaturesOf(secrets: readonly string[], id: string, timestamp: Date, body: string): string[] {
  return secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
