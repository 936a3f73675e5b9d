/** Columns that many tables have. */
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Vocabulary } from './postgres/columns.ts';

/** The column with the organisation that a row belongs to. */
export const organisation = (v: Vocabulary, organisations: Readonly<Record<'id', AnyPgColumn>>) =>
  v
    .text('org')
    .notNull()
    .references(() => organisations.id);

/** The first columns of a row of an organisation. */
export const ownedRow = (v: Vocabulary, organisations: Readonly<Record<'id', AnyPgColumn>>) => ({
  id: v.id(),
  org: organisation(v, organisations),
});

/** Like {@link ownedRow}, for rows that are distributed by organisation. */
export const tenantRow = (v: Vocabulary, organisations: Readonly<Record<'id', AnyPgColumn>>) => ({
  id: v.tenantId(),
  org: organisation(v, organisations),
});

/** A column with the id of another row of a table that is declared before. */
export const reference = (v: Vocabulary, name: string, table: Readonly<Record<'id', AnyPgColumn>>) =>
  v
    .integer(name)
    .notNull()
    .references(() => table.id);

/** The columns of a row whose changes are counted. */
export const versioned = (v: Vocabulary) => ({
  version: v.integer('version').notNull().default(1),
  createdAt: v.timestamp('created_at').notNull(),
  updatedAt: v.timestamp('updated_at').notNull(),
});
