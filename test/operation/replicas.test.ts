/** Streaming replicas of a real primary: the reads that they serve, and the loss of a server. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, PostgresServer } from '../../deploy/postgres.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { BoundDatabase } from '../../src/db/bound.ts';
import { openDatabase } from '../../src/db/open.ts';
import { insertEvent } from '../../src/db/queries/events.ts';
import { reaches, type WalPosition } from '../../src/db/wal-position.ts';
import { signIn } from '../faults/client.ts';
import { freePort, manageServers, type ServerProcess, waitUntil } from '../support/process.ts';

const servers = manageServers(afterAll);
const programs = await findPostgres();

describe.skipIf(programs === undefined)('streaming replicas (Debian’s PostgreSQL)', () => {
  let folder: string;
  let primary: PostgresServer;
  let replicas: readonly [PostgresServer, PostgresServer];
  /** Two instances without Redis, so that each knows only its own writes. */
  let one: ServerProcess;
  let other: ServerProcess;
  let token: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-replicas-'));
    // PostgreSQL runs as another system user.
    await chmod(folder, 0o755);
    primary = await PostgresServer.create(programs ?? '', join(folder, 'primary'), await freePort());
    replicas = [
      await primary.replicate(join(folder, 'first'), await freePort()),
      await primary.replicate(join(folder, 'second'), await freePort()),
    ];
    env = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${replicas[0].port}/postgres`,
      DATABASE_REPLICA_URLS: replicas.map((replica) => replica.url('postgres')).join(),
      AUTH_KEYS_FILE: join(await servers.directory(), 'keys.json'),
      PUBLIC_URL: 'https://portico.test',
    };
    // Creating the demo data reads the same tables. Its sessions report those reads when they end, before the
    // count starts.
    await (await servers.start({ env })).end('SIGTERM');
    one = await servers.start({ env });
    other = await servers.start({ env });
    token = await signIn(one.url);
  });
  afterAll(async () => {
    for (const server of [...(replicas ?? []), primary]) await server?.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const get = (server: ServerProcess, position?: string) =>
    fetch(`${server.url}/v1/users/1`, {
      headers: { authorization: `Bearer ${token}`, ...(position && { 'portico-position': position }) },
    });
  const nameAt = async (server: ServerProcess, position?: string): Promise<unknown> => {
    const response = await get(server, position);
    const { name } = (await response.json()) as { name?: unknown };
    return response.status === 200 ? name : response.status;
  };
  /** Renames the user through GraphQL. @returns the position of the change. */
  const rename = async (server: ServerProcess, name: string): Promise<string> => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation($name: String!) { updateUser(id: 1, input: { name: $name }) { name } }',
        variables: { name },
      }),
    });
    const text = await response.text();
    expect(text).toContain(`"name":${JSON.stringify(name)}`);
    const position = response.headers.get('portico-position') ?? '';
    expect(text).toContain(`"position":"${position}"`);
    return position;
  };
  const eachReplica = (sql: string) => Promise.all(replicas.map((replica) => replica.query(sql)));
  const caughtUp = () =>
    waitUntil(async () => {
      const [row] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
      const rows = await eachReplica(`select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as done`);
      return rows.every(([each]) => each?.['done'] === true);
    }, 'the replicas to have caught up');
  const reads = async (server: PostgresServer): Promise<number> => {
    const [row] = await server.query<{ reads: string }>(
      `select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as reads from pg_stat_user_tables where relname = 'products'`,
    );
    return Number(row?.reads ?? 0);
  };

  test('serve all reads of callers that have written nothing', async () => {
    await caughtUp();
    const before = await Promise.all([primary, ...replicas].map(reads));
    for (let request = 0; request < 40; request += 1) {
      const response = await fetch(`${other.url}/v1/products?limit=1`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
    // Sessions report their reads within some seconds.
    const grown = async () => {
      const after = await Promise.all([primary, ...replicas].map(reads));
      return after.map((count, index) => count - (before[index] ?? 0));
    };
    await waitUntil(async () => (await grown()).reduce((sum, count) => sum + count) >= 40, 'the counts');
    const [onPrimary = 0, onFirst = 0, onSecond = 0] = await grown();
    expect(onPrimary).toBe(0);
    expect(Math.min(onFirst, onSecond)).toBeGreaterThanOrEqual(15);
  });

  test('show callers their own writes, also through another door and instance if they send the position', async () => {
    await caughtUp();
    const before = await nameAt(other);
    await eachReplica('select pg_wal_replay_pause()');
    try {
      const position = await rename(one, 'Ada Later');
      expect(await nameAt(one)).toBe('Ada Later');
      expect(await nameAt(other, position)).toBe('Ada Later');
      // Without Redis it does not know of the change, and reads a replica that lacks it.
      expect(await nameAt(other)).toBe(before);
    } finally {
      await eachReplica('select pg_wal_replay_resume()');
    }
  });

  test('show the state for which a change was refused', async () => {
    const { headers } = await get(other);
    const etag = headers.get('etag') ?? '';
    await caughtUp();
    await eachReplica('select pg_wal_replay_pause()');
    try {
      await rename(one, 'Ada Meanwhile');
      const refused = await fetch(`${other.url}/v1/users/1`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify({ name: 'Ada Too Late' }),
      });
      expect(refused.status).toBe(412);
      expect(await nameAt(other)).toBe('Ada Meanwhile');
    } finally {
      await eachReplica('select pg_wal_replay_resume()');
    }
  });

  test('have all applied a change before its response if Redis is unavailable', async () => {
    const alone = await servers.start({
      env: { ...env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` },
    });
    // The first change for which the replicas continue in time, which a busy machine may prevent.
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await caughtUp();
      const name = `Ada Alone ${attempt}`;
      await eachReplica('select pg_wal_replay_pause()');
      const began = performance.now();
      const resumed = sleep(100).then(() => eachReplica('select pg_wal_replay_resume()'));
      await rename(alone, name);
      // It does not know of the change, and reads a replica.
      const seen = await nameAt(other);
      await resumed;
      if (seen === name) break;
      expect(performance.now() - began).toBeGreaterThan(LIMITS.replicaCatchUp);
      expect(attempt).toBeLessThan(5);
    }
    await alone.end('SIGTERM');
  });

  test('have to reach the last change of a request, also one that survives its cancellation', async () => {
    const url = primary.url('postgres');
    const database = await openDatabase({ url, pool: 1, replicaUrls: [replicas[0].url('postgres')] });
    try {
      const ofRequest = new BoundDatabase(database, undefined);
      const positions: (WalPosition | undefined)[] = [ofRequest.position];
      const described = { type: 'user.updated', actorId: null, subjectType: 'user', subjectId: 1, data: {} };
      for (const each of [ofRequest, ofRequest.lasting(), ofRequest, ofRequest.lasting()]) {
        await each.transaction((tx) => insertEvent(tx, { org: 'acme', ...described, createdAt: new Date() }));
        positions.push(ofRequest.position);
      }
      expect(new Set(positions).size).toBe(5);
      expect(
        positions.slice(2).map((position, index) => reaches(position ?? '', positions[index + 1] ?? '')),
      ).toEqual([true, true, true]);
    } finally {
      await database.close();
    }
  });

  test('are not used when they lag too far behind', async () => {
    await caughtUp();
    await eachReplica('select pg_wal_replay_pause()');
    try {
      await rename(one, 'Ada Latest');
      await waitUntil(
        async () => (await nameAt(other)) === 'Ada Latest',
        'the replicas to be left out',
        2 * LIMITS.replicaLag,
        200,
      );
    } finally {
      await eachReplica('select pg_wal_replay_resume()');
    }
  });

  test.each(['0', '0/', 'x/y', '0/16B3748/1', '0/123456789', "0/1' or 1=1"])(
    'refuse a position that no response has returned: %s',
    async (position) => {
      const response = await get(one, position);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_parameter' } });
    },
  );

  test('can disappear and return without failing a request', async () => {
    const [, second] = replicas;
    await second.stop('SIGKILL');
    for (let request = 0; request < 30; request += 1) expect(typeof (await nameAt(other))).toBe('string');
    await second.start();
    for (let request = 0; request < 30; request += 1) expect(typeof (await nameAt(other))).toBe('string');
  });

  test('include one that takes over when the primary is lost: 503 until then, and no acknowledged write is lost', async () => {
    const [first, second] = replicas;
    await caughtUp();
    const last = await nameAt(one);
    await primary.stop('SIGKILL');
    const refused = await fetch(`${one.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { updateUser(id: 1, input: { name: "Lost" }) { name } }' }),
    });
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
    await first.promote();
    await second.stop();
    await waitUntil(async () => (await nameAt(one)) === last, 'reads');
    await waitUntil(
      () =>
        rename(one, 'Ada Again').then(
          () => true,
          () => false,
        ),
      'writes',
      undefined,
      100,
    );
    expect(await nameAt(one)).toBe('Ada Again');
  });
});
