/** Queries that the tables of an organisation's rows have in common. */
import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Runner } from '../../database.ts';
import type { Dialect, Prefix } from '../../dialect.ts';
import { and, asc, count, desc, eq, getTableColumns, sql } from '../../drizzle/index.ts';
import { read } from '../../query.ts';
import { type Builder, checked, equal, type Placeholders, type Preparable } from '../../statement.ts';
import type { Tables } from '../../tables.ts';
import type { ListPart } from './looking.ts';

/** What these tables have in common. Their types differ otherwise. */
export type OwnedTable = PgTable & { readonly id: PgColumn; readonly org: PgColumn };

/** Tables whose rows have an id and belong to an organisation. */
export type Owned = { [Name in keyof Tables]: Tables[Name] extends OwnedTable ? Name : never }[keyof Tables];

export type Columns = Readonly<Record<string, PgColumn>>;
export type RowOf<Name extends Owned> = Readonly<Tables[Name]['$inferSelect']>;
/** The members of a row that are selected. */
export type Selected<Name extends Owned, C extends Columns> = Pick<RowOf<Name>, keyof RowOf<Name> & keyof C>;

interface Selection<Name extends Owned, C extends Columns> {
  /** The name of the statement, if it is not that of the table. */
  readonly name?: string;
  /** The columns to read; all unless given. */
  readonly columns?: (table: Tables[Name]) => C;
  /** The conditions of rows that exist. */
  readonly only?: (table: Tables[Name]) => readonly (SQL | undefined)[];
}

/** A condition for one row of an organisation, and any further conditions, for which no index is used. */
export const isRow = (
  { id, org }: Readonly<Record<'id' | 'org', Column>>,
  p: Readonly<Record<'id' | 'org', Placeholder>>,
  ...conditions: readonly (SQL | undefined)[]
): SQL | undefined => and(eq(id, p.id), eq(org, p.org), further(conditions));

/** Conditions of rows that are found by their ids. */
function further(conditions: readonly (SQL | undefined)[]): SQL | undefined {
  const all = and(...conditions);
  return all && checked(all);
}

/** Declares a query for a row by its id, in one organisation. */
export function findById<Row>(
  name: string,
  build: (builder: Builder, p: Placeholders<{ org: string; id: number }>) => Preparable<readonly Row[]>,
): (db: Runner, org: string, id: number) => Promise<Row | undefined> {
  const find = read.first(name, build);
  return (db, org, id) => find(db, { org, id });
}

/** How to find a row of one kind, and the organisation that owns it if the caller's organisation does not. */
export interface Lookup<Row> {
  find(db: Runner, org: string, id: number): Promise<Row | undefined>;
  /** Also finds the organisation of a deleted row, to distinguish 403 from 404; undefined if there is no row with this id. */
  orgOf(db: Runner, id: number): Promise<string | undefined>;
}

/** Returns the {@link Lookup} of the rows of one table. */
export const lookupIn = <Name extends Owned, C extends Columns = Tables[Name]['_']['columns']>(
  name: Name,
  { columns, only = () => [] }: Omit<Selection<Name, C>, 'name'> = {},
): Lookup<Selected<Name, C>> => ({
  find: findById(`${name}.byId`, ({ orm, tables }, p) => {
    const table: OwnedTable = tables[name];
    const found = orm
      .select(columns?.(tables[name]) ?? getTableColumns(table))
      .from(table)
      .where(isRow(table, p, ...only(tables[name])));
    // The selected columns have these types in the table with this name.
    return found as unknown as Preparable<readonly Selected<Name, C>[]>;
  }),
  orgOf: ownerIn(name),
});

/** Some rows of an organisation, by their ids. */
export interface Among {
  readonly org: string;
  readonly ids: readonly number[];
}

/** A condition for the rows among these ids, and any further conditions, for which no index is used. */
export const isAmong = (
  { id, org }: Readonly<Record<'id' | 'org', Column>>,
  p: Placeholders<Among>,
  dialect: Dialect,
  ...conditions: readonly (SQL | undefined)[]
): SQL | undefined => and(dialect.anyOf(id, p.ids), dialect.ofOrganisation(org, p.org), further(conditions));

/** Returns a query for the rows among some ids, in order of id. Without ids, no statement runs. */
export function amongIn<Name extends Owned, C extends Columns = Tables[Name]['_']['columns']>(
  rows: Name,
  { name = `${rows}.byIds`, columns, only = () => [] }: Selection<Name, C> = {},
) {
  const among = read.all<Among, Selected<Name, C>>(name, ({ orm, tables, dialect }, p) => {
    const table: OwnedTable = tables[rows];
    const found = orm
      .select(columns?.(tables[rows]) ?? getTableColumns(table))
      .from(table)
      .where(isAmong(table, p, dialect, ...only(tables[rows])))
      .orderBy(asc(table.id));
    // The selected columns have these types in the table with this name.
    return found as unknown as Preparable<readonly Selected<Name, C>[]>;
  });
  return async (db: Runner, which: Among) => (which.ids.length > 0 ? among(db, which) : []);
}

