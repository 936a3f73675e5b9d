/** What the tests ask of the PostgreSQL server itself, past the server's code. */
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
