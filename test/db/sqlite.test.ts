/** Behaviour of SQLite only: one writer for this process and all others, and group commits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import Client from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LIMITS, MIB } from '../../src/core/limits.ts';
import { backUp } from '../../src/db/backup.ts';
import type { DatabaseOptions, OpenDatabase, Transaction } from '../../src/db/database.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { listOrganisations } from '../../src/db/queries/organisations.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import { GroupCommit } from '../../src/db/sqlite/group-commit.ts';
import { DEFAULTS } from '../support/settings.ts';

const now = new Date('2026-03-01T12:00:00Z');
const addOrg = (tx: Transaction, id: string) =>
  loadRows(tx, 'organisations', [{ id, name: id, createdAt: now }]);
const orgIds = async (database: OpenDatabase) => (await listOrganisations(database)).map(({ id }) => id);

let directory: string;
let file: string;
const opened: { close(): unknown }[] = [];

async function open(options: Partial<DatabaseOptions> = {}): Promise<OpenDatabase> {
  // A clock that stands still, so that reads never exceed the limit of a turn of the event loop, however slow
  // the machine is.
  const database = await openDatabase({
    ...DEFAULTS.database,
    url: `file:${file}`,
    time: () => 0,
    ...options,
  });
  opened.push(database);
  return database;
}

/** The file, opened like another process. */
function another(): Client.Database {
  const client = new Client(file, { timeout: 0 });
  opened.push(client);
  return client;
}

async function migrationCount(): Promise<number> {
  const journal = new URL('../../src/db/sqlite/migrations/meta/_journal.json', import.meta.url);
  return JSON.parse(await readFile(journal, 'utf8')).entries.length;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-sqlite-'));
  file = join(directory, 'nested', 'portico.db');
  await migrate(`file:${file}`);
});

afterEach(async () => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) await one.close();
  await rm(directory, { recursive: true });
});

describe('a writer', () => {
  test('waits while another process writes, without blocking the event loop', async () => {
    const database = await open();
    const other = another();
    other.exec('begin immediate');
    other.exec("insert into organisations values ('first', 'First', 0)");
    const writing = database.transaction((tx) => addOrg(tx, 'second'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await orgIds(database)).toEqual([]);
    other.exec('commit');
    await writing;
    expect(await orgIds(database)).toEqual(['first', 'second']);
  });

  test('gives up with `unavailable` if another process does not finish, and the next one gets its turn', async () => {
    const writer = another();
    const group = new GroupCommit(writer, { patience: 30 });
    const other = another();
    other.exec('begin immediate');
    const outcomes = await Promise.allSettled([group.add(async () => 1), group.add(async () => 2)]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'unavailable', retryAfter: 1 }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'unavailable', retryAfter: 1 }) },
    ]);
    other.exec('rollback');
    await expect(group.add(async () => 3)).resolves.toBe(3);
  });

  test('sees what another process committed', async () => {
    const database = await open();
    another().exec("insert into organisations values ('theirs', 'Theirs', 0)");
    expect(await orgIds(database)).toEqual(['theirs']);
    expect(await database.transaction(async (tx) => (await listOrganisations(tx)).length)).toBe(1);
  });
});

