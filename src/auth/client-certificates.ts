import { ApiError, type ErrorDetail } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { BoundDatabase } from '../db/bound.ts';
import {
  countClientCertificates,
  findUsableCertificates,
  insertClientCertificate,
  revokeClientCertificate,
  touchClientCertificate,
} from '../db/queries/client-certificates.ts';
import type { ClientCertificateRow } from '../db/rows.ts';
import { type Commits, recordChange } from './changes.ts';
import { type NewCredential, OwnedCredentials } from './owned-credentials.ts';
import type { Principal } from './policy.ts';

export interface NewClientCertificate extends NewCredential {
  readonly match: CertificateMatch;
}

/**
 * Client certificates as credentials of machines (mutual TLS). A registered certificate acts for the person who registered it,
 * like an API key. The TLS handshake, or a trusted proxy, has checked that it is valid and from a trusted authority.
 */
export class ClientCertificates extends OwnedCredentials {
  protected readonly kind = 'certificate';
  protected readonly revoked = 'client_certificate.revoked';
  protected readonly revokeRow = revokeClientCertificate;
  protected readonly touchRow = touchClientCertificate;
  protected readonly countRows = countClientCertificates;
  protected readonly maximum = { count: LIMITS.clientCertificates, name: 'client certificates' };

  /**
   * Registers a certificate for the caller.
   *
   * @param work runs the change.
   * @throws ApiError `validation_failed` naming each invalid value, `conflict` for a match that is already registered or when the organisation has
   *   the maximum number of certificates, and the errors of `recordChange`.
   */
  async register(
    caller: Principal,
    input: NewClientCertificate,
    work: Commits,
  ): Promise<ClientCertificateRow> {
    const columns = this.columnsOf(caller, input, storedMatch(input.match, 'input.match'));
    return work.commit(async (tx) => {
      await this.requireBelowMaximum(tx, columns.org);
      const row = await insertClientCertificate(tx, columns);
      const { org, name, match, scopes, expiresAt } = columns;
      const data = { name, match, scopes, expires_at: expiresAt?.toISOString() ?? null };
      const event = { org, type: 'client_certificate.created', subjectId: row.id, data } as const;
      await recordChange(tx, caller, event, this.options.clock);
      return row;
    });
  }

  /**
   * Verifies a certificate. The principal has the current role of the person who registered it, and those scopes of the
   * registration that this role includes.
   *
   * @throws ApiError `invalid_token` for a certificate that is not registered, was revoked, or matches several registrations of
   *   one kind or of several organisations; `token_expired` if it or its registration has expired; `unavailable` when the
   *   database cannot be read.
   */
  async verify(certificate: PresentedCertificate): Promise<Principal> {
    const { database, clock } = this.options;
    const { thumbprint, validFrom, validTo } = certificate;
    const now = clock();
    if (now < validFrom || now >= validTo) throw expired();
    const matches = matchesOf(certificate);
    if (matches.length > LIMITS.certificateNames) throw refusal('has too many names');
    // The owner is not known yet.
    const flow = { org: ':client-certificates', caller: thumbprint };
    const usable = await findUsableCertificates(new BoundDatabase(database, undefined, flow), { matches });
    const live = usable.filter(({ expiresAt }) => !expiresAt || expiresAt > now);
    const [org, ...others] = new Set(live.map((one) => one.org));
    // Otherwise one organisation could make the machines of another act for it, by registering a more specific match.
    if (others.length > 0) throw refusal('matches registrations of several organisations');
    // An expired registration of the same organisation counts, since a less specific one may give more rights.
    const found = mostSpecific(usable.filter((one) => org === undefined || one.org === org));
    const [row] = found;
    if (!row) throw refusal('is not registered, or was revoked');
    if (found.length > 1) throw refusal('matches several registrations');
    if (row.expiresAt && row.expiresAt <= now) throw expired();
    return this.admit(row, now, validTo.getTime());
  }
}

const refusal = (problem: string) =>
  new ApiError('invalid_token', { message: `The client certificate ${problem}.` });

const expired = () => new ApiError('token_expired', { message: 'The client certificate has expired.' });

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
interface CertificateMatch {
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
  sanUri: { read: (text) => (URL.canParse(text) ? text : undefined), shape: 'must be an absolute URI' },
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
function storedMatch(
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
const matchesOf = ({ thumbprint, sanUris, sanDnsNames }: PresentedCertificate): readonly string[] =>
  [
    PREFIXES.thumbprint + thumbprint,
    ...sanUris.map((uri) => PREFIXES.sanUri + uri),
    ...sanDnsNames.map((name) => PREFIXES.sanDns + name.toLowerCase()),
  ].filter((match) => !/\p{Cc}/u.test(match));

/** Returns the rows with the most specific kind of match. */
function mostSpecific<R extends { readonly match: string }>(rows: readonly R[]): readonly R[] {
  for (const kind of KINDS) {
    const found = rows.filter(({ match }) => match.startsWith(PREFIXES[kind]));
    if (found.length > 0) return found;
  }
  return [];
}
