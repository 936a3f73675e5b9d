/** Signing keys: generates them, validates them as read from the key file, and derives their public part. */
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  webcrypto,
} from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { isRecord } from '../core/json.ts';
import { SECRET_PATTERN } from './random-secrets.ts';

/** A private Ed25519 key in the form of RFC 8037, with the members that this server reads. */
export interface PrivateJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  /** Seconds since the epoch after which the key no longer verifies tokens. Absent while it signs. */
  readonly exp?: number;
}

/** The part of a key that `/.well-known/jwks.json` publishes. */
export type PublicJwk = Omit<PrivateJwk, 'd' | 'exp'>;

export interface Key {
  readonly kid: string;
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicKey: webcrypto.CryptoKey;
  readonly publicJwk: PublicJwk;
  /** The whole key, for a library that does its own signing. It never leaves the process. */
  readonly privateJwk: Omit<PrivateJwk, 'exp'>;
  /** Seconds since the epoch; `Infinity` while the key signs. */
  readonly expiresAt: number;
  /**
   * Derives a secret of 32 bytes that only a holder of the private key can compute. Each purpose gives a different secret.
   *
   * @param purpose one of a few, since results are cached: deriving a secret takes 25 us.
   */
  secret(purpose: string): KeyObject;
}

const SECRET_BYTES = 32;

/** Canonical base64url of 32 bytes. */
const BYTES_32 = new RegExp(`^${SECRET_PATTERN}$`);

/** The allowed form of a `kid`. It is part of every token and of logs, so it must be short and harmless. */
const KID = /^[A-Za-z0-9._-]{1,64}$/;

/** Generates a key. Its `kid` is its thumbprint (RFC 7638). */
export async function generateJwk(): Promise<PrivateJwk> {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  if (d === undefined || x === undefined) throw new Error('The generated Ed25519 key has no d or x.');
  return complete(d, x);
}

async function complete(d: string, x: string): Promise<PrivateJwk> {
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid, alg: 'EdDSA', use: 'sig' };
}

/**
 * Validates a key from a file. Unknown members are dropped; a missing `kid` becomes the thumbprint.
 *
 * @throws Error that names the problem and never quotes key material.
 */
export async function parseJwk(value: unknown): Promise<PrivateJwk> {
  if (!isRecord(value)) throw new Error('must be an object');
  const { kty, crv, d, x, kid, alg, use, exp } = value;
  if (kty !== 'OKP' || crv !== 'Ed25519') throw new Error('must have kty "OKP" and crv "Ed25519"');
  if (typeof d !== 'string' || !BYTES_32.test(d)) throw new Error('must have the private member d, 32 bytes');
  if (typeof x !== 'string' || !BYTES_32.test(x)) throw new Error('must have the public member x, 32 bytes');
  if (alg !== undefined && alg !== 'EdDSA') throw new Error('must have alg "EdDSA" or none');
  if (use !== undefined && use !== 'sig') throw new Error('must have use "sig" or none');
  if (kid !== undefined && (typeof kid !== 'string' || !KID.test(kid))) {
    throw new Error('must have a kid of 1 to 64 letters, digits, dots, underscores and hyphens');
  }
  if (exp !== undefined && !Number.isSafeInteger(exp))
    throw new Error('must have exp in whole seconds or none');
  const privateKey = createPrivateKey({ key: { kty, crv, d, x }, format: 'jwk' });
  if (createPublicKey(privateKey).export({ format: 'jwk' }).x !== x)
    throw new Error('has an x that does not belong to its d');
  const named = await complete(d, x);
  return { ...named, ...(kid !== undefined && { kid }), ...(exp !== undefined && { exp: Number(exp) }) };
}

/** Imports a validated key. The private key object is not extractable. */
export async function importKey(jwk: PrivateJwk): Promise<Key> {
  const { d, exp, ...publicJwk } = jwk;
  const { kty, crv, x } = jwk;
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('jwk', { kty, crv, d, x }, 'Ed25519', false, ['sign']),
    webcrypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', true, ['verify']),
  ]);
  const material = Buffer.from(d, 'base64url');
  const secrets = new Map<string, KeyObject>();
  return {
    kid: jwk.kid,
    privateKey,
    publicKey,
    publicJwk,
    privateJwk: { ...publicJwk, d },
    expiresAt: exp ?? Number.POSITIVE_INFINITY,
    secret(purpose) {
      let secret = secrets.get(purpose);
      if (!secret) {
        const bytes = hkdfSync('sha256', material, '', purpose, SECRET_BYTES);
        secret = createSecretKey(new Uint8Array(bytes));
        secrets.set(purpose, secret);
      }
      return secret;
    },
  };
}
