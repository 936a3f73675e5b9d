/**
 * What queries are written with: the parts of drizzle that every engine has. Types come from the package itself.
 *
 * All of this folder takes drizzle as CommonJS. For each ES module of a package Node parses the whole `package.json` anew, as
 * of 24.21; drizzle has over a hundred modules and lists 447 entry points, and that was a quarter of what a start of the
 * server took. An import of the package elsewhere would load it a second time, so none is made.
 */
import { createRequire } from 'node:module';
import type * as Drizzle from 'drizzle-orm';

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
  eq,
  exists,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  is,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  ne,
  notExists,
  or,
  Param,
  Placeholder,
  SQL,
  sql,
  sum,
} = drizzle;
