/**
 * `portico backup` and `portico restore`: a backup has every acknowledged write, also beside running servers,
 * and an invalid file changes nothing.
 */
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Client from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { restore, backUp as writeBackup } from '../../src/db/backup.ts';
import { BackupError } from '../../src/db/backup-engine.ts';
import { postgresBackup } from '../../src/db/postgres/backup.ts';
import { sqliteBackup } from '../../src/db/sqlite/backup.ts';
import { fileOf } from '../../src/db/sqlite/location.ts';
import { BusyClient, signIn } from '../faults/client.ts';
import type { Content, TestDatabase } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';
import { bundled, manageServers, ROOT, waitUntil } from '../support/process.ts';
import { command } from './command.ts';

const directory = await mkdtemp(join(tmpdir(), 'portico-backup-'));
afterAll(() => rm(directory, { recursive: true }));
const servers = manageServers(afterAll);

const CLI = 'bin/portico.js';

const CLIENTS = 4;

let serial = 0;
const freshFile = () => {
  serial += 1;
  return join(directory, `${serial}.backup`);
};

/** The files whose names begin with this one. */
const filesOf = async (file: string) =>
  (await readdir(directory)).map((name) => join(directory, name)).filter((path) => path.startsWith(file));

describeEachEngine('backups', (engine) => {
  const portico = ({ url }: TestDatabase, ...args: string[]) =>
    command(args, { environment: { DATABASE_URL: url } });

  const backUp = async () => {
    const file = freshFile();
    expect(await portico(await engine.create('demo'), 'backup', file)).toMatchObject({ code: 0, err: '' });
    return file;
  };

  /** The tables and rows of a database, as text. */
  const contentOf = async (place: TestDatabase) =>
    JSON.stringify(
      await place.query(
        engine.name === 'sqlite'
          ? 'select name from sqlite_master'
          : "select tablename from pg_tables where schemaname = 'public'",
      ),
    );

  engine.testConcurrent('to the same file at the same time do not disturb each other', async () => {
    const place = await engine.create('demo');
    const file = freshFile();
    const backup = () => writeBackup({ url: place.url, environment: process.env }, file);
    await Promise.all([backup(), backup()]);
    const other = await engine.create('bare');
    expect(await portico(other, 'restore', file)).toMatchObject({ code: 0, err: '' });
    expect(await filesOf(file)).toEqual([file]);
  });

  engine.testConcurrent('have every order acknowledged before, while others are placed', async () => {
    const place = await engine.create('demo');
    const server = await servers.start({ env: { DATABASE_URL: place.url } });
    const token = await signIn(server.url);
    const clients = Array.from({ length: CLIENTS }, () => new BusyClient(server.url, token));
    const runs = clients.map((client) => client.run());
    await waitUntil(() => clients.every(({ placed }) => placed.length > 5), 'orders of every client');
    const acknowledged = clients.flatMap(({ placed }) => [...placed]);
    const file = freshFile();
    // In a separate process, because the clients are in this one.
    await promisify(execFile)(process.execPath, [bundled(CLI) ?? join(ROOT, CLI), 'backup', file], {
      env: { ...process.env, DATABASE_URL: place.url },
    });
    const after = clients.flatMap(({ placed }) => placed).length;
    expect(after).toBeGreaterThan(acknowledged.length);
    server.signal('SIGTERM');
    await Promise.all(runs);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const other = await engine.create('bare');
    expect(await portico(other, 'restore', file)).toMatchObject({ code: 0, err: '' });
    const rows = await other.query('select id from orders');
    const restored = new Set(rows.map(({ id }) => Number(id)));
    expect(acknowledged.filter((id) => !restored.has(id))).toEqual([]);
    // Every order is complete: it has its items and its event.
    const [half] = await other.query(
      `select count(*) as n from orders where id not in (select order_id from order_items)
        or id not in (select subject_id from events where subject_type = 'order')`,
    );
    const [known] = await place.query(
      `select count(*) as n from orders where id not in (select order_id from order_items)
        or id not in (select subject_id from events where subject_type = 'order')`,
    );
    expect(half).toEqual(known);
    expect(await portico(other, 'migrate')).toMatchObject({ code: 0 });
    const again = await servers.start({ env: { DATABASE_URL: other.url } });
    const response = await fetch(`${again.url}/v1/orders/${acknowledged.at(-1)}`, {
      headers: { authorization: `Bearer ${await signIn(again.url)}` },
    });
    expect(response.status).toBe(200);
  });

  const damage: Readonly<Record<string, (file: string) => Promise<void>>> = {
    'with bytes changed in the middle': async (file) => {
      const bytes = await readFile(file);
      bytes.fill(0x5a, Math.floor(bytes.length / 3), Math.floor(bytes.length / 3) + 20_000);
      await writeFile(file, bytes);
    },
    'that is truncated': async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
    'that is empty': (file) => truncate(file, 0),
    'of another format': (file) => writeFile(file, 'create table orders (id integer);\n'),
  };

  for (const [title, spoil] of Object.entries(damage)) {
    engine.testConcurrent(`a backup ${title} is refused before anything is changed`, async () => {
      const file = await backUp();
      await spoil(file);
      const place = await engine.create('bare');
      const before = await contentOf(place);
      const refused = await portico(place, 'restore', file);
      expect(refused.code).toBe(1);
      expect(refused.err).not.toBe('');
      expect(await contentOf(place)).toBe(before);
    });
  }

  engine.testConcurrent('are restored only into an empty database', async () => {
    const file = await backUp();
    const place = await engine.create('demo');
    const [before] = await place.query('select count(*) as n from orders');
    const refused = await portico(place, 'restore', file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
    expect(await place.query('select count(*) as n from orders')).toEqual([before]);
  });

  engine.testConcurrent('are not restored beside what was written meanwhile', async () => {
    const file = await backUp();
    const place = await engine.create('demo');
    const { load } = engine.name === 'sqlite' ? sqliteBackup : postgresBackup;
    // A server may have started after the check, while the backup was copied.
    await expect(load({ url: place.url, environment: process.env }, file)).rejects.toThrow(BackupError);
    expect(await place.query('select count(*) as n from orders')).toMatchObject([{ n: expect.anything() }]);
    if (engine.name === 'sqlite') expect(existsSync(`${fileOf(place.url)}.part`)).toBe(false);
  });

  engine.testConcurrent('of a newer version are made, and only that version restores them', async () => {
    const place = await engine.create('demo');
    const file = freshFile();
    const table = engine.name === 'sqlite' ? '__drizzle_migrations' : 'drizzle.__drizzle_migrations';
    await place.query(`update ${table} set created_at = created_at + 100000000000`);
    // An operator who has returned to the previous version makes backups as well.
    const made = await portico(place, 'backup', file);
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('newer version'), err: '' });
    const refused = await portico(await engine.create('bare'), 'restore', file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('newer version') });
  });

  engine.testConcurrent('are named if they cannot be read, or are something else', async () => {
    const place = await engine.create('bare');
    const notes = freshFile();
    await writeFile(notes, 'These are some notes.');
    const engineName = engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL';
    expect(await portico(place, 'restore', notes)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${notes} is damaged, or not a backup of ${engineName}: `),
    });
    expect(await portico(place, 'restore', directory)).toMatchObject({
      code: 1,
      err: `${directory} is not a file.\n`,
    });
  });

  engine.testConcurrent('replace no existing file, and leave no incomplete one', async () => {
    const file = await backUp();
    const before = await readFile(file);
    const refused = await portico(await engine.create('demo'), 'backup', file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('exists') });
    expect(await readFile(file)).toEqual(before);

    const nowhere = freshFile();
    const place = await engine.create('bare');
    expect((await portico(place, 'backup', nowhere)).code).toBe(1);
    expect(await filesOf(nowhere)).toEqual([]);
  });
});

describeEachEngine(
  'backups',
  (engine) => {
    test('are not databases with a log, which has their last changes', async () => {
      const place = await engine.create('demo');
      const database = await place.open();
      await database.ping();
      await place.query("update organisations set name = 'Changed'");
      // What remains of a server that was killed.
      const file = freshFile();
      for (const suffix of ['', '-wal']) await copyFile(fileOf(place.url) + suffix, file + suffix);
      await database.close();
      const [kept, log] = await Promise.all([readFile(file), readFile(`${file}-wal`)]);
      expect(log.length).toBeGreaterThan(0);

      const environment = { DATABASE_URL: `file:${freshFile()}` };
      expect(await command(['restore', file], { environment })).toMatchObject({
        code: 1,
        err: expect.stringContaining('not a backup'),
      });
      expect(await Promise.all([readFile(file), readFile(`${file}-wal`)])).toEqual([kept, log]);

      const backup = freshFile();
      await command(['backup', backup], { environment: { DATABASE_URL: `file:${file}` } });
      expect(await command(['restore', backup], { environment })).toMatchObject({ code: 0, err: '' });
      const restored = new Client(fileOf(environment.DATABASE_URL));
      expect(restored.prepare('select distinct name from organisations').pluck().all()).toEqual(['Changed']);
      restored.close();
    });
  },
  'sqlite',
);

describeEachEngine(
  'backups',
  (engine) => {
    /** A folder whose programs record their arguments, and then run PostgreSQL's. */
    async function recording(): Promise<{ readonly path: string; readonly record: string }> {
      const path = await mkdtemp(join(directory, 'programs-'));
      const record = join(path, 'record');
      for (const program of ['pg_dump', 'pg_restore']) {
        const script = `#!/bin/sh\necho "$@" >> ${record}\nPATH=\${PATH#*:}\nexec ${program} "$@"\n`;
        await writeFile(join(path, program), script, { mode: 0o700 });
      }
      return { path, record };
    }

    const forms: Readonly<Record<string, (url: URL) => string>> = {
      'before the host': ({ username, host, pathname }) =>
        `postgres://${username}:hunter2@${host}${pathname}`,
      'with an @ and a %': ({ username, host, pathname }) =>
        `postgres://${username}:hunter2@%hunter2@${host}${pathname}`,
      'in the query': ({ username, host, pathname }) =>
        `postgres://${host}${pathname}?user=${username}&password=hunter2?&application_name=x`,
      'for several hosts': ({ username, host, pathname }) =>
        `postgresql://${username}:hunter2@127.0.0.1:1,${host}${pathname}?uselibpqcompat=true`,
    };

    for (const [title, form] of Object.entries(forms)) {
      engine.testConcurrent(`with a password ${title} pass it on where others cannot see it`, async () => {
        const urlOf = async (content: Content) => form(new URL((await engine.create(content)).url));
        const { path, record } = await recording();
        const environment = { ...process.env, PATH: `${path}:${process.env['PATH']}` };
        const file = freshFile();
        await writeBackup({ url: await urlOf('demo'), environment }, file);
        await restore({ url: await urlOf('bare'), environment }, file);
        const shown = await readFile(record, 'utf8');
        expect(shown.match(/--dbname=postgres/g)).toHaveLength(2);
        expect(shown).not.toContain('hunter2');
        // Other parameters, such as sslmode, are passed on.
        expect(shown.includes('application_name=x')).toBe(title === 'in the query');
      });
    }
  },
  'postgres',
);

