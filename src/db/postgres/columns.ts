/**
 * The vocabulary with which `tables.ts` declares columns, for PostgreSQL. Queries are typed on it:
 * this vocabulary is the model, and that of the other engine follows it.
 */
import type { SQLWrapper } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { CURRENCIES, decimalsOf } from '../../core/money.ts';
import { defineTables } from '../../generated/tables.ts';
import { sql } from '../drizzle/index.ts';
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

/** A column in the declaration of an index. */
type IndexColumn = Parameters<ReturnType<typeof uniqueIndex>['on']>[0];

/**
 * An integer within the 53 bits that a JavaScript number represents exactly. The limits in `limits.ts` keep
 * every amount below that, and identity columns do not reach it in practice.
 */
const integer = (name: string) => bigint(name, { mode: 'number' });

/** Digits after the point of most currencies. */
const USUAL_DECIMALS = 2;

const divisors = CURRENCIES.flatMap((code) => {
  const decimals = decimalsOf(code) ?? USUAL_DECIMALS;
  return decimals === USUAL_DECIMALS ? [] : [`when '${code}' then ${10 ** decimals}`];
});

/**
 * An expression for an amount in the major unit of its currency, as a double. It is the same division as `toMajorUnits`, so both have
 * the same result, and amounts of up to 15 digits have the same order as their decimal numbers.
 *
 * It is part of indexes and of a generated column. If the digits of a currency change, both need a migration.
 *
 * @param amount in minor units.
 */
export const inMajorUnits = (amount: SQLWrapper, currency: SQLWrapper) =>
  sql<number>`(cast(${amount} as double precision) / case ${currency} ${sql.raw(divisors.join(' '))} else ${sql.raw(String(10 ** USUAL_DECIMALS))} end)`.mapWith(
    Number,
  );

export const postgresVocabulary = {
  table: pgTable,
  index,
  uniqueIndex,
  primaryKey,
  check,
  text,
  integer,
  /** The primary key: assigned by the engine in ascending order, and never reused. */
  id: () => integer('id').primaryKey().generatedByDefaultAsIdentity(),
  /** The id of rows that are distributed by organisation (`placement.ts`). Their primary key is {@link tenantKey}. */
  tenantId: () => integer('id').generatedByDefaultAsIdentity(),
  /** The primary key of rows of an organisation. The id comes first, so that the index also serves lookups without an organisation. */
  tenantKey: (name: string, { id, org }: Readonly<Record<'id' | 'org', AnyPgColumn>>) => [
    primaryKey({ name, columns: [id, org] }),
  ],
  /** A unique index on rows of an organisation, with `org` as its last column. */
  tenantUniqueIndex: (name: string, org: IndexColumn) => ({
    on: (...[first, ...others]: [IndexColumn, ...IndexColumn[]]) =>
      uniqueIndex(name).on(first, ...others, org),
  }),
  /** A foreign key to a row of the same organisation: `columns` and `foreignColumns` begin with its id and end with `org`. */
  tenantReference: foreignKey,
  /** A timestamp with milliseconds, the precision of a `Date` and of the other engine. */
  timestamp: (name: string) => timestamp(name, { mode: 'date', withTimezone: true, precision: 3 }),
  json: <T>(name: string) => jsonb(name).$type<T>(),
  /** In an index: an amount in the major unit of its currency. Queries use `inMajorUnits` of the dialect. */
  inMajorUnits,
};

export type Vocabulary = typeof postgresVocabulary;

export const postgresTables = defineTables(postgresVocabulary);
