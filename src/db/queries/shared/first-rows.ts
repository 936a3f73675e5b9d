/** Reads the first rows of each of many parents in one statement, by one lookup in an index per parent. */
import type { Column, Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Direction, IdRange, Prefix } from '../../dialect.ts';
import { aliasedTable, and, getTableName, Subquery, sql } from '../../drizzle/index.ts';
import type { Builder, Preparable } from '../../statement.ts';

type Parent = PgTable & { readonly id: PgColumn; readonly org: PgColumn };

interface FirstRows<Table> {
  /** The parents: `dialect.each` or `dialect.eachText`. */
  readonly parents: SQL;
  readonly org: Placeholder;
  /** The leading columns of the index. One of them equals the parent: `wanted.id`, or `wanted.text`. */
  readonly prefix: (few: Table) => Prefix;
  readonly range?: IdRange;
  readonly only?: (few: Table) => SQL | undefined;
  /**
   * Whether `only` excludes many rows by columns that are in the index. Then each row is found in the index and looked up by its id, so
   * that no excluded row is read. Otherwise an engine that can read the rows themselves in the order of the index does so.
   */
  readonly isSelective?: boolean;
  readonly direction: Direction;
  /** The columns of the order; the id unless given. */
  readonly order?: (few: Table) => readonly SQLWrapper[];
  /** The maximum number of rows of a parent. */
  readonly limit: Placeholder;
}

/** A select that still has no order. */
interface Unordered<Row> {
  orderBy(...columns: readonly SQL[]): Preparable<readonly Row[]> & Limitable<Row>;
}

interface Limitable<Row> {
  limit(rows: Placeholder): Preparable<readonly Row[]>;
}

/** Selects these columns of the first rows of each parent. */
export function selectFirst<Table extends Parent, Columns extends Record<string, Column | SQL>>(
  { orm, dialect }: Builder,
  columns: Columns,
  table: Table,
  { parents, org, prefix, range, only, isSelective = false, direction, order, limit }: FirstRows<Table>,
): Unordered<SelectResultFields<Columns>> {
  // An alias has the columns of its table.
  const few = aliasedTable(table, 'few') as unknown as Table;
  const place = prefix(few);
  const first = (what: SQLWrapper) => sql`select ${what} from ${table} as few
    where ${and(dialect.inIndex(place, few.id, range), only?.(few))}
    order by ${sql.join(dialect.orderInIndex(place, direction, ...(order?.(few) ?? [few.id])), sql`, `)}
    limit ${limit}`;
  const ofOrganisation = dialect.ofOrganisation(table.org, org);
  const from = orm.select(columns as Record<string, SQL>).from(parents);
  const joined =
    dialect.hasLateral && !isSelective
      ? // Under the name of the table, so that its columns are those of the rows. Columns that are not selected cost nothing.
        from.innerJoinLateral(
          new Subquery(first(sql`few.*`), { id: table.id }, getTableName(table)),
          ofOrganisation,
        )
      : from.innerJoin(table as PgTable, and(dialect.amongFew(table.id, first(few.id)), ofOrganisation));
  // The columns have these types.
  return joined as unknown as Unordered<SelectResultFields<Columns>>;
}