test('a file that cannot be reached is not reported as missing', async () => {
  const inFile = join(ROOT, 'package.json', 'portico.db');
  const environment = { DATABASE_URL: `file:${inFile}` };
  for (const args of [
    ['restore', inFile],
    ['backup', freshFile()],
    ['backup', inFile],
  ])
    expect(await command(args, { environment }), args.join(' ')).toMatchObject({
      code: 1,
      err: expect.stringContaining('ENOTDIR'),
    });
  const target = { url: environment.DATABASE_URL, environment: {} };
  await expect(sqliteBackup.requireEmpty(target)).rejects.toThrow('ENOTDIR');
});

test('a missing file is named', async () => {
  const environment = { DATABASE_URL: `file:${join(directory, 'none.db')}` };
  const missing = await command(['restore', join(directory, 'missing')], { environment });
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('There is no file') });
  const nothing = await command(['backup', freshFile()], { environment });
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('There is no database') });
});

test('a file that is not a database is named, and not backed up', async () => {
  const file = freshFile();
  writeFileSync(file, 'nothing of the kind');
  const backup = await command(['backup', freshFile()], { environment: { DATABASE_URL: `file:${file}` } });
  expect(backup).toMatchObject({
    code: 1,
    err: `${file} cannot be backed up (file is not a database)\n`,
  });
});
