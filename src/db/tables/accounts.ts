/** Organisations and their members. */

import { ROLES } from '../../core/roles.ts';
import { ownedRow, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';

const USER_KINDS = ['person', 'app'] as const;

export type Accounts = ReturnType<typeof define>;

export function define(v: Vocabulary) {
  const organisations = v.table('organisations', {
    /** A slug, used in paths and in the `org` claim of tokens. */
    id: v.text('id').primaryKey(),
    name: v.text('name').notNull(),
    createdAt: v.timestamp('created_at').notNull(),
  });

  const users = v.table(
    'users',
    {
      ...ownedRow(v, organisations),
      /** As `storedAddress` returns it, so that an address has one account; of older accounts as it was entered, in lower case. */
      email: v.text('email').notNull(),
      name: v.text('name').notNull(),
      role: v.text('role', { enum: ROLES }).notNull(),
      /** An app is a member of each organisation where it is installed: the actor of what it does without a person. */
      kind: v.text('kind', { enum: USER_KINDS }).notNull().default('person'),
      /** Null for a user who cannot sign in with a password. */
      passwordHash: v.text('password_hash'),
      /** The newest event that the user has marked as read; 0 before the first. */
      lastReadEventId: v.integer('last_read_event_id').notNull().default(0),
      ...versioned(v),
      /** When the member was removed. The row stays, since orders, documents and the log reference it; the address can be used again. */
      removedAt: v.timestamp('removed_at'),
    },
    (t) => [
      v.uniqueIndex('users_email_unique').on(t.email).where(sql`${t.removedAt} is null`),
      v.index('users_by_org').on(t.org, t.id).where(sql`${t.removedAt} is null`),
      v.index('users_by_change').on(t.updatedAt).where(sql`${t.version} > 1`),
      v.index('users_by_role').on(t.org, t.role, t.id).where(sql`${t.removedAt} is null`),
      v.check('users_role_check', sql`${t.role} in ${oneOf(ROLES.toReversed())}`),
      v.check('users_email_check', sql`${t.email} = lower(${t.email})`),
    ],
  );

  return { organisations, users };
}
