/**
 * The parts of drizzle that queries use on every engine. Types are imported from the package itself.
 *
 * This folder loads drizzle as CommonJS. For each ES module of a package, Node (as of 24.21) parses the whole `package.json` again;
 * drizzle has over a hundred modules and lists 447 entry points, and this was a quarter of the start time of the
 * server. No other folder imports the package, since that would load it a second time.
 */
import { createRequire } from 'node:module';
import type * as Drizzle from 'drizzle-orm';
import type { BinaryOperator, SQLWrapper } from 'drizzle-orm';

const require = createRequire(import.meta.url);
const drizzle: typeof Drizzle = require('drizzle-orm');

export const {
  aliasedTable,
  and,
  asc,
  between,
  Column,
  count,
  desc,
  exists,
  getTableColumns,
  getTableName,
  inArray,
  is,
  isNotNull,
  isNull,
  max,
  notExists,
  or,
  Param,
  Placeholder,
  SQL,
  Subquery,
  sql,
  sum,
} = drizzle;

/** A column or expression that a query selects, with its name in the row, as drizzle keeps it with the query. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Makes a row with nested objects: null for a joined table without a row. drizzle exports it without its type. */
export const { mapResultRow } = drizzle as unknown as {
  mapResultRow(
    fields: readonly SelectedField[],
    values: readonly unknown[],
    joinsNotNullableMap: Readonly<Record<string, boolean>> | undefined,
  ): object;
};

/** Encodes a placeholder for the column that it is compared with, as drizzle does with values. */
const encoding =
  (compare: BinaryOperator): BinaryOperator =>
  (left: SQLWrapper, right: unknown) =>
    compare(left, is(right, Placeholder) && is(left, Column) ? sql.param(right, left) : right);

export const eq = encoding(drizzle.eq);
export const gt = encoding(drizzle.gt);
export const lt = encoding(drizzle.lt);
export const lte = encoding(drizzle.lte);
export const ne = encoding(drizzle.ne);
