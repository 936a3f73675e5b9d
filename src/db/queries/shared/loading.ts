/** Inserts many rows in one statement: for the bulk data of the demo and the seed. */

import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../database.ts';
import { getTableColumns, sql } from '../../drizzle/index.ts';
import { numberedParams, type Statement, statement, statementPerSize } from '../../statement.ts';
import type { Tables } from '../../tables.ts';

type NewRow<Name extends keyof Tables> = Tables[Name]['$inferInsert'];
type Loaded<Name extends keyof Tables> = readonly Tables[Name]['$inferSelect'][];

/** Tables whose readers rely on ids in the order of commits, and the column within whose values that order holds. */
const IN_TURN: Partial<Record<keyof Tables, string>> = { events: 'org' };

type StatementOfSize = (size: number) => Statement<object, unknown>;

const families = new Map<string, StatementOfSize>();

/** Returns one prepared statement per table, set of columns and number of rows. Callers use few different numbers. */
function insertOf(name: keyof Tables, columns: readonly string[]): StatementOfSize {
  const key = `${name}: ${columns.join()}`;
  let family = families.get(key);
  if (!family) {
    family = statementPerSize(`load.${name}.${families.size}`, ({ orm, tables, dialect }, size) => {
      // The types of the tables differ; this is what they have in common.
      const table: PgTable & { readonly id?: Column } = tables[name];
      const known = getTableColumns(table);
      const sharers = columns.includes('id') ? undefined : IN_TURN[name];
      const rows = Array.from({ length: size }, (_, row) => {
        const values: Record<string, SQL | Placeholder> = {};
        for (const column of columns) {
          const target = known[column];
          if (!target) throw new Error(`${name} has no column "${column}".`);
          values[column] = sql.placeholder(`${column}${row}`);
        }
        if (sharers && table.id) {
          values['id'] = dialect.nextIdUnderOrgLock(table.id, sql.placeholder(`${sharers}${row}`));
        }
        return values;
      });
      return orm.insert(table).values(rows).returning();
    });
    families.set(key, family);
  }
  return family;
}

/**
 * Inserts all rows in one statement, which limits them to some 3,000: SQLite accepts 32,766 parameters. All rows must have
 * the members of the first one; omitted columns get their default. Rows may have explicit ids, after which `continueIds` must be called.
 * Events without ids get them in turn, like single events, so that this may run while a server does.
 *
 * @returns the inserted rows, in no particular order.
 */
export async function loadRows<Name extends keyof Tables>(
  tx: Transaction,
  name: Name,
  rows: readonly NewRow<Name>[],
): Promise<Loaded<Name>> {
  const [first] = rows;
  if (!first) return [];
  const loaded = await tx.run(insertOf(name, Object.keys(first))(rows.length), numberedParams(rows));
  // The statement was built from the table with this name.
  return loaded as Loaded<Name>;
}

const continuing = (['users', 'products', 'orders', 'orderItems', 'documents', 'events'] as const).map(
  (name) =>
    statement<object, unknown>(`load.continueIds.${name}`, ({ orm, tables, dialect }) => {
      const table: PgTable & { readonly id: Column } = tables[name];
      return orm.select({ largest: dialect.continueAfterLargest(table.id) }).from(table);
    }),
);

/** Makes the engine assign ids after the explicit ids of loaded rows. */
export async function continueIds(tx: Transaction): Promise<void> {
  for (const next of continuing) await tx.run(next, {});
}
