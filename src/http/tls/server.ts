import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Port, TlsFiles } from './files.ts';

/** Connections whose certificate was checked against authorities or revocations of before. */
const outdated = new WeakSet<Socket>();

/** Whether a client should open another connection, to be checked again. */
export const isOutdated = (socket: Socket): boolean => outdated.has(socket);

/**
 * Speaks TLS with the connections that it is given as events `connection`, and hands them on to the server. It does not listen by
 * itself. New files count for connections from then on; those that are open stay.
 */
export function createTlsServer(http: HttpServer, files: TlsFiles, port: Port): Server {
  const options = () => files.optionsFor(port);
  const server = createServer({
    ...options(),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: LIMITS.handshakeTimeout,
  });
  const open = new Set<TLSSocket>();
  let changedAt = Number.NEGATIVE_INFINITY;
  files.onChange(({ isTrustChanged }) => {
    server.setSecureContext(options());
    if (!isTrustChanged) return;
    changedAt = monotonicTime();
    for (const socket of open) outdated.add(socket);
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    // A resumed session counts as authorized without a certificate in Node.
    if (port === 'certified') {
      if (!socket.getPeerX509Certificate()) return socket.destroy();
      open.add(socket);
      // Its handshake may have begun before the change, and was checked against what was before then.
      if (monotonicTime() - changedAt <= LIMITS.handshakeTimeout) outdated.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    return http.emit('connection', socket);
  });
  // Clients that speak no TLS, or show no certificate that is accepted.
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  return server;
}
