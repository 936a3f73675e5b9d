/** The client certificate of a request: of its connection, or as a trusted proxy names it. It was verified in both cases. */
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { PresentedCertificate } from '../../auth/certificate-matches.ts';

/** Of requests that came through a proxy. */
const forwarded = new WeakMap<IncomingMessage, X509Certificate>();

/** Of connections, whose client shows one certificate for as long as it is connected. */
const connected = new WeakMap<Socket, X509Certificate>();

const read = new WeakMap<X509Certificate, PresentedCertificate>();

/** Notes the certificate that a trusted proxy has verified. */
export function noteCertificate(request: IncomingMessage, certificate: X509Certificate): void {
  forwarded.set(request, certificate);
}

/** The certificate that the client of a request holds the key of; undefined for a client that has shown none. */
export function certificateOf(request: IncomingMessage): X509Certificate | undefined {
  const { socket } = request;
  return forwarded.get(request) ?? (socket instanceof TLSSocket ? ofConnection(socket) : undefined);
}

/** The same by what it is recognised by. */
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

/** The names of one kind among a certificate's subject alternative names. */
export function namesIn({ subjectAltName = '' }: X509Certificate, kind: 'URI' | 'DNS'): readonly string[] {
  const prefix = `${kind}:`;
  // Node quotes names with commas in JSON strings.
  return [...subjectAltName.matchAll(/(?:^|, )((?:[A-Za-z ]+):(?:"(?:[^"\\]|\\.)*"|[^,]*))/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .map((name) => (name.startsWith('"') ? String(JSON.parse(name)) : name));
}
