/**
 * A database from before keys included the organisation is migrated while a server of that version uses it,
 * with the statements of that version, as it prepared them.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { migrate } from '../../src/db/open.ts';
import { applyMigrations } from '../../src/db/postgres/apply-migrations.ts';
import { type TestDatabase, withServer } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';

/** The first migration after which keys include the organisation. */
const WITH_ORG = 17;

const JOURNAL = new URL('../../src/db/postgres/migrations/meta/_journal.json', import.meta.url);

const MIGRATIONS: readonly { readonly idx: number; readonly tag: string }[] = JSON.parse(
  await readFile(JOURNAL, 'utf8'),
).entries;

const ORDERS = 100_000;

/** The key of the advisory lock that every version takes for migrations. */
const MIGRATION_LOCK = 7_678_426;

/** The first migration that only waits briefly for every lock, like all that follow. */
const WITHOUT_WAITS = 21;

/** The first migrations, in a separate folder. */
async function firstMigrations(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-former-'));
  await cp(fileURLToPath(new URL('../../src/db/postgres/migrations', import.meta.url)), folder, {
    recursive: true,
  });
  const file = join(folder, 'meta', '_journal.json');
  const journal: { entries: { idx: number }[] } = JSON.parse(await readFile(file, 'utf8'));
  const entries = journal.entries.filter(({ idx }) => idx < count);
  await writeFile(file, JSON.stringify({ ...journal, entries }));
  return folder;
}

/** All in one transaction, without checks of foreign keys, which would take most of the time. */
const filling = (orders: number) => [
  'set local session_replication_role = replica',
  `insert into organisations (id, name, created_at) values ('acme', 'Acme', now()), ('globex', 'Globex', now())`,
  `insert into users (org, email, name, role, created_at, updated_at)
    values ('acme', 'a@acme.test', 'A', 'editor', now(), now()), ('globex', 'g@globex.test', 'G', 'editor', now(), now())`,
  `insert into products (org, name, unit_price, currency, created_at, updated_at)
    select case n % 2 when 1 then 'acme' else 'globex' end, 'Part', 1, 'USD', now(), now() from generate_series(1, 10) n`,
  `insert into orders (org, user_id, status, total, currency, created_at, updated_at)
    select case n % 2 when 1 then 'acme' else 'globex' end, 2 - n % 2, 'pending', 2, 'USD',
      timestamptz '2026-01-01' + n * interval '1 second', now() from generate_series(1, ${orders}) n`,
  `insert into order_items (order_id, position, product_id, name, unit_price, qty)
    select id, 0, 2 - id % 2, 'Part', 2, 1 from orders`,
  `insert into charges (org, user_id, order_id, amount, currency, source, status, reference, created_at, updated_at)
    select org, user_id, id, 2, 'USD', 'x', 'succeeded', 'r' || id, now(), now() from orders where id <= 1000`,
  `insert into refunds (org, charge_id, user_id, amount, currency, status, reference, created_at, updated_at)
    select org, id, user_id, 1, 'USD', 'succeeded', 'f' || id, now(), now() from charges where id <= 100`,
  `insert into documents (org, author_id, title, body, classification, created_at, updated_at)
    values ('acme', 1, 'Plan', 'Text', 'internal', now(), now())`,
  `insert into shares (org, document_id, user_id, relation, created_at) values ('acme', 1, 1, 'reader', now())`,
  `insert into events (org, type, subject_type, subject_id, data, created_at)
    select org, 'order.created', 'order', id, '{}', created_at from orders where id <= 1000`,
  `insert into webhooks (org, url, types, secret, last_event_id, last_good_at, created_at, updated_at)
    values ('acme', 'https://example.com/', '["*"]', 's', 0, now(), now(), now())`,
  `insert into webhook_deliveries (org, webhook_id, event_id, event_type, message_id, status, created_at)
    select 'acme', 1, n, 'order.created', 'm' || n, 'pending', now() from generate_series(1, 100) n`,
  `insert into webhook_attempts (org, delivery_id, webhook_id, number, trigger, retries_left, due_at)
    select 'acme', id, 1, 1, 'schedule', 9, now() from webhook_deliveries`,
];

