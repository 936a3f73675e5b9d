/**
 * The plans of all statements. PostgreSQL makes them in tables with thousands of rows each. When it collected its statistics, no row met
 * the condition of a partial index: it takes these indexes to be empty, although they may have many rows by now, such as attempts that pile
 * up. Rows are made up from the catalogue, so that tables and indexes which are added are tested as well.
 */
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { statementFamilies, statements } from '../../src/db/statement.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';
import { anyPlanOf, anyStepsOf, type PlanNode } from './plans.ts';

const ROWS = 5000;

/** What has happened to all rows: nothing, or all that can happen to a row in use, such as that it was finished or accepted. */
const STATES = ['nothing has happened', 'everything is done'] as const;
type State = (typeof STATES)[number];

/** The columns with the time at which a row fell out of use. Most rows of a table are in use. */
const END = /\b(deleted|removed|revoked|archived)_at\b/;

/** Statements that read all rows of a table, or all rows in a partial index, with the reason. */
const READING_ALL: Readonly<Record<string, readonly string[]>> = {
  'There is one row for each instance of the server.': ['countWriters.purge'],
  'One lookup for each webhook finds those with something to send.': [
    'webhookAttempts.due',
    'webhookDeliveries.behind',
  ],
  'The oldest rows are read up to a limit.': [
    'auditEntries.purge',
    'deprecatedUses.purge',
    'logStarts.purge',
    'operationUses.purge',
  ],
  'The command line lists all organisations.': ['organisations.all'],
  'Open charges are read in the order of their index, up to a limit.': ['charges.due'],
};

const TABLES = `select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE'`;

const COLUMNS = `select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as nullable
  from information_schema.columns
  where table_schema = 'public' and table_name in (${TABLES}) and is_identity = 'NO' and is_generated = 'NEVER'
    and (is_nullable = 'YES' or column_default is null)`;

/** The columns of rows of an organisation that reference another one of its rows, which may have any number of them. */
const PARENTS = `select conrelid::regclass::text as "table", attname as name from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = any(conkey)
  where contype = 'f' and connamespace = 'public'::regnamespace and array_length(conkey, 1) > 1
    and attname not in ('org', 'order_id', 'charge_id', 'delivery_id')`;

const VALUES: Readonly<Record<string, string>> = {
  text: `'x' || n`,
  bigint: 'n',
  integer: 'n',
  jsonb: `'{}'`,
  boolean: 'true',
  tsvector: `array_to_tsvector(array['x' || n])`,
  'timestamp with time zone': `timestamptz '2026-01-01' + n * interval '1 second'`,
};

/** The value of a column in row `n`, in SQL. @param isParent whether other rows have the same value. */
function sampleOf(name: string, type: string, isParent: boolean): string {
  if (isParent) return 'n % 50';
  if (name === 'org') return `'org' || n % 100`;
  if (name === 'status') return `'none that an index is for'`;
  const value = VALUES[type];
  if (!value) throw new Error(`There is no value of the type ${type}.`);
  return value;
}

async function fill(place: TestDatabase, state: State): Promise<void> {
  const parents = new Set((await place.query(PARENTS)).map(({ table, name }) => `${table}.${name}`));
  const constraints =
    await place.query(`select conrelid::regclass as "table", conname as name from pg_constraint
    where contype in ('c', 'f') and connamespace = 'public'::regnamespace`);
  for (const { table, name } of constraints)
    await place.query(`alter table ${String(table)} drop constraint "${String(name)}"`);
  const columns = (await place.query(COLUMNS)).filter(
    ({ name, nullable }) => !nullable || (state === 'everything is done' && !END.test(String(name))),
  );
  for (const [table, ofTable] of Map.groupBy(columns, (column) => String(column['table']))) {
    const names = ofTable.map(({ name }) => `"${String(name)}"`);
    const values = ofTable.map(({ name, type }) =>
      sampleOf(String(name), String(type), parents.has(`${table}.${name}`)),
    );
    await place.query(`truncate ${table}; insert into ${table} (${names.join()})
      select ${values.join()} from generate_series(1, ${ROWS}) as c(n) on conflict do nothing`);
  }
  await place.query('vacuum analyze');
}

interface PartialIndex {
  readonly name: string;
  readonly table: string;
  readonly condition: string;
  /** Its first column. */
  readonly first: string;
}

async function partialIndexes(place: TestDatabase): Promise<readonly PartialIndex[]> {
  const rows =
    await place.query(`select indexrelid::regclass::text as name, indrelid::regclass::text as table,
      pg_get_expr(indpred, indrelid) as condition, pg_get_indexdef(indexrelid, 1, true) as first
    from pg_index where indpred is not null and indrelid::regclass::text in (${TABLES}) order by 1`);
  // The columns of this query.
  return rows as unknown as readonly PartialIndex[];
}

async function countOf(place: TestDatabase, table: string, condition = 'true'): Promise<number> {
  const [row] = await place.query(`select count(*) as rows from ${table} where ${condition}`);
  return Number(row?.['rows']);
}

