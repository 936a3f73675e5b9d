/**
 * The words in which `tables.ts` declares its columns, as PostgreSQL has them. Queries are typed on these:
 * this vocabulary is the model, the other engines' vocabularies follow it.
 */
import {
  bigint,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from '../drizzle/postgres.ts';

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
  /** A point in time, to the millisecond, since that is what a `Date` holds and the other engine keeps. */
  timestamp: (name: string) => timestamp(name, { mode: 'date', withTimezone: true, precision: 3 }),
  json: <T>(name: string) => jsonb(name).$type<T>(),
};

export type Vocabulary = typeof postgresVocabulary;
