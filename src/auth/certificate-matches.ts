/** Matches client certificates by thumbprint or by a subject alternative name (RFC 5280, section 4.2.1.6). */
import type { ErrorDetail } from '../core/errors.ts';
import { problemWithUri } from '../core/uri.ts';

/** A certificate whose key the client has proven to possess, as reported by the connection or a trusted proxy. */
export interface PresentedCertificate {
  /** Its SHA-256, base64url (RFC 8705, section 3.1). */
  readonly thumbprint: string;
  readonly sanUris: readonly string[];
  readonly sanDnsNames: readonly string[];
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** The match that a caller registers: exactly one of the members. */
export interface CertificateMatch {
  readonly thumbprint?: string | null | undefined;
  readonly sanUri?: string | null | undefined;
  readonly sanDns?: string | null | undefined;
}

/** The prefixes of stored matches, the most specific kind first. */
const PREFIXES = { thumbprint: 'thumbprint:', sanUri: 'san_uri:', sanDns: 'san_dns:' } as const;
type Kind = keyof typeof PREFIXES;

const KINDS = Object.keys(PREFIXES) as readonly Kind[];

/** A host name without wildcards (RFC 1123, section 2.1). */
const HOST = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/;

const READERS: Readonly<Record<Kind, { read(text: string): string | undefined; readonly shape: string }>> = {
  thumbprint: {
    read: readThumbprint,
    shape: 'must be the SHA-256 of the certificate: 64 hexadecimal digits, or 43 characters of base64url',
  },
  // Compared exactly (RFC 5280, section 7.4): the schemes of workload identities are case-sensitive.
  sanUri: {
    read: (text) => (URL.canParse(text) && !problemWithUri(text) ? text : undefined),
    shape: 'must be an absolute URI',
  },
  sanDns: {
    read: (text) => (HOST.test(text.toLowerCase()) ? text.toLowerCase() : undefined),
    shape: 'must be a host name without wildcards',
  },
};

/** Reads a thumbprint in hexadecimal, with or without colons as OpenSSL prints it, or in base64url as in tokens. */
function readThumbprint(text: string): string | undefined {
  const hex = text.replaceAll(':', '');
  if (/^[\da-f]{64}$/i.test(hex)) return Buffer.from(hex, 'hex').toString('base64url');
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 32 && bytes.toString('base64url') === text ? text : undefined;
}

/** Returns the stored form of a match, or its problem. @param path the path of the match in the caller's arguments. */
export function storedMatch(
  match: CertificateMatch,
  path: string,
): { readonly match: string } | { readonly problem: ErrorDetail } {
  const given = KINDS.filter((kind) => match[kind] != null);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    return { problem: { path, message: 'must have exactly one of its members' } };
  }
  const { read, shape } = READERS[kind];
  const value = read(match[kind] ?? '');
  return value === undefined
    ? { problem: { path: `${path}.${kind}`, message: shape } }
    : { match: PREFIXES[kind] + value };
}

/** Converts a stored match back to its members. */
export function shownMatch(stored: string): Readonly<Record<Kind, string | null>> {
  const valueFor = (kind: Kind) =>
    stored.startsWith(PREFIXES[kind]) ? stored.slice(PREFIXES[kind].length) : null;
  return { thumbprint: valueFor('thumbprint'), sanUri: valueFor('sanUri'), sanDns: valueFor('sanDns') };
}

/** All stored forms that a certificate matches. Names that cannot be registered are left out: PostgreSQL text cannot have a NUL. */
export const matchesOf = ({ thumbprint, sanUris, sanDnsNames }: PresentedCertificate): readonly string[] =>
  [
    PREFIXES.thumbprint + thumbprint,
    ...sanUris.map((uri) => PREFIXES.sanUri + uri),
    ...sanDnsNames.map((name) => PREFIXES.sanDns + name.toLowerCase()),
  ].filter((match) => !/\p{Cc}/u.test(match));

/** Returns the rows with the most specific kind of match. */
export function mostSpecific<R extends { readonly match: string }>(rows: readonly R[]): readonly R[] {
  for (const kind of KINDS) {
    const found = rows.filter(({ match }) => match.startsWith(PREFIXES[kind]));
    if (found.length > 0) return found;
  }
  return [];
}
