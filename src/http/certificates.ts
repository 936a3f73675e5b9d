/** The client certificate of a request: of its connection, or as a trusted proxy names it. It was verified in both cases. */
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** Of requests that came through a proxy. */
const forwarded = new WeakMap<IncomingMessage, X509Certificate>();

/** Notes the certificate that a trusted proxy has verified. */
export function noteCertificate(request: IncomingMessage, certificate: X509Certificate): void {
  forwarded.set(request, certificate);
}

/** The certificate that the client of a request holds the key of; undefined for a client that has shown none. */
export function certificateOf(request: IncomingMessage): X509Certificate | undefined {
  const { socket } = request;
  if (socket instanceof TLSSocket) return socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return forwarded.get(request);
}

/** How tokens name a certificate (RFC 8705, section 3.1). */
export const thumbprintOf = ({ fingerprint256 }: X509Certificate): string =>
  Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');

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
