import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { responseOn } from '../lifecycle/connections.ts';
import type { Port, TlsFiles } from './files.ts';

/** Connections whose certificate was checked against previous authorities or revocations. */
const outdated = new WeakSet<Socket>();

/** Whether a client should reconnect, so that its certificate is checked again. */
export const isOutdated = (socket: Socket): boolean => outdated.has(socket);

/**
 * Closes an outdated connection, also one with a stream: its certificate may be revoked, and its client could use it as long as it wants.
 * Clients do not reconnect all at the same time, and a response that is being sent has time to end.
 */
function close(socket: Socket): void {
  const patience = LIMITS.outdatedConnection;
  const end = () => {
    if (responseOn(socket)) setTimeout(() => socket.destroy(), patience).unref();
    else socket.destroy();
  };
  outdated.add(socket);
  // Its client reconnects when new connections no longer count as outdated.
  setTimeout(end, LIMITS.handshakeTimeout + Math.random() * patience).unref();
}

/**
 * Creates a server that terminates TLS on the connections that it receives as `connection` events, and passes them on to the HTTP
 * server. It does not listen itself. New files apply to new connections; open ones stay, unless other clients are trusted now.
 */
export function createTlsServer(http: HttpServer, files: TlsFiles, port: Port): Server {
  const options = () => files.optionsFor(port);
  const server = createServer({
    ...options(),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: LIMITS.handshakeTimeout,
  });
  /** The connections with a client certificate. */
  const open = new Set<Socket>();
  let changedAt = Number.NEGATIVE_INFINITY;
  files.onChange((isTrustChanged) => {
    server.setSecureContext(options());
    if (!isTrustChanged) return;
    changedAt = monotonicTime();
    for (const socket of open) close(socket);
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    // A resumed session counts as authorized without a certificate in Node.
    if (port === 'certified') {
      if (!socket.getPeerX509Certificate()) return socket.destroy();
      open.add(socket);
      // Its handshake may have begun before the change, so its certificate may have been checked against the previous files.
      if (monotonicTime() - changedAt <= LIMITS.handshakeTimeout) close(socket);
      socket.once('close', () => open.delete(socket));
    }
    return http.emit('connection', socket);
  });
  // Clients that do not speak TLS, or present no accepted certificate.
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  return server;
}
