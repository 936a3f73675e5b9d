/** Direct access of tests to PostgreSQL, without the server's code. */
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';

/** Connects for the duration of a function. */
export async function withServer<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Drops databases concurrently, each over a separate connection. */
export async function dropDatabases(server: string, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) =>
      withServer(server, (client) => client.query(`drop database if exists ${name} with (force)`)),
    ),
  );
}

export interface PgliteServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves PGlite on a socket, so that the engine under test uses its regular driver. All connections share a single session with its
 * prepared statements, so only one of them may be in use.
 */
export async function servePglite(pglite: PGlite): Promise<PgliteServer> {
  // Many, since each server of a test file keeps a connection, and a closed one still counts for some time.
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0, maxConnections: 100 });
  await server.start();
  return { url: `postgres://postgres@${server.getServerConn()}/postgres`, stop: () => server.stop() };
}
