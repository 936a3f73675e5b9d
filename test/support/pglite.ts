import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

export interface PgliteServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves PGlite on a socket, so that the engine under test talks to it with the driver it always uses. There is
 * one session behind all connections, so that they share its prepared statements and only one may be in use.
 */
export async function servePglite(pglite: PGlite): Promise<PgliteServer> {
  // Many, because each server that a test file starts keeps one, and a closed one counts for some time yet.
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0, maxConnections: 100 });
  await server.start();
  return { url: `postgres://postgres@${server.getServerConn()}/postgres`, stop: () => server.stop() };
}
