/**
 * Every table, declared once with a vocabulary of column types. Each engine implements the same vocabulary
 * (`postgres/columns.ts`, `sqlite/columns.ts`), so that the two schemas cannot drift apart. A file of `tables/` exports `define`, which
 * receives the tables of the files that it imports; `npm run codegen` combines them.
 *
 * Conventions: members are camelCase and columns snake_case; `id` is an integer that is never reused;
 * amounts are integers in minor units of the row's currency; timestamps are `Date`, stored in UTC to the millisecond;
 * `version` starts at 1, increases with each change of the row, and is the source of its ETag.
 */
import type { defineTables } from '../generated/tables.ts';

export type Tables = ReturnType<typeof defineTables>;
