/** Changes that the tables of an organisation's rows have in common. */

import type { Placeholder, SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Versions } from '../../../core/versions.ts';
import type { Transaction } from '../../database.ts';
import { getTableColumns, isNull, sql } from '../../drizzle/index.ts';
import { write } from '../../query.ts';
import type { Builder, Placeholders, Preparable } from '../../statement.ts';
import type { Tables } from '../../tables.ts';
import { type Columns, isRow, type Owned, type OwnedTable, type RowOf, type Selected } from './owned.ts';

type NameIn<Name extends Owned> = keyof RowOf<Name> & string;

interface Insertion<
  Name extends Owned,
  Stamp extends string,
  Fixed extends string,
  C extends Columns,
  IfNew extends boolean,
> {
  /** The name of the statement, if it is not that of the table. */
  readonly name?: string;
  /** Columns that get the parameter `now`. */
  readonly at?: readonly Stamp[];
  /** The values of columns that have the same one in all of these rows. */
  readonly fixed?: Readonly<Record<Fixed, string>>;
  /** The columns to return; all unless given. */
  readonly columns?: (table: Tables[Name]) => C;
  /** Whether nothing is inserted, and undefined returned, if a row with the same unique values exists. */
  readonly ifNew?: IfNew;
}

/** The parameters of an insert: the given columns, and the time if a column gets it. */
type NewRow<Name extends Owned, Given extends NameIn<Name>, Stamp> = Pick<RowOf<Name>, Given> &
  ([Stamp] extends [never] ? unknown : { readonly now: Date });

type InsertOf<Name extends Owned> = Tables[Name]['$inferInsert'];

/** The columns without which a row cannot be inserted. */
type NeededIn<Name extends Owned> = {
  [Column in keyof InsertOf<Name>]-?: undefined extends InsertOf<Name>[Column] ? never : Column;
}[keyof InsertOf<Name>];

/** A type that no list has if columns that an insert needs are not among these. */
type Complete<Name extends Owned, Set> = [Exclude<NeededIn<Name>, Set>] extends [never]
  ? unknown
  : { readonly missing: Exclude<NeededIn<Name>, Set> };

/** Returns a query that inserts a row with the given columns, and returns it. */
export function insertIn<
  Name extends Owned,
  Given extends NameIn<Name>,
  Stamp extends NameIn<Name> = never,
  Fixed extends NameIn<Name> = never,
  C extends Columns = Tables[Name]['_']['columns'],
  IfNew extends boolean = false,
>(
  name: Name,
  given: readonly Given[] & Complete<Name, Given | Stamp | Fixed>,
  insertion: Insertion<Name, Stamp, Fixed, C, IfNew> = {},
) {
  const { at = [], fixed = {}, columns, ifNew } = insertion;
  type Row = Selected<Name, C>;
  const insert = (ifNew ? write.first : write.only)<NewRow<Name, Given, Stamp>, Row>(
    insertion.name ?? `${name}.insert`,
    ({ orm, tables }) => {
      const table: OwnedTable = tables[name];
      const values: Record<string, SQL | Placeholder> = {};
      for (const column of given) values[column] = sql.placeholder(column);
      for (const column of at) values[column] = sql.placeholder('now');
      for (const [column, value] of Object.entries(fixed)) values[column] = sql`${value}`;
      const inserting = orm.insert(table).values(values);
      const inserted = (ifNew ? inserting.onConflictDoNothing() : inserting).returning(
        columns?.(tables[name]) ?? getTableColumns(table),
      );
      // The returned columns have these types in the table with this name.
      return inserted as unknown as Preparable<readonly Row[]>;
    },
  );
  // Only an insert with `ifNew` may return no row.
  return insert as (
    tx: Transaction,
    row: NewRow<Name, Given, Stamp>,
  ) => Promise<IfNew extends true ? Row | undefined : Row>;
}

/** The parameters of an update: the row, the given columns, and the time if a column gets it. */
type RowChange<Name extends Owned, Given extends NameIn<Name>, Stamp> = NewRow<Name, Given, Stamp> &
  Readonly<Record<'org', string> & Record<'id', number>>;

interface Update<
  Name extends Owned,
  Given extends NameIn<Name>,
  Stamp extends NameIn<Name>,
  Extra extends object,
  C extends Columns,
