/**
 * Every table, declared once over a vocabulary of columns. Each engine brings a vocabulary with the same words
 * (`postgres/columns.ts`, `sqlite/columns.ts`), so that the two schemas cannot drift apart. A file of `tables/` exports `define`, which
 * is given the tables of the files that it imports; `npm run codegen` puts them together.
 *
 * Conventions: members are camelCase and columns snake_case; `id` is an integer that is never given twice;
 * amounts are integer minor units of the row's currency; moments are `Date`, kept to the millisecond in UTC;
 * `version` counts the changes of a row from 1 and is what an ETag is made of.
 */
import type { defineTables } from '../generated/tables.ts';

export { defineTables } from '../generated/tables.ts';

export type Tables = ReturnType<typeof defineTables>;
