/** The log of what happened, which the feed, the streams and the webhooks read. */
import { sql } from '../drizzle/index.ts';
import { CREDENTIAL_KINDS } from '../origin.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** What an event says about its subject, beyond who did what and when. It leaves the server as it is. */
export type EventData = Readonly<Record<string, unknown>>;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  /** Columns of an {@link Origin}, for the audit log alone. */
  const origin = () => ({
    address: v.text('address'),
    credentials: v.text('credentials', { enum: CREDENTIAL_KINDS }),
    credentialsId: v.integer('credentials_id'),
  });

  const events = v.table(
    'events',
    {
      id: v.tenantId(),
      org: v
        .text('org')
        .notNull()
        .references(() => organisations.id),
      /** Subject and past participle: `order.created`. */
      type: v.text('type').notNull(),
      /** The user who did it, or null where the server itself did. */
      actorId: v.integer('actor_id').references(() => users.id),
      subjectType: v.text('subject_type').notNull(),
      subjectId: v.integer('subject_id').notNull(),
      data: v.json<EventData>('data').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      ...origin(),
    },
    (t) => [
      ...v.tenantKey('events_pkey', t),
      v.index('events_by_org').on(t.org, t.id),
      v.index('events_by_type').on(t.org, t.type, t.id),
      v.index('events_by_subject').on(t.org, t.subjectType, t.subjectId, t.id),
      v.index('events_by_time').on(t.org, t.createdAt, t.id),
      v.index('events_by_type_and_time').on(t.org, t.type, t.createdAt, t.id),
      v.index('events_by_actor').on(t.org, t.actorId, t.type, t.createdAt, t.id),
    ],
  );

  /** What the audit log has beside the events: no feed, stream or webhook shows it. */
  const auditEntries = v.table(
    'audit_entries',
    {
      id: v.tenantId(),
      org: v
        .text('org')
        .notNull()
        .references(() => organisations.id),
      type: v.text('type').notNull(),
      /** Null where it is not known who it was. */
      actorId: v.integer('actor_id').references(() => users.id),
      subjectType: v.text('subject_type').notNull(),
      subjectId: v.integer('subject_id').notNull(),
      data: v.json<EventData>('data').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      ...origin(),
      /** How often it has happened: what is alike within an hour may be one entry. */
      occurrences: v.integer('occurrences').notNull().default(1),
      /** What may be one entry where it is alike; null for an entry that stands alone. */
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

  /** Up to which event an organisation's log was emptied, for those who want to go on from before it. No row: never. */
  const logStarts = v.table('log_starts', {
    org: v
      .text('org')
      .primaryKey()
      .references(() => organisations.id),
    purgedTo: v.integer('purged_to').notNull(),
  });

  return { events, auditEntries, logStarts };
}
