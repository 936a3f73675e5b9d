/**
 * Signatures of messages between servers according to Standard Webhooks 1.0.0 (standardwebhooks.com): an HMAC-SHA256 over
 * id, timestamp and body, in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * The package `standardwebhooks` computes them. Its own `verify` uses the system clock and parses `12x` as 12, so the headers
 * are parsed here.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { isIdentifier } from './characters.ts';
import { LIMITS } from './limits.ts';

const PREFIX = 'whsec_';

/** Bytes of a new secret; Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32;

const SECRET = /^whsec_(?<base64>[A-Za-z0-9+/]{32,86}={0,2})$/;

/** How an incoming message is signed: the values of `@rest(signed:)`. */
export type SignatureScheme = 'STANDARD_WEBHOOKS' | 'STRIPE';

export interface SignedMessage {
  readonly id: string;
  readonly scheme: SignatureScheme;
}

type SignatureHeaders = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

/** Headers as received, by lower-case name. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * `genuine`: the message was signed recently, with one of the secrets. `incomplete`: a header is missing, sent twice, or
 * malformed. `untimely`: the message is too old, so possibly replayed by an attacker, or from the future. `forged`: no signature
 * matches any of the secrets.
 */
export type Verdict = 'genuine' | 'incomplete' | 'untimely' | 'forged';

/** Generates a secret: `whsec_` and 256 random bits in base64. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Whether a text is a secret: `whsec_` and the canonical base64 of 24 to 64 bytes. */
export function isSigningSecret(text: string): boolean {
  const base64 = SECRET.exec(text)?.groups?.['base64'];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}

/** Signs a message with each of the secrets, of which there are two during a rotation. `timestamp` is that of the attempt. */
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

/** Verifies an incoming message, whose time differs from `now` by at most {@link LIMITS.signatureTolerance}. `body` has the bytes as received. */
export function verifyMessage(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  body: Uint8Array,
  now: Date,
): Verdict {
  const id = headers['webhook-id'];
  const seconds = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!isIdentifier(id) || typeof seconds !== 'string' || typeof signatures !== 'string') {
    return 'incomplete';
  }
  if (signatures === '' || !/^\d{1,12}$/.test(seconds)) return 'incomplete';
  const timestamp = new Date(Number(seconds) * 1000);
  if (Math.abs(now.getTime() - timestamp.getTime()) > LIMITS.signatureTolerance) return 'untimely';
  // Signatures are computed over text, and different invalid bytes could decode to the same text.
  if (!isUtf8(body)) return 'forged';
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  const expected = signaturesOf(secrets, id, timestamp, Buffer.from(body).toString());
  // Compare all pairs, so that timing does not reveal which secret matched.
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
