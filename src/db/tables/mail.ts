/** Mail that is to be sent, and what the links in it lead to. */
import { ROLES } from '../../core/roles.ts';
import { sql } from '../drizzle/index.ts';
import { oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** What a message is about, and its link good for. */
export const MAIL_KINDS = ['password_reset', 'invitation'] as const;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const invitations = v.table(
    'invitations',
    {
      id: v.id(),
      org: v
        .text('org')
        .notNull()
        .references(() => organisations.id),
      /** Lower case, as of accounts. */
      email: v.text('email').notNull(),
      role: v.text('role', { enum: ROLES }).notNull(),
      /** The administrator who invited, null for an operator. */
      invitedById: v.integer('invited_by_id').references(() => users.id),
      createdAt: v.timestamp('created_at').notNull(),
      expiresAt: v.timestamp('expires_at').notNull(),
      acceptedAt: v.timestamp('accepted_at'),
      revokedAt: v.timestamp('revoked_at'),
    },
    (t) => [
      v.index('invitations_by_org').on(t.org, t.id),
      v.index('invitations_by_expiry').on(t.expiresAt),
      v
        .uniqueIndex('invitations_open_unique')
        .on(t.org, t.email)
        .where(sql`${t.acceptedAt} is null and ${t.revokedAt} is null`),
      v.check('invitations_role_check', sql`${t.role} in ${oneOf(ROLES.toReversed())}`),
    ],
  );

  /** Each message has a link of its own, made when it is sent: no token is stored before, and afterwards its hash alone. */
  const linkTokens = v.table(
    'link_tokens',
    {
      id: v.id(),
      kind: v.text('kind', { enum: MAIL_KINDS }).notNull(),
      org: v
        .text('org')
        .notNull()
        .references(() => organisations.id),
      /** Whose password may be set with it; null for an invitation. */
      userId: v.integer('user_id').references(() => users.id),
      /** What may be accepted with it; null for a password reset. */
      invitationId: v.integer('invitation_id').references(() => invitations.id),
      tokenHash: v.text('token_hash').notNull().unique('link_tokens_token_hash_unique'),
      createdAt: v.timestamp('created_at').notNull(),
      expiresAt: v.timestamp('expires_at').notNull(),
      usedAt: v.timestamp('used_at'),
    },
    (t) => [
      v.index('link_tokens_by_user').on(t.org, t.userId, t.id),
      v.index('link_tokens_by_invitation').on(t.invitationId),
      v.index('link_tokens_by_expiry').on(t.expiresAt),
      v.check('link_tokens_kind_check', sql`${t.kind} in ${oneOf(MAIL_KINDS)}`),
    ],
  );

  /** Written in the transaction of the request, and removed when the mail server has taken the message. */
  const outbox = v.table(
    'outbox',
    {
      id: v.id(),
      kind: v.text('kind', { enum: MAIL_KINDS }).notNull(),
      /** The address as it was typed, in lower case: whether it has an account is looked up when the message is sent. */
      email: v.text('email').notNull(),
      invitationId: v.integer('invitation_id').references(() => invitations.id),
      /** The IP address that it was requested from, for the audit log; null for what an operator requested. */
      address: v.text('address'),
      attempts: v.integer('attempts').notNull().default(0),
      /** When it is due: at once, after a failed attempt later, and while it is being sent when the lease ends. */
      nextAttemptAt: v.timestamp('next_attempt_at').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      /** When the message is of no use any longer. */
      expiresAt: v.timestamp('expires_at').notNull(),
    },
    (t) => [
      v.index('outbox_by_invitation').on(t.invitationId),
      v.index('outbox_by_expiry').on(t.expiresAt),
      v.index('outbox_by_next_attempt').on(t.nextAttemptAt, t.id),
      v.check('outbox_kind_check', sql`${t.kind} in ${oneOf(MAIL_KINDS)}`),
    ],
  );

  return { invitations, linkTokens, outbox };
}