/** The steps of a plan, each with the condition that rows have to meet after they were read. */
const stepsOf = (node: PlanNode): readonly (readonly [step: PlanNode, filter: string])[] => [
  [node, node.Filter ?? ''],
  ...(node.Plans ?? []).flatMap((child) =>
    child['Node Type'] === 'Bitmap Index Scan' ? [[child, node.Filter ?? ''] as const] : stepsOf(child),
  ),
];

/** The steps of a plan whose rows are all read: those below a limit are not. */
const withoutLimit = (node: PlanNode): readonly PlanNode[] =>
  node['Node Type'] === 'Limit' ? [] : [node, ...(node.Plans ?? []).flatMap(withoutLimit)];

/** Whether a step finds its rows by the first column of an index, and not rows by their ids among them. */
const isLookup = (step: PlanNode, filter: string, { first }: PartialIndex): boolean =>
  new RegExp(`\\b${first}\\b`).test(step['Index Cond'] ?? '') && !/\bid = /.test(filter);

/**
 * The statements of the server that do not read all rows on purpose. Of those that exist for each number of rows, the one for two stands for
 * the others, of which there are as many as the test files before this one have used.
 */
function statementNames(): readonly string[] {
  const known = new Set(Object.values(READING_ALL).flat());
  return [...statements.keys()].filter(
    (name) => !known.has(name) && !name.startsWith('test.') && (!/\.\d+$/.test(name) || name.endsWith('.2')),
  );
}

beforeAll(async () => {
  const folder = new URL('../../src/db/queries/', import.meta.url);
  for (const file of await readdir(folder, { recursive: true }))
    if (file.endsWith('.ts')) await import(new URL(file, folder).href);
  for (const ofSize of statementFamilies.values()) ofSize(2);
});

describeEachEngine(
  'all statements',
  (engine) => {
    test('look their rows up, and those that reference a deleted row', async () => {
      const rows = await engine.place.query(`select name from sqlite_master where type = 'table'`);
      const tables = new Set(rows.map(({ name }) => String(name)));
      const found: string[] = [];
      for (const name of statementNames()) {
        // For an insert the plan has steps that only run if a row referenced the new one before.
        if (/insert|^load\./i.test(name)) continue;
        const scans = (await anyStepsOf(engine, name)).flatMap((step) => /^SCAN (\S+)/.exec(step)?.[1] ?? []);
        const wrong = scans.filter((scanned) => tables.has(scanned) && !scanned.startsWith('search_'));
        if (wrong.length > 0) found.push(`${name}: ${wrong.join()}`);
      }
      expect(found).toEqual([]);
    });
  },
  'sqlite',
);

describeEachEngine(
  'all statements',
  ({ create }) => {
    const tested = new Set<string>();
    let all: readonly PartialIndex[] = [];

    describe.each(STATES)('with statistics from a time when %s', (state) => {
      const empty = new Map<string, PartialIndex>();
      const large = new Set<string>();
      let place: TestDatabase;

      beforeAll(async () => {
        place = await create('migrated');
        await fill(place, state);
        all = await partialIndexes(place);
        for (const index of all)
          if ((await countOf(place, index.table, index.condition)) === 0) empty.set(index.name, index);
        for (const { name } of await place.query(TABLES))
          if ((await countOf(place, String(name))) >= ROWS) large.add(String(name));
        for (const name of empty.keys()) tested.add(name);
      }, 120_000);

      const isReadingAll = ([step, filter]: readonly [PlanNode, string]): boolean => {
        const index = empty.get(step['Index Name'] ?? '');
        if (index) return !isLookup(step, filter, index);
        return step['Node Type'] === 'Seq Scan' && large.has(step['Relation Name'] ?? '');
      };

      test('look their rows up', async () => {
        const found: string[] = [];
        for (const name of statementNames()) {
          const wrong = stepsOf(await anyPlanOf({ place }, name)).find(isReadingAll);
          if (wrong)
            found.push(`${name}: ${wrong[0]['Index Name'] ?? wrong[0]['Relation Name']} ${wrong[1]}`);
        }
        expect(found).toEqual([]);
      }, 120_000);

      test('read lists in the order of an index, up to their limit', async () => {
        const found: string[] = [];
        for (const name of statementNames().filter((each) => statements.has(`${each}.backwards`))) {
          const plan = await anyPlanOf({ place }, name);
          const sorted = stepsOf(plan).filter(([step]) => step['Node Type'] === 'Sort');
          for (const [sort] of sorted)
            for (const step of withoutLimit(sort))
              if (large.has(step['Relation Name'] ?? '')) found.push(`${name}: ${step['Index Name']}`);
        }
        expect(found).toEqual([]);
      }, 120_000);
    });

    test('were tested with each partial index except those of rows in use', () => {
      const others = all.filter(({ name }) => !tested.has(name));
      expect(others.filter(({ condition }) => !END.test(condition))).toEqual([]);
    });
  },
  'postgres',
);
