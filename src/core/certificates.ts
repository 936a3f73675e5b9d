/** Reads certificates and revocation lists from PEM files, and how long they are valid. */
import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const REVOCATION_LIST = /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/g;

/** Returns the certificates in a PEM file. */
export const certificatesIn = (pem: Buffer): readonly X509Certificate[] =>
  (pem.toString('latin1').match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each));

/** Returns the revocation lists in a PEM file as separate texts: Node reads only the first list of a text. */
export const revocationListsIn = (pem: Buffer): readonly string[] =>
  pem.toString('latin1').match(REVOCATION_LIST) ?? [];

/** Returns when the first authority's last revocation list expires; undefined if none expires. */
export function revocationsEnd(pem: Buffer): Date | undefined {
  const ends = new Map<string, number>();
  for (const { issuer, end } of listsIn(pem)) {
    ends.set(issuer, Math.max(end, ends.get(issuer) ?? 0));
  }
  const first = Math.min(...ends.values());
  return Number.isFinite(first) ? new Date(first) : undefined;
}

/**
 * Returns the subjects of the authorities that have no revocation list. If there is a list at all, OpenSSL refuses every certificate
 * in a chain whose issuer has none (`X509_V_FLAG_CRL_CHECK_ALL`, which Node sets).
 */
export function withoutRevocations(authorities: readonly X509Certificate[], pem: Buffer): readonly string[] {
  const listed = new Set(listsIn(pem).map(({ issuer }) => issuer));
  // A list that cannot be parsed here could be that of any authority.
  if (listed.has('')) return [];
  return authorities
    .filter(({ raw }) => !listed.has(subjectOf(raw)))
    .map(({ subject }) => subject.replaceAll('\n', ', '));
}

/** What `readUIntBE` takes. */
const MAX_LENGTH_BYTES = 6;

const TAGS = { sequence: 0x30, utcTime: 0x17, generalizedTime: 0x18 };

interface RevocationList {
  /** The DER of its name in base64; empty if the list is not DER. */
  readonly issuer: string;
  /** Milliseconds since the epoch; infinity if the list does not expire. */
  readonly end: number;
}

const listsIn = (pem: Buffer): readonly RevocationList[] =>
  [...pem.toString('latin1').matchAll(REVOCATION_LIST)].map(([, base64 = '']) =>
    readList(Buffer.from(base64, 'base64')),
  );

/** Parses the issuer and `nextUpdate` of a revocation list (RFC 5280, section 5.1), which Node does not provide. */
function readList(der: Buffer): RevocationList {
  const fields = signedFieldsOf(der);
  const [, issuer] = fields.filter(({ tag }) => tag === TAGS.sequence);
  const [, nextUpdate] = fields.filter(({ tag }) => tag === TAGS.utcTime || tag === TAGS.generalizedTime);
  return {
    issuer: issuer?.content.toString('base64') ?? '',
    end: nextUpdate ? timeOf(nextUpdate) : Number.POSITIVE_INFINITY,
  };
}

/** The subject of a certificate (RFC 5280, section 4.1), encoded like the issuer of its lists (section 4.1.2.6). */
function subjectOf(der: Buffer): string {
  const [, , , subject] = signedFieldsOf(der).filter(({ tag }) => tag === TAGS.sequence);
  return subject?.content.toString('base64') ?? '';
}

/** The fields of the signed part of a certificate or a revocation list. */
function signedFieldsOf(der: Buffer): readonly Value[] {
  const [outer] = valuesIn(der);
  const [signed] = outer ? valuesIn(outer.content) : [];
  return signed ? [...valuesIn(signed.content)] : [];
}

interface Value {
  readonly tag: number;
  readonly content: Buffer;
}

/** Iterates over consecutive DER values. */
function* valuesIn(der: Buffer): Generator<Value> {
  for (let at = 0; at + 1 < der.length; ) {
    const tag = der.readUInt8(at);
    const short = der.readUInt8(at + 1);
    const bytes = short < 0x80 ? 0 : short - 0x80;
    // BER, which OpenSSL reads as well: the dates are informational, and are not worth refusing the file.
    if (short === 0x80 || bytes > MAX_LENGTH_BYTES) return;
    const start = at + 2 + bytes;
    const end = start + (bytes === 0 ? short : der.readUIntBE(at + 2, bytes));
    yield { tag, content: der.subarray(start, end) };
    at = end;
  }
}

/** Parses a time: `YYMMDDhhmmssZ` until 2049, `YYYYMMDDhhmmssZ` from 2050 on. */
function timeOf({ tag, content }: Value): number {
  const text = `${tag === TAGS.utcTime ? '20' : ''}${content.toString('latin1')}`;
  return Date.parse(text.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
