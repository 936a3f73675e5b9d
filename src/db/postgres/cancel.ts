import { connect } from 'node:net';
import type { PoolClient } from 'pg';
import { LIMITS } from '../../core/limits.ts';

/** The code of a CancelRequest, sent in place of a protocol version (PostgreSQL, section 53.7). */
const CANCEL_REQUEST = 80_877_102;

/** The members of a client that identify its session. The driver's types lack them. */
interface Session {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
}

/**
 * Cancels the statement that runs on a connection. The request uses a separate connection without authentication, and poolers forward
 * it. If the request is lost, `statement_timeout` ends the statement.
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
  // No caller waits for the outcome, since the statement was already rejected.
  socket.on('error', () => socket.destroy());
  // The server closes the connection when it has read the request. PgBouncer 1.18 crashes if the client closes it earlier.
  socket.resume();
  socket.write(request);
}
