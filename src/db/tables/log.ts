/** The log of what happened, which the feed, the streams and the webhooks read. */
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** What an event says about its subject, beyond who did what and when. It leaves the server as it is. */
export type EventData = Readonly<Record<string, unknown>>;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const events = v.table(
    'events',
    {
      id: v.id(),
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
    },
    (t) => [
      v.index('events_by_org').on(t.org, t.id),
      v.index('events_by_type').on(t.org, t.type, t.id),
      v.index('events_by_subject').on(t.org, t.subjectType, t.subjectId, t.id),
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

  return { events, logStarts };
}
