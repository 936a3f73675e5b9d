/** Usage counts of operations and of deprecated features, by day. */
import { CREDENTIAL_KINDS } from '../origin.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** The doors whose use is counted. Commands of an operator are not use by an organisation. */
export const COUNTED_DOORS = ['rest', 'graphql', 'websocket', 'sse'] as const;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const operationUses = v.table(
    'operation_uses',
    {
      id: v.tenantId(),
      org: v
        .text('org')
        .notNull()
        .references(() => organisations.id),
      /** Its beginning, in UTC. */
      day: v.timestamp('day').notNull(),
      door: v.text('door', { enum: COUNTED_DOORS }).notNull(),
      /** Empty for documents without an operation name, since a unique index treats nulls as distinct. */
      operation: v.text('operation').notNull(),
      requests: v.integer('requests').notNull(),
      errors: v.integer('errors').notNull(),
      points: v.integer('points').notNull(),
    },
    (t) => [
      ...v.tenantKey('operation_uses_pkey', t),
      v.index('operation_uses_by_org').on(t.org, t.id),
      v.uniqueIndex('operation_uses_unique').on(t.org, t.day, t.door, t.operation),
    ],
  );

  const deprecatedUses = v.table(
    'deprecated_uses',
    {
      id: v.tenantId(),
      org: v
        .text('org')
        .notNull()
        .references(() => organisations.id),
      /** Its beginning, in UTC. */
      day: v.timestamp('day').notNull(),
      /** A route, or a schema coordinate. */
      name: v.text('name').notNull(),
      actorId: v
        .integer('actor_id')
        .notNull()
        .references(() => users.id),
      credentials: v.text('credentials', { enum: CREDENTIAL_KINDS }).notNull(),
      /** 0 for sessions, which are counted together. */
      credentialsId: v.integer('credentials_id').notNull(),
      uses: v.integer('uses').notNull(),
      lastUsedAt: v.timestamp('last_used_at').notNull(),
    },
    (t) => [
      ...v.tenantKey('deprecated_uses_pkey', t),
      v.index('deprecated_uses_by_org').on(t.org, t.id),
      v
        .uniqueIndex('deprecated_uses_unique')
        .on(t.org, t.day, t.name, t.actorId, t.credentials, t.credentialsId),
    ],
  );

  /** What each process has written last, so that a batch that it writes again counts once. */
  const countWriters = v.table('count_writers', {
    /** Made by the process, for each kind of counts. */
    id: v.text('id').primaryKey(),
    /** The number of the batch. */
    batch: v.integer('batch').notNull(),
    writtenAt: v.timestamp('written_at').notNull(),
  });

  return { operationUses, deprecatedUses, countWriters };
}
