/** Reads the first rows of each of many parents in one statement, by one lookup in an index per parent. */
import type { Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Dialect, Direction, IdRange, Prefix } from '../../dialect.ts';
import { aliasedTable, and, sql } from '../../drizzle/index.ts';

interface FirstRows<Table> {
  readonly org: Placeholder;
  /** The leading columns of the index. One of them equals the parent: `wanted.id`, or `wanted.text`. */
  readonly prefix: (few: Table) => Prefix;
  readonly range?: IdRange;
  readonly only?: (few: Table) => SQL | undefined;
  readonly direction: Direction;
  /** The columns of the order; the id unless given. */
  readonly order?: (few: Table) => readonly SQLWrapper[];
  /** The maximum number of rows of a parent. */
  readonly limit: Placeholder;
}

/** The condition of a join of `dialect.each` or `dialect.eachText`, which has the parents, with the table of the rows. */
export function isAmongFirst<Table extends PgTable & { readonly id: PgColumn; readonly org: PgColumn }>(
  dialect: Dialect,
  table: Table,
  { org, prefix, range, only, direction, order, limit }: FirstRows<Table>,
): SQL | undefined {
  // An alias has the columns of its table.
  const few = aliasedTable(table, 'few') as unknown as Table;
  const place = prefix(few);
  const ids = sql`select ${few.id} from ${table} as few
    where ${and(dialect.inIndex(place, few.id, range), only?.(few))}
    order by ${sql.join(dialect.orderInIndex(place, direction, ...(order?.(few) ?? [few.id])), sql`, `)}
    limit ${limit}`;
  return and(dialect.amongFew(table.id, ids), dialect.ofOrganisation(table.org, org));
}
