/** The outbox of mail, and the invitations and tokens that its links refer to. */
import { ROLES } from '../../core/roles.ts';
import { organisation, ownedRow } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** The purposes of a message and of its link. */
export const MAIL_KINDS = ['password_reset', 'invitation'] as const;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const invitations = v.table(
    'invitations',
    {
      ...ownedRow(v, organisations),
      /** As for accounts. */
      email: v.text('email').notNull(),
      role: v.text('role', { enum: ROLES }).notNull(),
      /** The administrator who sent the invitation; null for an operator. */
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

  /** Each message has its own link, whose token is generated when the message is sent. Only the hash of the token is stored. */
  const linkTokens = v.table(
    'link_tokens',
    {
      id: v.id(),
      kind: v.text('kind', { enum: MAIL_KINDS }).notNull(),
      org: organisation(v, organisations),
      /** The user whose password may be set with the token; null for an invitation. */
      userId: v.integer('user_id').references(() => users.id),
      /** The invitation that may be accepted with the token; null for a password reset. */
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

  /** Pending messages. A row is written in the transaction of the request, and deleted when the mail server has accepted the message. */
  const outbox = v.table(
    'outbox',
    {
      id: v.id(),
      kind: v.text('kind', { enum: MAIL_KINDS }).notNull(),
      /** The address as entered, in lower case. Its account, if any, is looked up only when the message is sent. */
      email: v.text('email').notNull(),
      invitationId: v.integer('invitation_id').references(() => invitations.id),
      /** The IP address of the request, for the audit log; null if an operator requested the message. */
      address: v.text('address'),
      attempts: v.integer('attempts').notNull().default(0),
      /** When the message is due. While it is being sent, this is the end of the lease; after a failed attempt, the time of the next one. */
      nextAttemptAt: v.timestamp('next_attempt_at').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      /** When the message is discarded unsent. */
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
