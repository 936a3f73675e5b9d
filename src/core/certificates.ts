/** Certificates and lists of revoked ones in PEM files, and until when they are valid. */
import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const REVOCATION_LIST = /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/g;

/** The certificates in a PEM file. */
export const certificatesIn = (pem: Buffer): readonly X509Certificate[] =>
  (pem.toString('latin1').match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each));

/** The revocation lists in a PEM file, each by itself: Node reads the first one of a text alone. */
export const revocationListsIn = (pem: Buffer): readonly string[] =>
  pem.toString('latin1').match(REVOCATION_LIST) ?? [];

/** When the first authority has no valid revocation list any more; undefined for lists without an end. */
export function revocationsEnd(pem: Buffer): Date | undefined {
  const ends = new Map<string, number>();
  for (const [, base64 = ''] of pem.toString('latin1').matchAll(REVOCATION_LIST)) {
    const { issuer, end } = datesOf(Buffer.from(base64, 'base64'));
    ends.set(issuer, Math.max(end, ends.get(issuer) ?? 0));
  }
  const first = Math.min(...ends.values());
  return Number.isFinite(first) ? new Date(first) : undefined;
}

const TAGS = { sequence: 0x30, utcTime: 0x17, generalizedTime: 0x18 };

/** The issuer of a revocation list, and when the next list is due, of which Node knows neither. RFC 5280, section 5.1. */
function datesOf(der: Buffer): { readonly issuer: string; readonly end: number } {
  const [list] = valuesIn(der);
  const [signed] = list ? valuesIn(list.content) : [];
  const fields = signed ? [...valuesIn(signed.content)] : [];
  const [, issuer] = fields.filter(({ tag }) => tag === TAGS.sequence);
  const [, nextUpdate] = fields.filter(({ tag }) => tag === TAGS.utcTime || tag === TAGS.generalizedTime);
  return {
    issuer: issuer?.content.toString('base64') ?? '',
    end: nextUpdate ? timeOf(nextUpdate) : Number.POSITIVE_INFINITY,
  };
}

interface Value {
  readonly tag: number;
  readonly content: Buffer;
}

/** Values of DER that follow each other. */
function* valuesIn(der: Buffer): Generator<Value> {
  for (let at = 0; at + 1 < der.length; ) {
    const tag = der.readUInt8(at);
    const short = der.readUInt8(at + 1);
    const bytes = short < 0x80 ? 0 : short - 0x80;
    const start = at + 2 + bytes;
    const end = start + (bytes === 0 ? short : der.readUIntBE(at + 2, bytes));
    yield { tag, content: der.subarray(start, end) };
    at = end;
  }
}

/** `YYMMDDhhmmssZ` until 2049, and `YYYYMMDDhhmmssZ` from 2050 on. */
function timeOf({ tag, content }: Value): number {
  const text = `${tag === TAGS.utcTime ? '20' : ''}${content.toString('latin1')}`;
  return Date.parse(text.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