describe('a group commit', () => {
  /** The statements of a connection, in order. */
  function watched() {
    const executed: string[] = [];
    const client = new Client(file, { verbose: (sql) => executed.push(String(sql)) });
    opened.push(client);
    return { client, executed };
  }

  test('commits once for any number of transactions', async () => {
    const { client, executed } = watched();
    const group = new GroupCommit(client, { time: () => 0 });
    await Promise.all(Array.from({ length: 50 }, (_, n) => group.add(async () => n)));
    expect(executed.filter((sql) => sql === 'commit')).toHaveLength(1);
    expect(executed.filter((sql) => sql === 'savepoint work')).toHaveLength(50);
  });

  test('includes transactions that arrive while it runs', async () => {
    const { client, executed } = watched();
    const group = new GroupCommit(client);
    const first = group.add(async () => 'first');
    const second = new Promise((resolve) => setImmediate(resolve)).then(() =>
      group.add(async () => 'second'),
    );
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(executed.filter((sql) => sql === 'commit')).toHaveLength(1);
  });

  test('is limited in size, so that the first does not wait for very many', async () => {
    const { client, executed } = watched();
    const group = new GroupCommit(client, { time: () => 0 });
    await Promise.all(Array.from({ length: 300 }, () => group.add(async () => {})));
    expect(executed.filter((sql) => sql === 'commit')).toHaveLength(3);
  });

  test('that takes long yields to the event loop, serves another caller next, and commits at its time limit', async () => {
    const { client, executed } = watched();
    let now = 0;
    const group = new GroupCommit(client, { time: () => now });
    const order: string[] = [];
    const add = (org: string, milliseconds: number) =>
      group.add(
        async () => {
          order.push(org);
          now += milliseconds;
        },
        { org, caller: 'somebody' },
      );
    const busy = Array.from({ length: 20 }, () => add('busy', 5));
    const nextTurn = new Promise((resolve) => setImmediate(resolve));
    const neighbour = nextTurn.then(() => add('neighbour', 1));
    await Promise.all([...busy, neighbour]);
    expect(order.indexOf('neighbour')).toBeLessThanOrEqual(3);
    // 101 milliseconds of work, 51 of which are the first transaction's with the neighbour's.
    expect(executed.filter((sql) => sql === 'commit')).toHaveLength(2);
  });

  test('reports nothing before the commit, not even failures', async () => {
    const { client, executed } = watched();
    const group = new GroupCommit(client);
    const told: string[] = [];
    const outcomes = [
      group.add(async () => {}).then(() => told.push(`done after ${executed.at(-1)}`)),
      group
        .add(() => Promise.reject(new Error('no')))
        .catch(() => told.push(`failed after ${executed.at(-1)}`)),
    ];
    await Promise.all(outcomes);
    expect(told).toEqual(['done after commit', 'failed after commit']);
  });

  test('fails completely when its commit fails, for all its transactions', async () => {
    const { client } = watched();
    client.exec('create table parent (id integer primary key)');
    client.exec('create table child (id integer references parent deferrable initially deferred)');
    client.pragma('foreign_keys = on');
    const group = new GroupCommit(client);
    const insert = (sql: string) => group.add(async () => client.exec(sql));
    const outcomes = await Promise.allSettled([
      insert("insert into organisations values ('good', 'Good', 0)"),
      insert('insert into child values (7)'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(client.inTransaction).toBe(false);
    expect(client.prepare('select id from organisations').all()).toEqual([]);
    await expect(insert("insert into organisations values ('next', 'Next', 0)")).resolves.toBeDefined();
    expect(client.prepare('select id from organisations').pluck().all()).toEqual(['next']);
  });
});

describe('the reads of one turn of the event loop', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const insertAsAnother = (id: string) =>
    another().exec(`insert into organisations values ('${id}', '${id}', 0)`);

  test('see one snapshot, and those of the next turn see commits of other processes', async () => {
    const database = await open();
    await turn();
    expect(await orgIds(database)).toEqual([]);
    insertAsAnother('other');
    expect(await orgIds(database)).toEqual([]);
    await turn();
    expect(await orgIds(database)).toEqual(['other']);
  });

  test('see commits that precede the poll phase of the event loop', async () => {
    const database = await open();
    const { port1, port2 } = new MessageChannel();
    const came = new Promise((resolve) => port1.once('message', resolve));
    await turn();
    expect(await orgIds(database)).toEqual([]);
    insertAsAnother('other');
    // Like a request that depends on the commit: it runs before the immediates of the next turn.
    port2.postMessage('asked');
    await came;
    expect(await orgIds(database)).toEqual(['other']);
    port1.close();
  });

  test('see commits of this process in between', async () => {
    const database = await open();
    let seen: string[] | undefined;
    const written = database
      .transaction((tx) => addOrg(tx, 'own'))
      .then(async () => {
        seen = await orgIds(database);
      });
    let turns = 0;
    // Reads continue in every turn until then, so that one precedes the commit in its own turn as well.
    while (!seen) {
      await orgIds(database);
      await turn();
      turns += 1;
    }
    await written;
    expect(seen).toEqual(['own']);
    expect(turns).toBeGreaterThan(1);
  });

  test('do not block a checkpoint afterwards', async () => {
    const database = await open();
    await database.transaction((tx) => addOrg(tx, 'own'));
    await orgIds(database);
    const checkpoint = () => another().pragma('wal_checkpoint(truncate)', { simple: true });
    expect(checkpoint()).toBe(1);
    await turn();
    expect(checkpoint()).toBe(0);
  });
});

test('a migration waits for another process that writes', async () => {
  const bare = join(directory, 'bare.db');
  const other = new Client(bare);
  opened.push(other);
  other.pragma('journal_mode = wal');
  other.exec('begin immediate');
  const migrating = migrate(`file:${bare}`);
  await new Promise((resolve) => setImmediate(resolve));
  other.exec('commit');
  await expect(migrating).resolves.toBeUndefined();
  expect(other.prepare('select count(*) from organisations').pluck().get()).toBe(0);
});

test('migrating an up-to-date database neither waits for a writer nor scans the tables', async () => {
  const other = another();
  other.pragma('foreign_keys = off');
  other.exec(`insert into users (org, email, name, role, created_at, updated_at)
    values ('nowhere', 'a@nowhere.test', 'A', 'viewer', 0, 0)`);
  other.exec('begin immediate');
  await expect(migrate(`file:${file}`)).resolves.toBeUndefined();
});

describe('the files of a database', () => {
  const modes = () =>
    Object.fromEntries(
      readdirSync(dirname(file)).map((name) => [
        name,
        (statSync(join(dirname(file), name)).mode & 0o777).toString(8),
      ]),
    );
  const ALL_PRIVATE = { 'portico.db': '600', 'portico.db-shm': '600', 'portico.db-wal': '600' };

  test('are readable only by their owner, from their creation', async () => {
    const database = await open();
    await database.transaction((tx) => addOrg(tx, 'a'));
    expect(modes()).toEqual(ALL_PRIVATE);
    expect((statSync(dirname(file)).mode & 0o777).toString(8)).toBe('700');
  });

  test.each(['migrating', 'opening'])('lose wider permissions when %s', async (by) => {
    const former = another();
    former.exec("insert into organisations (id, name, created_at) values ('a', 'A', 0)");
    for (const name of readdirSync(dirname(file))) chmodSync(join(dirname(file), name), 0o644);
    if (by === 'migrating') await migrate(`file:${file}`);
    else await open();
    expect(modes()).toEqual(ALL_PRIVATE);
  });
});

test('several processes may migrate the same file at once', async () => {
  const bare = join(directory, 'bare.db');
  const script = `
    import { migrate } from ${JSON.stringify(new URL('../../src/db/open.ts', import.meta.url).href)};
    process.stdin.once('data', async () => {
      await migrate('file:' + ${JSON.stringify(bare)});
      process.exit();
    });
    process.stdout.write('ready');`;
  const instances = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      return child;
    }),
  );
  const exits = instances.map((child) => once(child, 'exit'));
  // Released only when all are ready, so that they run at the same time.
  for (const child of instances) child.stdin.write('go');
  expect(await Promise.all(exits)).toEqual(instances.map(() => [0, null]));
  const client = new Client(bare, { readonly: true });
  opened.push(client);
  expect(client.prepare('select count(*) from __drizzle_migrations').pluck().get()).toBe(
    await migrationCount(),
  );
});