> {
  /** Columns that get the parameter `now`. */
  readonly at?: readonly Stamp[];
  /** The values of further columns. */
  readonly fixed?: { readonly [Column in NameIn<Name>]?: RowOf<Name>[Column] };
  /** Expressions for further columns. They and the conditions declare parameters of their own with the type of `p`. */
  readonly set?: (
    table: Tables[Name],
    p: Placeholders<Extra> & Placeholders<RowChange<Name, NoInfer<Given>, NoInfer<Stamp>>>,
  ) => { readonly [Column in NameIn<Name>]?: SQL };
  /** Further conditions of the row, for which no index is used. */
  readonly only?: (
    table: Tables[Name],
    p: Placeholders<Extra> & Placeholders<RowChange<Name, NoInfer<Given>, NoInfer<Stamp>>>,
    builder: Builder,
  ) => readonly (SQL | undefined)[];
  /** The columns to return; all unless given. */
  readonly columns?: (table: Tables[Name]) => C;
}

/**
 * Returns a query that changes the given columns of a row. It returns the row, or undefined if there is none that meets the conditions: so
 * of several concurrent changes that exclude each other, only one gets the row.
 */
export const updateIn = <
  Name extends Owned,
  Given extends NameIn<Name> = never,
  Stamp extends NameIn<Name> = never,
  Extra extends object = object,
  C extends Columns = Tables[Name]['_']['columns'],
>(
  name: string,
  rows: Name,
  given: readonly Given[],
  { at = [], fixed, set, only, columns }: Update<Name, Given, Stamp, Extra, C> = {},
) =>
  write.first<RowChange<Name, Given, Stamp> & Extra, Selected<Name, C>>(name, (builder, p) => {
    const table: OwnedTable = builder.tables[rows];
    const placeholders = Object.fromEntries([
      ...given.map((column) => [column, sql.placeholder(column)]),
      ...at.map((column) => [column, sql.placeholder('now')]),
    ]);
    const changed = builder.orm
      .update(table)
      .set({ ...placeholders, ...fixed, ...set?.(builder.tables[rows], p) })
      .where(isRow(table, p, ...(only?.(builder.tables[rows], p, builder) ?? [])))
      .returning(columns?.(builder.tables[rows]) ?? getTableColumns(table));
    // The returned columns have these types in the table with this name.
    return changed as unknown as Preparable<readonly Selected<Name, C>[]>;
  });

/** Tables whose rows have versions. */
type Versioned = {
  [Name in Owned]: 'version' | 'updatedAt' extends NameIn<Name> ? Name : never;
}[Owned];

/** Returns an {@link updateIn} query for one of the given versions of a row, which makes the next version of it. */
export const changeIn = <
  Name extends Versioned,
  Given extends NameIn<Name> = never,
  Stamp extends NameIn<Name> = never,
  Extra extends object = object,
>(
  name: string,
  rows: Name,
  given: readonly Given[],
  { at = [], only, ...update }: Omit<Update<Name, Given, Stamp, Extra, Columns>, 'set' | 'columns'> = {},
) =>
  updateIn<
    Name,
    Given,
    Stamp | 'updatedAt',
    Extra & { readonly versions: Versions },
    Tables[Name]['_']['columns']
  >(name, rows, given, {
    ...update,
    at: [...at, 'updatedAt'],
    set: nextVersion,
    only: (table, p, builder) => [
      ...(only?.(table, p, builder) ?? []),
      builder.dialect.anyOfUnlessNull(table.version, p.versions),
    ],
  });

/** What each change of a versioned row sets, besides `updatedAt`. */
export const nextVersion = ({ version }: Readonly<Record<'version', PgColumn>>) => ({
  version: sql`${version} + 1`,
});

/** Returns a query that sets the time at which a row has ended, unless it has ended before. */
export const endIn = <Name extends Owned, C extends Columns = Tables[Name]['_']['columns']>(
  name: string,
  rows: Name,
  end: NameIn<Name>,
  columns?: (table: Tables[Name]) => C,
) =>
  updateIn(name, rows, [], {
    at: [end],
    only: (table: OwnedTable) => [isNull(sql`${getTableColumns(table)[end]}`)],
    ...(columns && { columns }),
  });
