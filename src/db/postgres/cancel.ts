import { connect } from 'node:net';
import type { PoolClient } from 'pg';
import { LIMITS } from '../../core/limits.ts';

/** The code of a CancelRequest in place of a protocol version (PostgreSQL, section 53.7). */
const CANCEL_REQUEST = 80_877_102;

/** What a client knows of its session; the driver's types leave it out. */
interface Session {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
}

/**
 * Has the server end what runs on a connection. The request goes on a connection of its own, without signing in, and poolers pass
 * it on. Should it not arrive, `statement_timeout` ends the statement.
 */
export function cancelRunning(client: PoolClient): void {
  const { processID, secretKey, host, port } = client as unknown as Session;
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(LIMITS.connectTimeout, () => socket.destroy());
  // No caller waits for the outcome: the statement was already rejected.
  socket.on('error', () => socket.destroy());
  // The server ends the connection when it has taken the request. PgBouncer 1.18 crashes when the client does so before.
  socket.resume();
  socket.write(request);
}
