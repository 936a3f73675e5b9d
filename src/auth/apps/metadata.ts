/** Validates the metadata of apps before it is stored: the authorization server relies on it. */
import { createPublicKey } from 'node:crypto';
import type { ErrorDetail } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';
import { LIMITS } from '../../core/limits.ts';
import { problemWithUri } from '../../core/uri.ts';
import type { AppRow } from '../../db/rows.ts';

/** Loopback hosts (RFC 8252, section 7.3). */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A private-use URI scheme of a native app: a reversed domain name, so it contains a dot (RFC 8252, section 7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** A host name or an IP address. A URL may have other characters in its host, such as `;` and `*`, which no host has. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)$/;

function problemWithRedirectUri(uri: string, type: AppRow['type']): string | undefined {
  if (uri.length > LIMITS.redirectUriLength)
    return `must have at most ${LIMITS.redirectUriLength} characters`;
  const url = URL.parse(uri);
  if (!url || /[\s\p{Cc}]/u.test(uri)) return 'must be an absolute URL';
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  const problem = problemWithUri(uri);
  if (problem !== undefined) return problem;
  const isOnWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isOnWeb && !HOST.test(url.hostname)) return 'must have a host name or an IP address';
  if (url.protocol === 'https:') {
    // The authorization server serves no native app with such a URI: it would have to claim the host.
    return type === 'native' && LOOPBACK.has(url.hostname) ? 'must be http for a loopback host' : undefined;
  }
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) ? undefined : 'must be https, or http for a loopback host';
  }
  if (type === 'native' && PRIVATE_SCHEME.test(url.protocol)) return undefined;
  return type === 'native' ? 'must be https, loopback, or a scheme with a dot' : 'must be https';
}

/** Where an app may send people: with a code, and after they have signed out (OpenID Connect RP-Initiated Logout 1.0). */
export type RedirectUris = Pick<AppRow, 'redirectUris' | 'postLogoutRedirectUris'>;

/** @param before the URIs that the app has already. They were valid when they were added, and rules may have been added since. */
export function problemsWithRedirectUris(
  { redirectUris, postLogoutRedirectUris }: RedirectUris,
  type: AppRow['type'],
  before?: RedirectUris,
): ErrorDetail[] {
  const [path, afterSignOut] = ['input.redirectUris', 'input.postLogoutRedirectUris'];
  const isMissing = type === 'web' && redirectUris.length === 0;
  return [
    ...(isMissing ? [{ path, message: 'must have at least one element' }] : []),
    ...problemsWithUris(redirectUris, type, path, before?.redirectUris),
    ...problemsWithUris(postLogoutRedirectUris, type, afterSignOut, before?.postLogoutRedirectUris),
  ];
}

function problemsWithUris(
  uris: readonly string[],
  type: AppRow['type'],
  path: string,
  kept: readonly string[] = [],
): ErrorDetail[] {
  if (type === 'service' && uris.length > 0) {
    return [{ path, message: 'must be empty: a service app does not redirect people' }];
  }
  return uris.flatMap((uri, index) => {
    const message = kept.includes(uri) ? undefined : problemWithRedirectUri(uri, type);
    return message === undefined ? [] : [{ path: `${path}.${index}`, message }];
  });
}

/** @param kept the present URL, as for redirect URIs. */
export function problemsWithHomepage(
  url: string | null | undefined,
  path: string,
  kept?: string | null,
): ErrorDetail[] {
  if (url == null || url === kept) return [];
  const parsed = URL.parse(url);
  const isOnWeb = parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '';
  const message = isOnWeb ? problemWithUri(url) : 'must be an https URL';
  return message === undefined ? [] : [{ path, message }];
}

/** The algorithms with which apps may sign assertions, by the kind of key: its curve, or RSA. */
const KEY_ALGORITHMS = {
  Ed25519: ['EdDSA', 'Ed25519'],
  'P-256': ['ES256'],
  RSA: ['PS256', 'RS256'],
} as const;

export const ASSERTION_ALGORITHMS = Object.values(KEY_ALGORITHMS).flat();

/** The members of private and symmetric keys (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

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

/** A key that is accepted can be used: the authorization server ignores keys of other kinds, and serves no app with malformed members. */
function problemWithKey(key: unknown): string | undefined {
  if (!isRecord(key)) return 'must be a JWK';
  if (PRIVATE_MEMBERS.some((member) => member in key)) {
    return 'must be a public key, without private members';
  }
  const { kty, crv, kid, alg, use, key_ops: operations, x5c } = key;
  const kind = kty === 'RSA' ? kty : crv;
  const [, algorithms] = Object.entries(KEY_ALGORITHMS).find(([each]) => each === kind) ?? [];
  if (!algorithms) return 'must be an RSA key, or have the curve P-256 or Ed25519';
  if (alg !== undefined && !algorithms.some((each) => each === alg)) {
    return `must have the alg ${algorithms.join(' or ')}, or none`;
  }
  if (use !== undefined && use !== 'sig') return 'must have the use "sig", or none';
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return 'must have the key_ops "verify", or none';
  }
  if (kid !== undefined && !isText(kid)) return 'must have a text as kid, or none';
  if (x5c !== undefined && !(Array.isArray(x5c) && x5c.every(isText))) {
    return 'must have a list of texts as x5c, or none';
  }
  return problemWithPublicKey(key);
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Node checks whether the members form a key. Its type of a JWK allows any members. */
function problemWithPublicKey(key: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const { asymmetricKeyDetails: details } = createPublicKey({ key, format: 'jwk' });
    // Shorter keys verify no RS256 or PS256 (RFC 7518, sections 3.3 and 3.5).
    return (details?.modulusLength ?? RSA_BITS) < RSA_BITS ? `must have ${RSA_BITS} bits or more` : undefined;
  } catch {
    return 'must be a public key';
  }
}

const RSA_BITS = 2048;
