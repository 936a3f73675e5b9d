import { readdir, readFile } from 'node:fs/promises';
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import type { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { tablesPlaced } from '../../codegen/references.ts';
import { migrate } from '../../src/db/open.ts';
import { postgresTables } from '../../src/db/postgres/columns.ts';
import { sqliteTables } from '../../src/db/sqlite/columns.ts';
import type { Tables } from '../../src/db/tables.ts';
import type { TestDatabase } from '../support/databases.ts';
import { getTableColumns, getTableConfig, getTableName } from '../support/drizzle.ts';
import { describeEachEngine } from '../support/engines.ts';

const tableNames = Object.values(postgresTables).map(getTableName).toSorted();

/** The snapshot of drizzle-kit beside the migrations: the newest, which is the only one that is needed. */
async function snapshotOf(engine: 'sqlite' | 'postgres') {
  const meta = new URL(`../../src/db/${engine}/migrations/meta/`, import.meta.url);
  const { entries } = JSON.parse(await readFile(new URL('_journal.json', meta), 'utf8'));
  const newest = String(entries.at(-1).idx).padStart(4, '0');
  expect((await readdir(meta)).toSorted()).toEqual([`${newest}_snapshot.json`, '_journal.json']);
  return JSON.parse(await readFile(new URL(`${newest}_snapshot.json`, meta), 'utf8'));
}

describe('the migrations', () => {
  test('match the tables for PostgreSQL: `npm run db:generate` has nothing to add', async () => {
    const before = await snapshotOf('postgres');
    const declared = generateDrizzleJson({ ...postgresTables }, before.id);
    expect(await generateMigration(before, declared)).toEqual([]);
  });

  test('match the tables for SQLite: `npm run db:generate` has nothing to add', async () => {
    const before = await snapshotOf('sqlite');
    const declared = await generateSQLiteDrizzleJson({ ...sqliteTables }, before.id);
    expect(await generateSQLiteMigration(before, declared)).toEqual([]);
  });
});

/** The first migration that changes large tables in steps. Databases that are older than it cannot have much in them. */
const FIRST_IN_STEPS = '0017';

/** Tables of which no organisation has many rows, so that an index is built at once. */
const SMALL = ['apps'];

test('migrations for PostgreSQL that lock existing tables wait only briefly for their locks', async () => {
  const folder = new URL('../../src/db/postgres/migrations/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name >= FIRST_IN_STEPS);
  for (const name of files) {
    const sql = await readFile(new URL(name, folder), 'utf8');
    const locked = [...sql.matchAll(/alter table "(\w+)"|references "public"\."(\w+)"|drop index/gi)];
    const existing = locked.filter(
      ([, altered, referred]) => !sql.includes(`CREATE TABLE "${altered ?? referred}"`),
    );
    const isInSteps = sql.startsWith('-- step by step');
    expect(existing.length === 0 || isInSteps, `${name} must start with "-- step by step"`).toBe(true);
  }
});

test('migrations for PostgreSQL build indexes of existing tables beside their writers', async () => {
  const folder = new URL('../../src/db/postgres/migrations/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name >= FIRST_IN_STEPS);
  expect(files.length).toBeGreaterThan(5);
  const blocking = await Promise.all(
    files.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const built = sql.matchAll(/create (?:unique )?index (?!concurrently).*? on "(\w+)"/gi);
      return [...built].flatMap(([text, table = '']) =>
        SMALL.includes(table) || sql.includes(`CREATE TABLE "${table}"`) ? [] : [`${name}: ${text}`],
      );
    }),
  );
  expect(
    blocking.flat(),
    'write CREATE INDEX CONCURRENTLY IF NOT EXISTS, in a migration that starts with "-- step by step"',
  ).toEqual([]);
});

interface UniqueIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

/** Unique values that the server generates. */
const GENERATED = ['charges_reference_unique', 'refunds_reference_unique'];

test('values that clients choose are unique within their organisation, also on SQLite', async () => {
  const { tables } = await snapshotOf('sqlite');
  const found = tablesPlaced('tenant').flatMap((table) => {
    const indexes: UniqueIndex[] = Object.values(tables[table]?.indexes ?? {});
    // A row whose id is in the index has only one organisation.
    return indexes.filter(
      ({ isUnique, columns }) => isUnique && !columns.some((name) => name === 'org' || name.endsWith('_id')),
    );
  });
  expect(
    found.map(({ name }) => name).toSorted(),
    '`tenantUniqueIndex` has no organisation on SQLite: use `uniqueIndex(…).on(t.org, …)`',
  ).toEqual(GENERATED);
});

test('both engines have the same tables with the same columns', () => {
  const shape = (tables: Tables) =>
    Object.entries(tables).map(([member, table]) => [
      member,
      getTableName(table),
      Object.entries(getTableColumns(table)).map(([name, column]) => [
        name,
        column.name,
        column.dataType,
        column.notNull,
        // On PostgreSQL the organisation is part of keys: `test/structure/tenants.test.ts`.
        column.primary || name === 'id',
        column.isUnique,
        column.enumValues ?? [],
      ]),
    ]);
  expect(shape(sqliteTables)).toEqual(shape(postgresTables));
});

interface Described {
  readonly table: string;
  readonly column: string;
  readonly required: boolean;
}

/**
 * The columns of the migrated database, as reported by the engine. Full-text indexes are tables on only one
 * engine.
 */
async function columnsOf(place: TestDatabase, engine: 'sqlite' | 'postgres'): Promise<Described[]> {
  const rows = await place.query(
    engine === 'sqlite'
      ? `select m.name as "table", c.name as "column", c."notnull" as required
         from sqlite_master m, pragma_table_info(m.name) c
         where m.type = 'table' and m.name not like 'sqlite_%' and m.name not like '\\_\\_%' escape '\\' and m.name not like 'search%'`
      : `select table_name as "table", column_name as "column", is_nullable = 'NO' as required
         from information_schema.columns where table_schema = 'public' and table_name not like 'search%'`,
  );
  return rows.map((row) => ({
    table: String(row['table']),
    column: String(row['column']),
    required: Boolean(row['required']),
  }));
}

async function indexesOf(place: TestDatabase, engine: 'sqlite' | 'postgres'): Promise<string[]> {
  const rows = await place.query(
    engine === 'sqlite'
      ? "select name from sqlite_master where type = 'index' and name not like 'sqlite_%' and name not like 'search%'"
      : "select indexname as name from pg_indexes where schemaname = 'public' and indexname not like '%_pkey' and indexname not like 'search%'",
  );
  return rows.map((row) => String(row['name'])).toSorted();
}

const inOrder = (columns: readonly Described[]) =>
  columns.map(({ table, column, required }) => `${table}.${column}${required ? ' required' : ''}`).toSorted();

describeEachEngine('a migrated database', (engine) => {
  test('has exactly the declared columns', async () => {
    const declared = Object.values(postgresTables).flatMap((table) =>
      Object.values(getTableColumns(table)).map((column) => ({
        table: getTableName(table),
        column: column.name,
        required: column.notNull,
      })),
    );
    expect(inOrder(await columnsOf(engine.place, engine.name))).toEqual(inOrder(declared));
  });

  test('has exactly the declared indexes', async () => {
    const declared = Object.values(postgresTables).flatMap((table: PgTable) => {
      const { indexes, columns } = getTableConfig(table);
      return [
        ...indexes.map((index) => index.config.name),
        ...columns.filter((column) => column.isUnique).map((column) => column.uniqueName),
      ];
    });
    expect(await indexesOf(engine.place, engine.name)).toEqual(declared.toSorted());
  });

  test('is not changed by migrating again', async () => {
    const place = await engine.create('bare');
    await migrate(place.url);
    const before = await columnsOf(place, engine.name);
    await migrate(place.url);
    expect(await columnsOf(place, engine.name)).toEqual(before);
    expect(new Set(before.map(({ table }) => table))).toEqual(new Set(tableNames));
  });

  engine.testConcurrent(
    'may be migrated by several instances at once, and each migration runs once',
    async () => {
      const place = await engine.create('bare');
      await Promise.all([1, 2, 3, 4].map(() => migrate(place.url)));
      const record = engine.name === 'sqlite' ? '__drizzle_migrations' : 'drizzle.__drizzle_migrations';
      const { entries } = JSON.parse(
        await readFile(
          new URL(`../../src/db/${engine.name}/migrations/meta/_journal.json`, import.meta.url),
          'utf8',
        ),
      );
      const applied = await place.query(`select created_at from ${record} order by created_at`);
      expect(applied.map((row) => Number(row['created_at']))).toEqual(
        entries.map(({ when }: { when: number }) => when),
      );
    },
  );
});
