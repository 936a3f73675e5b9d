/** Explains the server's statements on each engine, for tests that verify the use of indexes. */
import { postgresBuilder } from '../../src/db/postgres/connection.ts';
import { PLANNER_SETTINGS } from '../../src/db/postgres/session.ts';
import { sqliteBuilder } from '../../src/db/sqlite/engine.ts';
import { type Builder, statements } from '../../src/db/statement.ts';
import type { TestEngine } from '../support/engines.ts';

export type Params = Readonly<Record<string, unknown>>;

const builders: Record<TestEngine['name'], Builder> = { postgres: postgresBuilder, sqlite: sqliteBuilder };

/** Returns the SQL of a statement, and the slots of its parameters. */
function textOf(engine: TestEngine['name'], name: string): { sql: string; slots: readonly unknown[] } {
  const statement = statements.get(name);
  if (!statement) throw new Error(`There is no statement "${name}".`);
  // All query builders of drizzle have `toSQL`, although `Preparable` does not declare it.
  const query = statement.build(builders[engine]) as unknown as {
    toSQL(): { sql: string; params: unknown[] };
  };
  const { sql, params: slots } = query.toSQL();
  return { sql, slots };
}

/** Returns the SQL of a statement, and its parameters as literals, in order. */
function written(
  engine: TestEngine['name'],
  name: string,
  params: Params,
): { sql: string; literals: string[] } {
  const { sql, slots } = textOf(engine, name);
  return { sql, literals: slots.map((slot) => literal(engine, nameOfSlot(slot), params, slot)) };
}

/** Returns the SQL of a statement with literals in the place of its parameters. */
function filledIn(engine: TestEngine['name'], name: string, params: Params): string {
  const { sql, literals } = written(engine, name, params);
  let next = 0;
  return sql.replace(/\?|\$(\d+)/g, (all, number) => literals[number ? Number(number) - 1 : next++] ?? all);
}

/** Returns the name of a slot: a placeholder, a placeholder with an encoder, or undefined for a value in the statement itself. */
function nameOfSlot(slot: unknown): string | undefined {
  if (typeof slot !== 'object' || slot === null) return undefined;
  if ('name' in slot && typeof slot.name === 'string') return slot.name;
  return 'value' in slot ? nameOfSlot(slot.value) : undefined;
}

function literal(
  engine: TestEngine['name'],
  name: string | undefined,
  params: Params,
  slot: unknown,
): string {
  const value: unknown =
    name === undefined ? slot : Object.entries(params).find(([key]) => key === name)?.[1];
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return engine === 'sqlite' ? `'[${value.join()}]'` : `'{${value.join()}}'`;
  if (value instanceof Date)
    return engine === 'sqlite' ? String(value.getTime()) : `'${value.toISOString()}'`;
  if (value === null) return 'null';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new Error(`No literal for ${name ?? String(slot)}.`);
}

/** The members of a plan node that contain conditions. */
export const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'One-Time Filter',
] as const;

export interface PlanNode extends Readonly<Partial<Record<(typeof CONDITIONS)[number], string>>> {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** The alias of the table in the statement. */
  readonly Alias?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the number of rows of a table that a plan read, including those that it filtered out. */
export function rowsRead(node: PlanNode, table: string): number {
  const inner = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), 0);
  if (node['Relation Name'] !== table) return inner;
  const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return inner + each * (node['Actual Loops'] ?? 1);
}

/** Returns the number of rows that a plan read from all tables. */
export function allRowsRead(node: PlanNode): number {
  const inner = (node.Plans ?? []).reduce((sum, child) => sum + allRowsRead(child), 0);
  if (node['Relation Name'] === undefined) return inner;
  const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return inner + each * (node['Actual Loops'] ?? 1);
}

/** Returns the number of table and index pages that a plan read, including index pages without matching rows. */
export const pagesRead = (plan: PlanNode): number =>
  (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);

/** Returns the steps of SQLite's plan. */
export async function explainSqlite(engine: TestEngine, name: string, params: Params): Promise<string[]> {
  const rows = await engine.place.query(`explain query plan ${filledIn('sqlite', name, params)}`);
  return rows.map((row) => String(row['detail']));
}

/** Returns the steps of SQLite's plan of a statement, including the search for rows that reference a deleted one. */
export async function anyStepsOf(engine: TestEngine, name: string): Promise<string[]> {
  const { sql, slots } = textOf('sqlite', name);
  const rows = await engine.place.query(
    `explain query plan ${sql}`,
    slots.map(() => null),
  );
  return rows.map((row) => String(row['detail']));
}

/** Runs a statement on PostgreSQL and returns its plan, with the number of rows in each step: the same plan for all parameters. */
export function explainPostgres(engine: TestEngine, name: string, params: Params): Promise<PlanNode> {
  const { sql, literals } = written('postgres', name, params);
  return planOfPrepared(engine, sql, literals, 'analyze, buffers');
}

/** Returns PostgreSQL's plan of a statement, without running it. */
export function anyPlanOf(engine: Pick<TestEngine, 'place'>, name: string): Promise<PlanNode> {
  const { sql, slots } = textOf('postgres', name);
  return planOfPrepared(
    engine,
    sql,
    slots.map(() => 'null'),
    'verbose',
  );
}

/** Explains a statement as the server runs it: prepared, and with its settings. */
async function planOfPrepared(
  engine: Pick<TestEngine, 'place'>,
  sql: string,
  literals: readonly string[],
  options: string,
): Promise<PlanNode> {
  const settings = PLANNER_SETTINGS.map((setting) => `set ${setting};`).join(' ');
  const rows = await engine.place.query(`${settings} prepare it as ${sql};
    explain (${options}, format json) execute it ${literals.length > 0 ? `(${literals.join(', ')})` : ''}`);
  // PGlite has a single session, which stays open.
  await engine.place.query('deallocate all');
  return planIn(rows);
}

/** Returns PostgreSQL's plan of an SQL text, without running it. */
export async function planOfSql(engine: TestEngine, sql: string): Promise<PlanNode> {
  return planIn(await engine.place.query(`explain (verbose, format json) ${sql}`));
}

function planIn(rows: readonly Record<string, unknown>[]): PlanNode {
  const plan: unknown = rows[0]?.['QUERY PLAN'];
  // The documented result of `explain (format json)`.
  const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }];
  return Plan;
}