/** Returns a query for the row that has the values of the parameters in the columns with their names, if it meets the conditions. */
export const findBy = <Name extends keyof Tables, By extends keyof Tables[Name]['$inferSelect'] & string>(
  name: string,
  rows: Name,
  by: readonly [By, ...By[]],
  only: (table: Tables[Name]) => readonly SQL[] = () => [],
) =>
  read.first<Readonly<Pick<Tables[Name]['$inferSelect'], By>>, Readonly<Tables[Name]['$inferSelect']>>(
    name,
    ({ orm, tables }, p) => {
      const table: PgTable = tables[rows];
      // The table has these columns, and the statement parameters with their names.
      const columns = getTableColumns(table) as Readonly<Record<By, PgColumn>>;
      const found = orm
        .select()
        .from(table)
        .where(and(equal<By>(columns, p as Readonly<Record<By, Placeholder>>, ...by), ...only(tables[rows])));
      // All columns have the types of a row in the table with this name.
      return found as unknown as Preparable<readonly Tables[Name]['$inferSelect'][]>;
    },
  );

/** The parameters of a page of a list of an organisation. */
export interface Page extends ListPart {
  readonly org: string;
}

/** A select that still has no conditions. */
interface Unfiltered<Row> {
  where(condition: SQL | undefined): {
    orderBy(...columns: readonly SQL[]): { limit(rows: Placeholder): Preparable<readonly Row[]> };
  };
}

/** Parameters of its own are declared with the type of `p`. */
interface Listing<Name extends Owned, Extra extends object, Row> {
  /** The leading columns of the index, with their values; the organisation unless given. */
  readonly along?: (table: Tables[Name], p: Placeholders<Extra> & Placeholders<Page>) => Prefix;
  /** The conditions of rows that exist. */
  readonly only?: (
    table: Tables[Name],
    p: Placeholders<Extra> & Placeholders<Page>,
  ) => readonly (SQL | undefined)[];
  /** What to read from the table, and from others that are joined to it; all its columns unless given. */
  readonly select?: (builder: Builder, p: Placeholders<Extra> & Placeholders<Page>) => Unfiltered<Row>;
}

/**
 * Returns a query for a page of rows in the order of an index, whose last column is the id: up to `limit` rows that follow the row `fromId`,
 * 0 for the first ones; with `before` those that precede it, the newest first. Backwards, it is read from the other end.
 */
export const listIn = <Name extends Owned, Extra extends object = object, Row = RowOf<Name>>(
  name: string,
  rows: Name,
  bound: 'after' | 'before',
  { along, only, select }: Listing<Name, Extra, Row> = {},
) =>
  read.list<Page & Extra, Row>(name, (builder, p) => {
    const { orm, tables, dialect } = builder;
    const table: OwnedTable = tables[rows];
    const prefix: Prefix = along?.(tables[rows], p) ?? [[table.org, p.org]];
    const isOwn = prefix.some(([column]) => column === table.org) ? undefined : eq(table.org, p.org);
    // All columns have the types of a row in the table with this name.
    const selected = select?.(builder, p) ?? (orm.select().from(table) as unknown as Unfiltered<Row>);
    return selected
      .where(
        and(
          isOwn,
          dialect.inIndex(prefix, table.id, { [bound]: p.fromId }),
          ...(only?.(tables[rows], p) ?? []),
        ),
      )
      .orderBy(...dialect.orderInIndex(prefix, bound === 'after' ? asc : desc, table.id))
      .limit(p.limit);
  });

/** Returns a {@link listIn} query for rows in order of id. Read one row more than a page shows to detect further pages. */
export const rowsIn = <Name extends Owned, C extends Columns = Tables[Name]['_']['columns']>(
  rows: Name,
  bound: 'after' | 'before',
  { name = `${rows}.${bound}`, columns, only }: Selection<Name, C> = {},
) =>
  listIn<Name, object, Selected<Name, C>>(name, rows, bound, {
    ...(only && { only }),
    // The selected columns have these types in the table with this name.
    ...(columns && {
      select: ({ orm, tables }) =>
        orm.select(columns(tables[rows])).from(tables[rows] as OwnedTable) as unknown as Unfiltered<
          Selected<Name, C>
        >,
    }),
  });

/** Returns a query for the number of an organisation's rows. */
export function countIn<Name extends Owned>(
  name: Name,
  { only = () => [] }: Pick<Selection<Name, Columns>, 'only'> = {},
): (db: Runner, org: string) => Promise<number> {
  const countOf = read.only<{ org: string }, { rows: number }>(`${name}.count`, ({ orm, tables }, p) => {
    const table: OwnedTable = tables[name];
    return orm
      .select({ rows: count() })
      .from(table)
      .where(and(eq(table.org, p.org), ...only(tables[name])));
  });
  return async (db, org) => (await countOf(db, { org })).rows;
}

/** Returns the query {@link Lookup.orgOf} for the rows of one table. */
export function ownerIn<Name extends Owned>(
  name: Name,
  { only = () => [] }: Pick<Selection<Name, Columns>, 'only'> = {},
): Lookup<unknown>['orgOf'] {
  const orgOf = read.first<{ id: number }, { org: string }>(`${name}.orgOf`, ({ orm, tables }, p) => {
    const table: OwnedTable = tables[name];
    return orm
      .select({ org: sql<string>`${table.org}` })
      .from(table)
      .where(and(eq(table.id, p.id), ...only(tables[name])));
  });
  return async (db, id) => (await orgOf(db, { id }))?.org;
}
