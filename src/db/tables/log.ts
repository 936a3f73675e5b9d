/** The event log, which the feed, the streams and the webhooks read, and the rest of the audit log. */

import { tenantRow } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { CREDENTIAL_KINDS } from '../origin.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** The data of an event, in addition to its type, actor, subject and time. Clients receive it unchanged. */
type EventData = Readonly<Record<string, unknown>>;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  /** The columns of everything in the audit log. */
  const recorded = () => ({
    ...tenantRow(v, organisations),
    /** Subject and past participle: `order.created`. */
    type: v.text('type').notNull(),
    /** The user who caused it; null for the server itself, and for an unknown user. */
    actorId: v.integer('actor_id').references(() => users.id),
    subjectType: v.text('subject_type').notNull(),
    subjectId: v.integer('subject_id').notNull(),
    data: v.json<EventData>('data').notNull(),
    createdAt: v.timestamp('created_at').notNull(),
    // The columns of an `Origin`, which only the audit log shows.
    address: v.text('address'),
    credentials: v.text('credentials', { enum: CREDENTIAL_KINDS }),
    credentialsId: v.integer('credentials_id'),
  });

  const events = v.table('events', recorded(), (t) => [
    ...v.tenantKey('events_pkey', t),
    v.index('events_by_org').on(t.org, t.id),
    v.index('events_by_type').on(t.org, t.type, t.id),
    v.index('events_by_subject').on(t.org, t.subjectType, t.subjectId, t.id),
    v.index('events_by_time').on(t.org, t.createdAt, t.id),
    v.index('events_by_type_and_time').on(t.org, t.type, t.createdAt, t.id),
    v.index('events_by_actor').on(t.org, t.actorId, t.type, t.createdAt, t.id),
  ]);

  /** Entries of the audit log that are not events: no feed, stream or webhook shows them. */
  const auditEntries = v.table(
    'audit_entries',
    {
      ...recorded(),
      /** How many occurrences the entry stands for: equal ones within an hour may share one entry. */
      occurrences: v.integer('occurrences').notNull().default(1),
      /** Occurrences with the same group key and likeness share an entry. Null for an entry that shares none. */
      groupKey: v.text('group_key'),
      likeness: v.text('likeness'),
    },
    (t) => [
      ...v.tenantKey('audit_entries_pkey', t),
      v.index('audit_entries_by_time').on(t.org, t.createdAt, t.id),
      v.index('audit_entries_by_type').on(t.org, t.type, t.createdAt, t.id),
      v.index('audit_entries_by_actor').on(t.org, t.actorId, t.type, t.createdAt, t.id),
      v
        .uniqueIndex('audit_entries_likeness_unique')
        .on(t.org, t.groupKey, t.likeness)
        .where(sql`${t.groupKey} is not null`),
    ],
  );

  /** The last purged event of each organisation, to detect cursors from before it. Without a row nothing was purged. */
  const logStarts = v.table('log_starts', {
    org: v
      .text('org')
      .primaryKey()
      .references(() => organisations.id),
    purgedTo: v.integer('purged_to').notNull(),
  });

  return { events, auditEntries, logStarts };
}
