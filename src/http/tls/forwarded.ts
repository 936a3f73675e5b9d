/** Client certificates that a proxy has verified and forwards in a header. */
import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CertificateHeader } from '../../core/environment.ts';
import { ApiError, malformed } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ReadForwarded, TrustProxy } from '../parts.ts';
import { noteCertificate } from './presented.ts';

interface Format {
  readonly headers: readonly string[];
  /** Returns the certificate as PEM or DER; undefined if the client has presented none. @throws ApiError. */
  read(headers: IncomingHttpHeaders): string | Buffer | undefined;
}

/** PEM in percent encoding, as nginx and Envoy write it. */
const ESCAPED_PEM = /^(?:[\w.~+/=*'()!-]|%[\dA-Fa-f]{2})+$/;

/**
 * The elements of Envoy's header, the pairs of an element, and its quoted parts. A quoted part ends at the end of the header if it is not
 * closed: searching for the end again from each further quote would take time that grows with the square of the length.
 */
const ELEMENTS = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g;
const PAIRS = /(?:[^;"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g;
const QUOTED_PARTS = /"(?:[^"\\]|\\.)*("|\\?$)/g;

/** Whether a quoted part is not closed. What a proxy appends to such a header would be inside of it. */
const isUnclosed = (header: string): boolean => header.matchAll(QUOTED_PARTS).some(([, end]) => end !== '"');

/** The supported formats. Only the configured one is read. */
const FORMATS: Readonly<Record<CertificateHeader, Format>> = {
  /** A byte sequence in a structured field (RFC 9440, section 2.2). */
  rfc9440: {
    headers: ['client-cert'],
    read({ 'client-cert': value }) {
      if (value === undefined) return undefined;
      const [, der] = /^:([A-Za-z\d+/]+={0,2}):$/.exec(String(value)) ?? [];
      if (der === undefined) throw malformed('Client-Cert must be one byte sequence.');
      return Buffer.from(der, 'base64');
    },
  },
  /** `$ssl_client_escaped_cert` and `$ssl_client_verify` of ngx_http_ssl_module. */
  nginx: {
    headers: ['x-ssl-client-cert', 'x-ssl-client-verify'],
    read({ 'x-ssl-client-cert': pem, 'x-ssl-client-verify': verified }) {
      if (verified === 'NONE' && pem === undefined) return undefined;
      if (verified !== 'SUCCESS') {
        throw new ApiError('invalid_token', {
          message: 'The proxy could not verify the client certificate.',
        });
      }
      return unescaped(pem, 'X-SSL-Client-Cert');
    },
  },
  /** Envoy's header, with the key `Cert`. */
  xfcc: {
    headers: ['x-forwarded-client-cert'],
    read({ 'x-forwarded-client-cert': value }) {
      const header = String(value);
      const elements = header.match(ELEMENTS) ?? [];
      if (elements.length !== 1 || isUnclosed(header))
        throw malformed('X-Forwarded-Client-Cert must name one client.');
      const pairs = elements[0]?.match(PAIRS) ?? [];
      const named = pairs.flatMap((pair) => /^cert="?([^"]*)"?$/i.exec(pair.trim())?.[1] ?? []);
      if (named.length !== 1) throw malformed('X-Forwarded-Client-Cert must have one Cert.');
      return unescaped(named[0], 'X-Forwarded-Client-Cert');
    },
  },
};

interface ForwardedOptions {
  readonly format: CertificateHeader;
  /** Whether an address is a proxy's. */
  readonly trusts: TrustProxy;
  /** Returns the certificates of the authorities of clients; undefined to accept all certificates that the proxy accepts. */
  readonly authorities: () => readonly X509Certificate[] | undefined;
}

/**
 * Creates a reader of forwarded certificates.
 *
 * @returns a function that throws ApiError `malformed_request` for a header that is repeated, invalid or not from a proxy's address,
 *   and `invalid_token` for a certificate that was not verified.
 */
export function createForwardedReader({ format, trusts, authorities }: ForwardedOptions): ReadForwarded {
  const { headers: names, read } = FORMATS[format];
  const known = new LRUCache<string, X509Certificate>({ max: LIMITS.forwardedCertificates });
  const parse = (text: string | Buffer): X509Certificate => {
    const key = typeof text === 'string' ? text : text.toString('base64');
    const certificate = known.get(key) ?? parsed(text);
    known.set(key, certificate);
    return certificate;
  };
  return (request) => {
    const given = names.filter((name) => request.headers[name] !== undefined);
    const isProxy = trusts(request.socket.remoteAddress ?? '', 0);
    if (!isProxy && given.length > 0) {
      throw malformed(`${given.join(' and ')} may only come from a proxy in TRUST_PROXY.`);
    }
    for (const name of given) {
      if (request.headersDistinct[name]?.length !== 1) throw malformed(`${name} may appear only once.`);
    }
    const text = given.length > 0 ? read(request.headers) : undefined;
    if (text === undefined) {
      // The proxy may have a certificate of its own.
      if (isProxy) noteCertificate(request, undefined);
      return;
    }
    const certificate = parse(text);
    if (!isIssuedBy(certificate, authorities())) {
      throw new ApiError('invalid_token', { message: 'The client certificate is from another authority.' });
    }
    noteCertificate(request, certificate);
  };
}

/** Creates the hook that reads the client certificate which a proxy forwards. */
export function readCertificate(read: ReadForwarded): onRequestHookHandler {
  return (request, _reply, done) => {
    read(request.raw);
    done();
  };
}

function unescaped(value: string | string[] | undefined, name: string): string {
  if (typeof value !== 'string' || !ESCAPED_PEM.test(value))
    throw malformed(`${name} is not an escaped PEM.`);
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw malformed(`${name} is not an escaped PEM.`, cause);
  }
}

function parsed(text: string | Buffer): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw malformed('The header of the client certificate does not contain a certificate.', cause);
  }
}

function isIssuedBy(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[] | undefined,
): boolean {
  return (
    authorities?.some(
      (authority) =>
        authority.validToDate.getTime() > Date.now() &&
        certificate.checkIssued(authority) &&
        certificate.verify(authority.publicKey),
    ) ?? true
  );
}