async function migrateTo(place: TestDatabase, count: number): Promise<void> {
  const folder = await firstMigrations(count);
  try {
    await withServer(place.url, (client) => applyMigrations(client, folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function formerDatabase(place: TestDatabase, orders: number): Promise<void> {
  await migrateTo(place, WITH_ORG);
  await place.query(filling(orders).join('; '));
}

/** Statements with which the former version reads an order, a page of orders and items. */
const READS = [
  {
    name: 'orders.wholeById',
    text: `select id, org, user_id, status, total, currency, version, created_at, updated_at, deleted_at,
        (select coalesce(json_agg(json_build_array(i.id, i.order_id, i.position, i.product_id, i.name, i.unit_price, i.qty)), '[]')::text
          from order_items i where i.order_id = orders.id)
      from orders where id = $1 and org = 'acme' and deleted_at is null`,
    values: (n: number) => [1 + 2 * (n % 1000)],
    rows: 1,
  },
  {
    name: 'orders.page',
    text: `select id, total from orders where org = any(array['acme']::text[]) and user_id = 1 and deleted_at is null
      order by org desc, user_id desc, created_at desc, id desc limit $1`,
    values: () => [20],
    rows: 20,
  },
  {
    name: 'orderItems.ofOrders',
    text: `select id, order_id, position, product_id, name, unit_price, qty from order_items
      where order_id = any($1::bigint[]) order by order_id, position`,
    values: (n: number) => [[1 + (n % 1000), 2000 + (n % 1000)]],
    rows: 2,
  },
  {
    name: 'charges.byId',
    text: `select id, amount from charges where id = $1 and org = 'acme'`,
    values: (n: number) => [1 + 2 * (n % 500)],
    rows: 1,
  },
] as const;

/** A server of the former version, which reads and writes until it is stopped. */
class FormerServer {
  reads = 0;
  longestRead = 0;
  readonly placed: number[] = [];
  #stopped = false;
  readonly #running: Promise<void>[];
  readonly #pool: pg.Pool;

  constructor(url: string) {
    // With the timeouts of its connections, so that statements that wait too long fail.
    this.#pool = new pg.Pool({ connectionString: url, statement_timeout: LIMITS.statementTimeout, max: 4 });
    this.#running = [this.#read(), this.#read(), this.#write()];
  }

  /** Rejects with the error of a failed statement. */
  async stop(): Promise<void> {
    this.#stopped = true;
    try {
      await Promise.all(this.#running);
    } finally {
      await this.#pool.end();
    }
  }

  /** Resolves after this many more reads. */
  async further(reads: number): Promise<void> {
    for (const enough = this.reads + reads; this.reads < enough; ) {
      await Promise.race([sleep(5), ...this.#running]);
    }
  }

  async #read(): Promise<void> {
    for (let n = 0; !this.#stopped; n += 1) {
      for (const { name, text, values, rows } of READS) {
        const begun = performance.now();
        const result = await this.#pool.query({ name, text, values: values(n) });
        this.longestRead = Math.max(this.longestRead, performance.now() - begun);
        if (result.rowCount !== rows)
          throw new Error(`${name} returned ${result.rowCount} rows and not ${rows}.`);
        this.reads += 1;
      }
      // Leaves time to other processes.
      await sleep(5);
    }
  }

  /** Its items do not name an organisation. */
  async #write(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      while (!this.#stopped) {
        await client.query('begin');
        const { rows } = await client.query<{
          id: string;
        }>(`insert into orders (org, user_id, status, total, currency, created_at, updated_at)
          values ('acme', 1, 'pending', 2, 'USD', '2025-01-01', now()) returning id`);
        const id = Number(rows[0]?.id);
        await client.query({
          name: 'orderItems.insert.2',
          text: `insert into order_items (order_id, position, product_id, name, unit_price, qty)
            values ($1, 0, 1, 'Part', 1, 1), ($1, 1, 3, 'Part', 1, 1) returning id, order_id`,
          values: [id],
        });
        await client.query('commit');
        this.placed.push(id);
        await sleep(5);
      }
    } finally {
      client.release();
    }
  }
}

/** Data that must be the same before and after. */
const SUMMARY = `select
  (select count(*) from orders where created_at > '2026-01-01') as orders,
  (select sum(total) from orders where created_at > '2026-01-01') as total,
  (select count(*) from order_items i join orders o on o.id = i.order_id where o.created_at > '2026-01-01') as items,
  (select sum(i.id) from order_items i join orders o on o.id = i.order_id where o.created_at > '2026-01-01') as item_ids,
  (select count(*) from charges) as charges, (select count(*) from refunds) as refunds, (select count(*) from shares) as shares,
  (select count(*) from events) as events, (select count(*) from webhook_attempts) as attempts`;

/** Repeats a query until it returns rows. */
async function found(place: TestDatabase, query: string): Promise<unknown> {
  for (;;) {
    const [row] = await place.query(query);
    if (row) return row['found'];
    await sleep(10);
  }
}

const keyOf = async (place: TestDatabase, name: string) =>
  (
    await place.query(`select pg_get_constraintdef(oid) as key from pg_constraint where conname = '${name}'`)
  )[0]?.['key'];

describeEachEngine(
  'a database of the former version',
  (engine) => {
    if (!engine.concurrent) {
      engine.testConcurrent('is migrated while a server of that version uses it', async () => undefined);
      return;
    }

    test(`with ${ORDERS} orders is migrated while a server of that version reads and writes`, async ({
      annotate,
    }) => {
      const place = await engine.create('bare');
      await formerDatabase(place, ORDERS);
      const before = await place.query(SUMMARY);
      const server = new FormerServer(place.url);
      await server.further(20);
      const begun = performance.now();
      await migrate(place.url);
      const took = performance.now() - begun;
      const during = server.reads;
      await server.further(20);
      await server.stop();
      expect(await place.query(SUMMARY)).toEqual(before);
      expect(await keyOf(place, 'orders_pkey')).toBe('PRIMARY KEY (id, org)');
      const wrong = await place.query(
        'select i.id from order_items i join orders o on o.id = i.order_id where i.org is distinct from o.org',
      );
      expect(wrong).toEqual([]);
      const [written] = await place.query(
        'select count(*)::int as items from order_items where order_id = any($1)',
        [server.placed],
      );
      expect(written?.['items']).toBe(2 * server.placed.length);
      expect(during).toBeGreaterThan(20);
      const milliseconds = Math.round(server.longestRead);
      await annotate(`${during} reads in ${Math.round(took)} ms; the longest took ${milliseconds} ms`);
    });

    /** A migration that waits while it builds the index of a table that another transaction writes to. */
    async function stalledMigration(place: TestDatabase) {
      const writer = new pg.Client({ connectionString: place.url });
      await writer.connect();
      await writer.query('begin; lock table webhook_attempts in row exclusive mode');
      const migrating = migrate(place.url).then(
        () => undefined,
        (error: unknown) => error,
      );
      const pid = await found(
        place,
        `select pid as found from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and wait_event_type = 'Lock' and query like '%CONCURRENTLY%"webhook_attempts_id_org"%'`,
      );
      return { pid, migrating, release: () => writer.end() };
    }

    test.each(MIGRATIONS.filter(({ idx }) => idx >= WITHOUT_WAITS))(
      'is read while $tag waits for the end of a backup',
      async ({ idx }) => {
        const place = await engine.create('bare');
        await migrateTo(place, idx);
        const names = await place.query(`select tablename from pg_tables where schemaname = 'public'`);
        const tables = names.map(({ tablename }) => `"${tablename}"`);
        const migrating = await withServer(place.url, async (backup) => {
          // As pg_dump does, until its end.
          await backup.query(`begin; lock table ${tables.join()} in access share mode`);
          const migration = migrateTo(place, idx + 1);
          // Without a handler, a failure while others read would end the process.
          migration.catch(() => {});
          await withServer(place.url, async (reader) => {
            await reader.query(`set statement_timeout = ${LIMITS.statementTimeout}`);
            for (const begun = performance.now(); performance.now() - begun < 500; await sleep(20)) {
              for (const table of tables) await reader.query(`select 1 from ${table} limit 1`);
            }
          });
          // In an object: a promise would be awaited before the backup ends.
          return { migration };
        });
        await migrating.migration;
      },
    );

    test('is migrated completely after an interruption while an index was built', async () => {
      const place = await engine.create('bare');
      await formerDatabase(place, 10);
      const { pid, migrating, release } = await stalledMigration(place);
      await place.query('select pg_terminate_backend($1)', [pid]);
      expect(await migrating).toBeInstanceOf(Error);
      await release();
      const unusable = 'select indexrelid::regclass::text as name from pg_index where not indisvalid';
      expect(await place.query(unusable)).toEqual([{ name: 'webhook_attempts_id_org' }]);
      await migrate(place.url);
      expect(await place.query(unusable)).toEqual([]);
      expect(await keyOf(place, 'webhook_attempts_pkey')).toBe('PRIMARY KEY (id, org)');
      expect(await keyOf(place, 'order_items_pkey')).toBe('PRIMARY KEY (id, org)');
    });

    test('is migrated while a server of that version starts and waits for a lock', async () => {
      const place = await engine.create('bare');
      await formerDatabase(place, 10);
      const { migrating, release } = await stalledMigration(place);
      await withServer(place.url, async (starting) => {
        // PostgreSQL checks for a deadlock once, after a statement has waited for this long: at that time
        // there is none.
        await starting.query("set deadlock_timeout = '10ms'");
        const turn = starting.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
        await found(
          place,
          `select pid as found from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())
          and clock_timestamp() - waitstart > interval '100 ms'`,
        );
        await release();
        await turn;
      });
      expect(await migrating).toBeUndefined();
      expect(await keyOf(place, 'webhook_attempts_pkey')).toBe('PRIMARY KEY (id, org)');
    });
  },
  'postgres',
);
