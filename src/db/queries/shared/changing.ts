/** Changes that the tables of an organisation's rows have in common. */
import type { Column, SQL } from 'drizzle-orm';
import type { Transaction } from '../../database.ts';
import { getTableColumns, isNull, sql } from '../../drizzle/index.ts';
import { write } from '../../query.ts';
import { asStored, type Builder, type Placeholders, type Preparable } from '../../statement.ts';
import type { Tables } from '../../tables.ts';
import { type Columns, isRow, type Owned, type OwnedTable, type RowOf, type Selected } from './owned.ts';

/** One row, and the versions of it that may be changed: null for any (If-Match). */
export interface VersionGuard {
  readonly org: string;
  readonly id: number;
  readonly versions: readonly number[] | null;
  readonly now: Date;
}

/** A condition for the row that a change applies to: of the organisation, at one of the versions, and with all of these conditions. */
export const isGuarded = (
  { dialect }: Builder,
  row: Readonly<Record<'id' | 'org' | 'version', Column>>,
  p: Placeholders<VersionGuard>,
  ...conditions: readonly (SQL | undefined)[]
) => isRow(row, p, ...conditions, dialect.anyOfUnlessNull(row.version, p.versions));

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
      const values: Record<string, SQL> = {};
      for (const column of given) values[column] = asStored(sql.placeholder(column), columnOf(table, column));
      for (const column of at) values[column] = asStored(sql.placeholder('now'), columnOf(table, column));
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

/**
 * Returns a query that sets the time at which a row has ended, unless it has ended before. It returns the row to exactly one of several
 * concurrent callers.
 *
 * @param name the name of the statement.
 * @param end the column of the time.
 */
export const endIn = <Name extends Owned, C extends Columns = Tables[Name]['_']['columns']>(
  name: string,
  rows: Name,
  end: NameIn<Name>,
  columns?: (table: Tables[Name]) => C,
) =>
  write.first<{ org: string; id: number; now: Date }, Selected<Name, C>>(name, ({ orm, tables }, p) => {
    const table: OwnedTable = tables[rows];
    const column = columnOf(table, end);
    const ended = orm
      .update(table)
      .set({ [end]: asStored(p.now, column) })
      .where(isRow(table, p, isNull(column)))
      .returning(columns?.(tables[rows]) ?? getTableColumns(table));
    // The returned columns have these types in the table with this name.
    return ended as unknown as Preparable<readonly Selected<Name, C>[]>;
  });

function columnOf(table: OwnedTable, name: string): Column {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`The table has no column "${name}".`);
  return column;
}
