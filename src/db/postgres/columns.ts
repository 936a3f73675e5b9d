/**
 * The words in which `tables.ts` declares its columns, as PostgreSQL has them. Queries are typed on these:
 * this vocabulary is the model, the other engines' vocabularies follow it.
 */
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  bigint,
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from '../drizzle/postgres.ts';

/** A column as declarations of indexes are given it. */
type IndexColumn = Parameters<ReturnType<typeof uniqueIndex>['on']>[0];

/**
 * A whole number within the 53 bits that a JavaScript number carries exactly. The bounds in `limits.ts` keep
 * every amount below that, and identities take longer than anyone's patience to get there.
 */
const integer = (name: string) => bigint(name, { mode: 'number' });

export const postgresVocabulary = {
  table: pgTable,
  index,
  uniqueIndex,
  primaryKey,
  check,
  text,
  integer,
  /** The primary key: given by the engine in ascending order, and never given a second time. */
  id: () => integer('id').primaryKey().generatedByDefaultAsIdentity(),
  /** The same for rows of an organisation, which are distributed by it (`placement.ts`). Their key is {@link tenantKey}. */
  tenantId: () => integer('id').generatedByDefaultAsIdentity(),
  /** Keys of rows of an organisation. The id comes first, so that it is looked up in the same index without an organisation. */
  tenantKey: (name: string, { id, org }: Readonly<Record<'id' | 'org', AnyPgColumn>>) => [
    primaryKey({ name, columns: [id, org] }),
  ],
  /** A unique index of rows of an organisation, which has it as its last column. */
  tenantUniqueIndex: (name: string, org: IndexColumn) => ({
    on: (...[first, ...others]: [IndexColumn, ...IndexColumn[]]) =>
      uniqueIndex(name).on(first, ...others, org),
  }),
  /** A reference to a row of the same organisation: `columns` and `foreignColumns` begin with its id and end with `org`. */
  tenantReference: foreignKey,
  /** A point in time, to the millisecond, since that is what a `Date` holds and the other engine keeps. */
  timestamp: (name: string) => timestamp(name, { mode: 'date', withTimezone: true, precision: 3 }),
  json: <T>(name: string) => jsonb(name).$type<T>(),
};

export type Vocabulary = typeof postgresVocabulary;
