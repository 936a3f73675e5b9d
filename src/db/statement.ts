/** Declares statements, which are built once per engine and prepared once per connection. */
import type { Column, Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type {
  PgDatabase,
  PgQueryResultHKT,
  PgTable,
  PgUpdateBuilder,
  PgUpdateSetSource,
} from 'drizzle-orm/pg-core';
import type { Dialect } from './dialect.ts';
import { and, eq, sql } from './drizzle/index.ts';
import { constantLimit } from './literals.ts';
import type { Tables } from './tables.ts';

/** The part of drizzle that behaves the same on every engine. */
export interface Orm extends Pick<PgDatabase<PgQueryResultHKT>, 'select' | 'insert' | 'delete'> {
  update<Table extends PgTable>(table: Table): Updating<Table>;
}

/** drizzle encodes the placeholders of an update like those of an insert, but its types do not allow them. */
interface Updating<Table extends PgTable> {
  set(
    values: {
      readonly [Name in keyof PgUpdateSetSource<Table>]: PgUpdateSetSource<Table>[Name] | Placeholder;
    },
  ): ReturnType<PgUpdateBuilder<Table, PgQueryResultHKT>['set']>;
}

/** The parts that a statement is built from. Each engine has its own builder. */
export interface Builder {
  readonly orm: Orm;
  readonly tables: Tables;
  readonly dialect: Dialect;
}

/** One drizzle placeholder for each parameter. */
export type Placeholders<P extends object> = {
  readonly [Name in keyof P & string]: Placeholder<Name, P[Name]>;
};

/** A drizzle query that can be prepared. */
export interface Preparable<Result> {
  prepare(name: string): { execute(params?: Record<string, unknown>): Promise<Result> };
}

/**
 * A statement with typed parameters. `Result` is a list of rows. A statement without rows (an insert without `returning`) has the
 * result `unknown` in drizzle's types, and returns an empty list on every engine.
 */
export interface Statement<P extends object, Result> {
  /** Unique; `<resource>.<what it does>`. Metrics and PostgreSQL's prepared statements use it. */
  readonly name: string;
  readonly build: (builder: Builder) => Preparable<Result>;
  /** Carries the parameters' type; there is no such member at run time. */
  readonly params?: P;
}

/** PostgreSQL truncates identifiers to this many bytes, and two truncated names could be equal. */
const NAME_BYTES = 63;

const registry = new Map<string, Statement<object, unknown>>();

/** Every statement that the loaded modules have declared. Tests check the SQL and the plan of each. */
export const statements: ReadonlyMap<string, Statement<object, unknown>> = registry;

type Family = (size: number) => Statement<object, unknown>;

const families = new Map<string, Family>();

/** The {@link statementPerSize} functions of the loaded modules by name: each returns the statement for a size. */
export const statementFamilies: ReadonlyMap<string, Family> = families;

/**
 * Declares a statement.
 *
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
 * Declares statements that differ in the number of rows they write: one for each size, built at its first use. The caller
 * must limit the sizes, since every statement is kept.
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

/** All combinations of one value of each list, as objects with the names of the lists. */
export function combinationsOf<Choices extends Readonly<Record<string, readonly unknown[]>>>(
  choices: Choices,
): { readonly [Name in keyof Choices]: Choices[Name][number] }[] {
  let forms: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(choices))
    forms = forms.flatMap((form) => values.map((value) => ({ ...form, [name]: value })));
  // Each form has a value of each list.
  return forms as ReturnType<typeof combinationsOf<Choices>>;
}

/** Declares a statement for each of these forms, so that no query is built per request. Returns a function that finds that of a form. */
export function statementPerForm<Form, P extends object, Result>(
  forms: readonly Form[],
  nameOf: (form: Form) => string,
  build: (form: Form, builder: Builder, placeholders: Placeholders<P>) => Preparable<Result>,
): (form: Form) => Statement<P, Result> {
  const byName = new Map(
    forms.map((form) => {
      const name = nameOf(form);
      return [name, statement<P, Result>(name, (builder, p) => build(form, builder, p))];
    }),
  );
  return (form) => {
    const found = byName.get(nameOf(form));
    if (!found) throw new Error(`There is no statement "${nameOf(form)}".`);
    return found;
  };
}

/** The placeholders for `rows` rows with the named columns: each is named after its column and the number of its row, such as `org0`. */
export function numberedPlaceholders<Name extends string>(
  names: readonly Name[],
  rows: number,
): Record<Name, Placeholder>[] {
  return Array.from({ length: rows }, (_, row) => {
    const entries = names.map((name) => [name, sql.placeholder(`${name}${row}`)] as const);
    // The entries have exactly these names.
    return Object.fromEntries(entries) as Record<Name, Placeholder>;
  });
}

/** The parameter values of some rows, by the names of {@link numberedPlaceholders}. */
export function numberedParams(rows: readonly object[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [number, row] of rows.entries()) {
    for (const [name, value] of Object.entries(row)) params[`${name}${number}`] = value;
  }
  return params;
}

/** Returns a proxy that has a placeholder for every name. Its type allows only the statement's parameters. */
function placeholders<P extends object>(): Placeholders<P> {
  const proxy = new Proxy({}, { get: (_target, name) => sql.placeholder(String(name)) });
  // A proxy cannot be typed as a mapped type without a cast.
  return proxy as Placeholders<P>;
}

/**
 * Wraps a condition that filters rows found in another way, so that no index is used for the condition. Without statistics PostgreSQL
 * prefers to read all rows of an organisation and to filter them by id. If its statistics are from a time when no row met the condition of a
 * partial index, such as that an attempt is pending, it prefers to read that index. (Newer versions look for conditions inside `is true`.)
 */
export function checked(condition: SQL | undefined): SQL {
  return sql`coalesce(${condition}, false)`;
}

/**
 * A condition that a subquery, which selects one column, has no row. For `not exists` PostgreSQL may read a whole table to
 * join it, since it estimates a limit of the statement that is a parameter as a tenth of all rows.
 */
export const isEmpty = (rows: { limit(count: number): SQLWrapper }): SQL =>
  sql`(${rows.limit(constantLimit(1))}) is null`;

/**
 * A placeholder in an SQL expression whose value is encoded for a column, above all a timestamp or JSON. Comparisons, inserts and updates
 * encode their placeholders by themselves.
 */
export const asStored = (placeholder: Placeholder, column: Column): SQL =>
  sql`${sql.param<unknown, unknown>(placeholder, column)}`;

/** The placeholders with these names, for an insert or an update of the columns with the same names. */
export function given<Name extends string>(
  placeholders: Readonly<Record<NoInfer<Name>, Placeholder>>,
  ...names: readonly Name[]
): Record<Name, Placeholder> {
  // The entries have exactly these names.
  return Object.fromEntries(names.map((name) => [name, placeholders[name]])) as Record<Name, Placeholder>;
}

/** A condition that columns have the values of the parameters with their names. */
export const equal = <Name extends string>(
  table: Readonly<Record<NoInfer<Name>, Column>>,
  placeholders: Readonly<Record<NoInfer<Name>, Placeholder>>,
  ...names: readonly [Name, ...Name[]]
): SQL | undefined => and(...names.map((name) => eq(table[name], placeholders[name])));
