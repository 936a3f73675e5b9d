/** Validates the metadata of apps before it is stored: the authorization server relies on it. */
import { createPublicKey } from 'node:crypto';
import type { ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import type { AppRow } from '../../db/rows.ts';

/** Loopback hosts (RFC 8252, section 7.3). */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A private-use URI scheme of a native app: a reversed domain name, so it contains a dot (RFC 8252, section 7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * A host name or an IP address. A URL may have other characters in its host, such as `;` and `*`, which mean something else in the
 * Content-Security-Policy of the pages that redirect there.
 */
export const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)$/;

function problemWithRedirectUri(uri: string, type: AppRow['type']): string | undefined {
  if (uri.length > LIMITS.redirectUriLength)
    return `must have at most ${LIMITS.redirectUriLength} characters`;
  const url = URL.parse(uri);
  if (!url || /[\s\p{Cc}]/u.test(uri)) return 'must be an absolute URL';
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  const isOnWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isOnWeb && !HOST.test(url.hostname)) return 'must have a host name or an IP address';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) ? undefined : 'must be https, or http for a loopback host';
  }
  if (type === 'native' && PRIVATE_SCHEME.test(url.protocol)) return undefined;
  return type === 'native' ? 'must be https, loopback, or a scheme with a dot' : 'must be https';
}

/** @param kept URIs that the app has already. They were valid when they were added, and rules may have been added since. */
export function problemsWithRedirectUris(
  uris: readonly string[],
  type: AppRow['type'],
  path: string,
  kept: readonly string[] = [],
): ErrorDetail[] {
  if (type === 'service' && uris.length > 0) {
    return [{ path, message: 'must be empty: a service app does not redirect people' }];
  }
  if (type === 'web' && uris.length === 0) return [{ path, message: 'must have at least one element' }];
  return uris.flatMap((uri, index) => {
    const message = kept.includes(uri) ? undefined : problemWithRedirectUri(uri, type);
    return message === undefined ? [] : [{ path: `${path}.${index}`, message }];
  });
}

export function problemsWithHomepage(url: string | null | undefined, path: string): ErrorDetail[] {
  if (url == null) return [];
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return [];
  return [{ path, message: 'must be an https URL' }];
}

/** The types of keys with which apps may sign assertions. */
const KEY_TYPES: ReadonlySet<unknown> = new Set(['EC', 'RSA', 'OKP']);

/** Returns the problems of a set of public keys. A private key is refused: it must not be disclosed to the server. */
export function problemsWithJwks(jwks: unknown, path: string): ErrorDetail[] {
  const keys = isRecord(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > LIMITS.appKeys) {
    return [{ path, message: `must be an object with "keys", a list of 1 to ${LIMITS.appKeys} public JWKs` }];
  }
  if (JSON.stringify(jwks).length > LIMITS.appKeysLength) {
    return [{ path, message: `must have at most ${LIMITS.appKeysLength} characters as JSON` }];
  }
  return keys.flatMap((key: unknown, index) => {
    const message = problemWithKey(key);
    return message === undefined ? [] : [{ path: `${path}.keys.${index}`, message }];
  });
}

function problemWithKey(key: unknown): string | undefined {
  if (typeof key !== 'object' || key === null) return 'must be a JWK';
  if ('d' in key || 'k' in key) return 'must be a public key, without private members';
  if (!('kty' in key) || !KEY_TYPES.has(key.kty)) return 'must have kty EC, RSA or OKP';
  try {
    // Node checks whether the members form a key. Its type of a JWK allows any members.
    createPublicKey({ key: key as Readonly<Record<string, string>>, format: 'jwk' });
    return undefined;
  } catch {
    return 'must be a public key';
  }
}
