/** What client certificates are recognised by: their thumbprint, or one of their subject alternative names (RFC 5280, section 4.2.1.6). */
import type { ErrorDetail } from '../core/errors.ts';

/** What a client has proven to hold the key of, as the connection or a trusted proxy reports it. */
export interface PresentedCertificate {
  /** Its SHA-256, base64url (RFC 8705, section 3.1). */
  readonly thumbprint: string;
  readonly sanUris: readonly string[];
  readonly sanDnsNames: readonly string[];
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** What a caller registers: exactly one of the members. */
export interface CertificateMatch {
  readonly thumbprint?: string | null | undefined;
  readonly sanUri?: string | null | undefined;
  readonly sanDns?: string | null | undefined;
}

/** How matches are stored, the most specific first. */
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
  // Compared as it is (RFC 5280, section 7.4): the schemes of workload identities are case-sensitive.
  sanUri: { read: (text) => (URL.canParse(text) ? text : undefined), shape: 'must be an absolute URI' },
  sanDns: {
    read: (text) => (HOST.test(text.toLowerCase()) ? text.toLowerCase() : undefined),
    shape: 'must be a host name without wildcards',
  },
};

/** As OpenSSL prints it, with or without colons, or as tokens have it. */
function readThumbprint(text: string): string | undefined {
  const hex = text.replaceAll(':', '');
  if (/^[\da-f]{64}$/i.test(hex)) return Buffer.from(hex, 'hex').toString('base64url');
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 32 && bytes.toString('base64url') === text ? text : undefined;
}

/** The stored form of a match, or what is wrong with it. @param path where it stands among the caller's arguments. */
export function storedMatch(
  match: CertificateMatch,
  path: string,
): { readonly stored: string } | { readonly problem: ErrorDetail } {
  const given = KINDS.filter((kind) => match[kind] != null);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    return { problem: { path, message: 'must have exactly one of its members' } };
  }
  const { read, shape } = READERS[kind];
  const value = read(match[kind] ?? '');
  return value === undefined
    ? { problem: { path: `${path}.${kind}`, message: shape } }
    : { stored: PREFIXES[kind] + value };
}

/** A stored match as it was registered. */
export function shownMatch(stored: string): Readonly<Record<Kind, string | null>> {
  const valueFor = (kind: Kind) =>
    stored.startsWith(PREFIXES[kind]) ? stored.slice(PREFIXES[kind].length) : null;
  return { thumbprint: valueFor('thumbprint'), sanUri: valueFor('sanUri'), sanDns: valueFor('sanDns') };
}

/** All stored forms that a certificate fits. Names that cannot be registered are left out: PostgreSQL takes no NUL in a text. */
export const matchesOf = ({ thumbprint, sanUris, sanDnsNames }: PresentedCertificate): readonly string[] =>
  [
    PREFIXES.thumbprint + thumbprint,
    ...sanUris.map((uri) => PREFIXES.sanUri + uri),
    ...sanDnsNames.map((name) => PREFIXES.sanDns + name.toLowerCase()),
  ].filter((match) => !/\p{Cc}/u.test(match));

/** Those of the rows that fit a certificate most specifically. */
export function mostSpecific<R extends { readonly match: string }>(rows: readonly R[]): readonly R[] {
  for (const kind of KINDS) {
    const found = rows.filter(({ match }) => match.startsWith(PREFIXES[kind]));
    if (found.length > 0) return found;
  }
  return [];
}