test.each([
  { options: {}, deadline: LIMITS.statementTimeout },
  { options: { transactionTimeout: 60_000 }, deadline: 60_000 },
])(
  'work that never ends is rolled back after $deadline ms, and the others get their turn',
  async ({ options, deadline }) => {
    const database = await open(options);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stuck = database.transaction(async (tx) => {
      await addOrg(tx, 'stuck');
      await new Promise(() => {});
    });
    let isOver = false;
    const refused = expect(stuck.finally(() => (isOver = true))).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(deadline - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await database.transaction((tx) => addOrg(tx, 'next'));
    expect(await orgIds(database)).toEqual(['next']);
  },
);

test('a closed database is one complete file', async () => {
  const database = await openDatabase({ ...DEFAULTS.database, url: `file:${file}` });
  await database.transaction((tx) => addOrg(tx, 'kept'));
  await database.close();
  await expect(rm(`${file}-wal`)).rejects.toMatchObject({ code: 'ENOENT' });
  const client = new Client(file, { readonly: true });
  expect(client.prepare('select id from organisations').pluck().all()).toEqual(['kept']);
  client.close();
});

test('a failed checkpoint at close is reported, and the file is closed nevertheless', async () => {
  const database = await openDatabase({ ...DEFAULTS.database, url: `file:${file}` });
  await database.transaction((tx) => addOrg(tx, 'lost'));
  // The pages to checkpoint are gone, as on a failing disk.
  await truncate(`${file}-wal`);
  await expect(database.close()).rejects.toThrow('disk I/O error');
  // SQLite leaves WAL mode only if no other connection is open.
  expect(another().pragma('journal_mode = delete', { simple: true })).toBe('delete');
});

test('the log that a long read has made grow is cut after it', async () => {
  const database = await open();
  const large = { id: 'large', name: 'x'.repeat(48 * MIB), createdAt: now };
  const snapshot = await database.snapshot();
  await database.transaction((tx) => loadRows(tx, 'organisations', [large]));
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(48 * MIB);
  await snapshot.close();
  // One commit checkpoints the log, and the next one starts it again.
  for (const id of ['first', 'second']) await database.transaction((tx) => addOrg(tx, id));
  expect(statSync(`${file}-wal`).size).toBeLessThan(48 * MIB);
});

/** Opens the database and returns its writing connection as well, on which the tests fill the disk and forbid writing. */
async function openWithWriter(options?: Parameters<typeof open>[0]) {
  const pragma = vi.spyOn(Client.prototype, 'pragma');
  const database = await open(options);
  const index = pragma.mock.calls.findIndex(([source]) => source === 'synchronous = full');
  const writer = pragma.mock.contexts[index] as unknown as Client.Database;
  pragma.mockRestore();
  return { database, writer };
}

describe('a full disk', () => {
  test('is reported until a change succeeds a minute after the last refusal', async () => {
    const onRefusal = vi.fn();
    let time = 0;
    const { database, writer } = await openWithWriter({ onRefusal, time: () => time });
    expect(database.refusesChanges).toBe(false);
    const limit = writer.pragma('max_page_count', { simple: true });
    writer.pragma(`max_page_count = ${writer.pragma('page_count', { simple: true })}`);
    const large = { id: 'large', name: 'x'.repeat(1_000_000), createdAt: now };
    for (const _ of ['first', 'second']) {
      const refused = database.transaction((tx) => loadRows(tx, 'organisations', [large]));
      await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
      time += LIMITS.changeRefusal - 1;
      // It needs no space.
      await database.transaction(async () => {});
      expect(database.refusesChanges).toBe(true);
    }
    expect(onRefusal).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'unavailable' }));
    // Another kind of failure changes nothing.
    await expect(database.transaction(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(database.refusesChanges).toBe(true);
    writer.pragma(`max_page_count = ${limit}`);
    time += 1;
    await database.transaction((tx) => addOrg(tx, 'small'));
    expect(database.refusesChanges).toBe(false);
  });

  test('is no failure of closing: the write-ahead log stays next to the file', async () => {
    const { database, writer } = await openWithWriter();
    await database.transaction((tx) => addOrg(tx, 'kept'));
    vi.spyOn(writer, 'pragma').mockImplementation(() => {
      throw new Client.SqliteError('database or disk is full', 'SQLITE_FULL');
    });
    await database.close();
    expect(await orgIds(await open())).toEqual(['kept']);
  });
});

