/** Statements are written once, and prepared once per connection. */
import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Dialect } from './dialect.ts';
import { sql } from './drizzle/index.ts';
import type { Tables } from './tables.ts';

/** The part of drizzle that means the same on every engine. */
export type Orm = Pick<
  PgDatabase<PgQueryResultHKT>,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>;

/** What a statement is built from. Each connection has its own. */
export interface Builder {
  readonly orm: Orm;
  readonly tables: Tables;
  readonly dialect: Dialect;
}

/** One drizzle placeholder for each parameter. */
export type Placeholders<P extends object> = {
  readonly [Name in keyof P & string]: Placeholder<Name, P[Name]>;
};

/** A drizzle query that has been written and not yet run. */
export interface Preparable<Result> {
  prepare(name: string): { execute(params?: Record<string, unknown>): Promise<Result> };
}

/**
 * `Result` is a list of rows. A statement that returns none (an insert without `returning`) has the result
 * `unknown` in drizzle's types, and gives an empty list on every engine.
 */
export interface Statement<P extends object, Result> {
  /** Unique; `<resource>.<what it does>`. Metrics and PostgreSQL's prepared statements go by it. */
  readonly name: string;
  readonly build: (builder: Builder) => Preparable<Result>;
  /** Carries the parameters' type; there is no such member at run time. */
  readonly params?: P;
}

/** PostgreSQL cuts identifiers after this many bytes, and two cut names could become one. */
const NAME_BYTES = 63;

const registry = new Map<string, Statement<object, unknown>>();

/** Every statement that the loaded modules have declared. The tests look at each one's SQL and plan. */
export const statements: ReadonlyMap<string, Statement<object, unknown>> = registry;

type Family = (size: number) => Statement<object, unknown>;

const families = new Map<string, Family>();

/** By name, the {@link statementPerSize} of the loaded modules: each makes the statement of a size. */
export const statementFamilies: ReadonlyMap<string, Family> = families;

/**
 * @example
 * const byId = statement<{ org: string; id: number }, readonly UserRow[]>('users.byId', ({ orm, tables: { users } }, p) =>
 *   orm.select().from(users).where(and(eq(users.org, p.org), eq(users.id, p.id))));
 * const [user] = await db.run(byId, { org: 'acme', id: 1 });
 */
export function statement<P extends object, Result>(
  name: string,
  build: (builder: Builder, placeholders: Placeholders<P>) => Preparable<Result>,
): Statement<P, Result> {
  if (registry.has(name)) throw new Error(`Two statements are named "${name}".`);
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`"${name}" is longer than ${NAME_BYTES} bytes.`);
  const made: Statement<P, Result> = { name, build: (builder) => build(builder, placeholders<P>()) };
  registry.set(name, made);
  return made;
}

/**
 * Statements that differ by how many rows they write: one for each size, made when first asked for. The caller
 * bounds the sizes, since each is kept.
 */
export function statementPerSize<P extends object, Result>(
  name: string,
  build: (builder: Builder, size: number) => Preparable<Result>,
): (size: number) => Statement<P, Result> {
  const bySize = new Map<number, Statement<P, Result>>();
  const ofSize = (size: number) => {
    let found = bySize.get(size);
    if (!found) {
      found = statement<P, Result>(`${name}.${size}`, (builder) => build(builder, size));
      bySize.set(size, found);
    }
    return found;
  };
  families.set(name, ofSize);
  return ofSize;
}

/** The proxy gives a placeholder for whatever name is asked for; its type admits the statement's parameters only. */
function placeholders<P extends object>(): Placeholders<P> {
  const proxy = new Proxy({}, { get: (_target, name) => sql.placeholder(String(name)) });
  // A proxy cannot have a mapped type of its own.
  return proxy as Placeholders<P>;
}

/**
 * A condition that rows are held to after they were found by their ids. No index is used for it: without statistics PostgreSQL
 * would rather read all rows of an organisation and look for the ids among them.
 */
export function checked(condition: SQL | undefined): SQL {
  return sql`(${condition}) is true`;
}

/**
 * A placeholder whose value is written as the column stores it, or null. drizzle does so by itself for the values
 * of an insert, except null; in a comparison or an update the type must be given, above all for timestamps and JSON.
 */
export function asStored(placeholder: Placeholder, column: Column): SQL {
  const encoder = {
    mapToDriverValue: (value: unknown) => (value === null ? null : column.mapToDriverValue(value)),
  };
  return sql`${sql.param<unknown, unknown>(placeholder, encoder)}`;
}
