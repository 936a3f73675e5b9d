/** What the tests ask of the PostgreSQL server itself, past the server's code. */
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';

/** Connects for as long as it is used. */
export async function withServer<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Drops databases, each over a connection of its own: the server drops them at the same time. */
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
 * Serves PGlite on a socket, so that the engine under test talks to it with the driver it always uses. There is
 * one session behind all connections, so that they share its prepared statements and only one may be in use.
 */
export async function servePglite(pglite: PGlite): Promise<PgliteServer> {
  // Many, because each server that a test file starts keeps one, and a closed one counts for some time yet.
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0, maxConnections: 100 });
  await server.start();
  return { url: `postgres://postgres@${server.getServerConn()}/postgres`, stop: () => server.stop() };
}
