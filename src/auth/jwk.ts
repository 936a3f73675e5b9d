/** One signing key: how it is made, what a file must say of it, and what the world may see of it. */
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

/** A private Ed25519 key as RFC 8037 writes it, with the members that this server reads. */
export interface PrivateJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  /** Seconds since the epoch after which the key verifies nothing more. Absent while it signs. */
  readonly exp?: number;
}

/** What `/.well-known/jwks.json` shows of a key. */
export type PublicJwk = Omit<PrivateJwk, 'd' | 'exp'>;

export interface Key {
  readonly kid: string;
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicKey: webcrypto.CryptoKey;
  readonly publicJwk: PublicJwk;
  /** The whole key, for a library that signs by itself. It never leaves the process. */
  readonly privateJwk: Omit<PrivateJwk, 'exp'>;
  /** Seconds since the epoch; `Infinity` while the key signs. */
  readonly expiresAt: number;
  /**
   * 32 bytes that only a holder of the private key can compute; another purpose gives other bytes.
   *
   * @param purpose one of few: what was computed is kept, ready for use, which otherwise takes 25 us each time.
   */
  secret(purpose: string): KeyObject;
}

const SECRET_BYTES = 32;

/** Base64url of 32 bytes: 43 characters, of which the last carries 4 bits, and so has 16 spellings. */
const BYTES_32 = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** What a `kid` may look like. It stands in every token and in logs, so it is short and harmless. */
const KID = /^[A-Za-z0-9._-]{1,64}$/;

/** A new key, named by its thumbprint (RFC 7638). */
export async function generateJwk(): Promise<PrivateJwk> {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  if (d === undefined || x === undefined) throw new Error('The platform made an Ed25519 key without d or x.');
  return complete(d, x);
}

async function complete(d: string, x: string): Promise<PrivateJwk> {
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid, alg: 'EdDSA', use: 'sig' };
}

/**
 * Checks a key of a file. Members that are not known are left out; a `kid` that is missing is its thumbprint.
 *
 * @throws Error that says what is wrong and never quotes key material.
 */
export async function parseJwk(value: unknown): Promise<PrivateJwk> {
  const { kty, crv, d, x, kid, alg, use, exp } = members(value);
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
  if (publicMember(d, x) !== x) throw new Error('has an x that does not belong to its d');
  const named = await complete(d, x);
  return { ...named, ...(kid !== undefined && { kid }), ...(exp !== undefined && { exp: Number(exp) }) };
}

function members(value: unknown): Readonly<Record<keyof PrivateJwk, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error('must be an object');
  const { kty, crv, d, x, kid, alg, use, exp }: Partial<Record<keyof PrivateJwk, unknown>> = value;
  return { kty, crv, d, x, kid, alg, use, exp };
}

function publicMember(d: string, x: string): string | undefined {
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return createPublicKey(privateKey).export({ format: 'jwk' }).x;
}

/** Imports a checked key. The private half is not extractable. */
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