describe('a change that is refused with', () => {
  test.each([
    ['SQLITE_READONLY', 'unavailable'],
    ['SQLITE_READONLY_DIRECTORY', 'unavailable'],
    ['SQLITE_IOERR', 'unavailable'],
    ['SQLITE_IOERR_WRITE', 'unavailable'],
    ['SQLITE_IOERR_FSYNC', 'unavailable'],
    ['SQLITE_CANTOPEN', 'unavailable'],
    ['SQLITE_CANTOPEN_SYMLINK', 'unavailable'],
    ['SQLITE_NOMEM', 'unavailable'],
    ['SQLITE_BUSY_RECOVERY', 'unavailable'],
    // Only an operator can repair it, so a client should not try again.
    ['SQLITE_CORRUPT_INDEX', 'SQLITE_CORRUPT_INDEX'],
    ['SQLITE_NOTADB', 'SQLITE_NOTADB'],
  ])('%s fails with %s', async (code, expected) => {
    const database = await open();
    const work = () => Promise.reject(new Client.SqliteError('refused', code));
    await expect(database.transaction(work)).rejects.toMatchObject({ code: expected });
  });

  test('no right to write is reported', async () => {
    const { database, writer } = await openWithWriter();
    await database.transaction((tx) => addOrg(tx, 'kept'));
    writer.pragma('query_only = on');
    const refused = database.transaction((tx) => addOrg(tx, 'lost'));
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    expect(database.refusesChanges).toBe(true);
    writer.pragma('query_only = off');
    await database.transaction((tx) => addOrg(tx, 'next'));
    expect(await orgIds(database)).toEqual(['kept', 'next']);
  });
});

describe.each([
  { what: 'removed', replace: () => {} },
  { what: 'replaced by a backup', replace: () => copyFile(`${file}.backup`, file) },
])('a file that was $what while the database is open', ({ replace }) => {
  test('gets no changes, and the database says so', async () => {
    const onRefusal = vi.fn();
    const database = await open({ onRefusal });
    await database.transaction((tx) => addOrg(tx, 'kept'));
    await backUp({ url: `file:${file}`, environment: {} }, `${file}.backup`);
    const moved = `${file}.moved`;
    await rename(file, moved);
    await replace();
    await expect(database.transaction((tx) => addOrg(tx, 'lost'))).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(database.ping()).rejects.toThrow('replaced or removed');
    expect(database.refusesChanges).toBe(true);
    expect(onRefusal).toHaveBeenCalledOnce();
    // Back in its place, it is the same file.
    await rename(moved, file);
    await database.ping();
    await database.transaction((tx) => addOrg(tx, 'next'));
    expect(await orgIds(database)).toEqual(['kept', 'next']);
  });
});

test.each(['sqlite:x.db', '', 'file:', 'mysql://x/y'])('"%s" is refused as a database URL', async (url) => {
  await expect(openDatabase({ ...DEFAULTS.database, url })).rejects.toThrow('DATABASE_URL must be');
  await expect(migrate(url)).rejects.toThrow('DATABASE_URL must be');
});
