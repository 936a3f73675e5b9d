/** The client certificate of a request: that of its connection, or one that a trusted proxy forwards. Both are verified. */
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { PresentedCertificate } from '../../auth/certificate-matches.ts';

/** Certificates of requests that came through a proxy; undefined for clients that presented none to it. */
const forwarded = new WeakMap<IncomingMessage, X509Certificate | undefined>();

/** Certificates of connections. A client presents only one for the duration of a connection. */
const connected = new WeakMap<Socket, X509Certificate>();

const read = new WeakMap<X509Certificate, PresentedCertificate>();

/** Stores the certificate that a trusted proxy has verified, or that there is none: that of the connection is the proxy's. */
export function noteCertificate(request: IncomingMessage, certificate: X509Certificate | undefined): void {
  forwarded.set(request, certificate);
}

/** Returns the certificate whose key the client of a request holds; undefined if it has presented none. */
export function certificateOf(request: IncomingMessage): X509Certificate | undefined {
  const { socket } = request;
  if (forwarded.has(request)) return forwarded.get(request);
  return socket instanceof TLSSocket ? ofConnection(socket) : undefined;
}

/** Returns the properties of the certificate by which it is recognised. */
export function presentedBy(request: IncomingMessage): PresentedCertificate | undefined {
  const certificate = certificateOf(request);
  if (!certificate) return undefined;
  let presented = read.get(certificate);
  if (!presented) {
    presented = {
      thumbprint: Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url'),
      sanUris: namesIn(certificate, 'URI'),
      sanDnsNames: namesIn(certificate, 'DNS'),
      validFrom: certificate.validFromDate,
      validTo: certificate.validToDate,
    };
    read.set(certificate, presented);
  }
  return presented;
}

function ofConnection(socket: TLSSocket): X509Certificate | undefined {
  if (!socket.authorized) return undefined;
  const known = connected.get(socket);
  if (known) return known;
  const certificate = socket.getPeerX509Certificate();
  if (certificate) connected.set(socket, certificate);
  return certificate;
}

/** Returns the subject alternative names of one kind. */
export function namesIn({ subjectAltName = '' }: X509Certificate, kind: 'URI' | 'DNS'): readonly string[] {
  const prefix = `${kind}:`;
  // Node writes names with commas as JSON strings.
  return [...subjectAltName.matchAll(/(?:^|, )((?:[A-Za-z ]+):(?:"(?:[^"\\]|\\.)*"|[^,]*))/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .map((name) => (name.startsWith('"') ? String(JSON.parse(name)) : name));
}
