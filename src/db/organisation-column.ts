import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Vocabulary } from './postgres/columns.ts';

/** The column with the organisation that a row belongs to. */
export const organisation = (v: Vocabulary, organisations: Readonly<Record<'id', AnyPgColumn>>) =>
  v
    .text('org')
    .notNull()
    .references(() => organisations.id);
