import { originOf } from '../auth/origins.ts';
import { hashSecret, LINK_TOKEN } from '../auth/random-secrets.ts';
import type { Clock } from '../core/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { hasEventSince } from '../db/queries/events.ts';
import { findOpenInvitation } from '../db/queries/invitations.ts';
import { insertLinkToken } from '../db/queries/link-tokens.ts';
import { findUserByEmail } from '../db/queries/users.ts';
import type { InvitationRow, MailKind, OutboxRow } from '../db/rows.ts';
import { recordAudit } from '../events/audit.ts';
import { invitationMessage, passwordResetMessage } from './messages.ts';
import type { Message } from './transport.ts';

interface Parts {
  readonly clock: Clock;
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Records a request for a password reset in the audit log when its message is claimed for the first time, in the transaction of the claim:
 * there is one entry, however often the message is sent, and also if a process dies. The request itself does not record it, since that would
 * take longer for an address with an account.
 */
export async function recordFirstClaim(
  tx: Transaction,
  { kind, email, attempts, expiresAt, address }: OutboxRow,
  clock: Clock,
): Promise<void> {
  // No link is created for an expired message.
  if (kind !== 'password_reset' || attempts !== 1 || expiresAt <= clock()) return;
  const person = await findUserByEmail(tx, email);
  if (!person) return;
  const { org, id: subjectId } = person;
  // Anyone may have requested it.
  const entry = { org, type: 'user.password_reset_requested', actorId: null, subjectId, data: {} } as const;
  await recordAudit(tx, entry, clock, originOf(null, address));
}

/**
 * Composes a message of the outbox, with a link that is created for this attempt. Links of earlier attempts stay valid: the mail
 * server may have accepted a message although the attempt failed.
 *
 * @returns undefined if there is nothing to send: the address has no account, its password was changed since the request, or the
 *   invitation is no longer open.
 */
export function compose(database: Database, row: OutboxRow, parts: Parts): Promise<Message | undefined> {
  return row.kind === 'password_reset'
    ? composePasswordReset(database, row, parts)
    : composeInvitation(database, row, parts);
}

async function composePasswordReset(
  database: Database,
  { email, kind, createdAt, expiresAt }: OutboxRow,
  parts: Parts,
): Promise<Message | undefined> {
  const person = await findUserByEmail(database, email);
  if (!person) return undefined;
  const { org, id: userId } = person;
  // A message may wait for the mail server. Its link must not undo a change of the password since the request.
  const change = { org, type: 'user.password_changed', subjectId: userId, since: createdAt } as const;
  if (await hasEventSince(database, change)) return undefined;
  const link = await createLink(database, { kind, org, userId, invitationId: null, expiresAt }, parts);
  return passwordResetMessage(person.email, link);
}

async function composeInvitation(
  database: Database,
  { invitationId }: OutboxRow,
  parts: Parts,
): Promise<Message | undefined> {
  const now = parts.clock();
  const found =
    invitationId === null ? undefined : await findOpenInvitation(database, { id: invitationId, now });
  if (!found) return undefined;
  const { invitation, organisation, inviter } = found;
  const { email, role, expiresAt } = invitation;
  const link = await linkToInvitation(database, invitation, parts);
  return invitationMessage({ to: email, link, organisation, inviter, role, expiresAt });
}

/** Creates a link to accept an invitation, for its message, or for an operator who passes it on. */
export const linkToInvitation = (
  database: Database,
  { org, id: invitationId, expiresAt }: Pick<InvitationRow, 'org' | 'id' | 'expiresAt'>,
  parts: Parts,
): Promise<string> =>
  createLink(database, { kind: 'invitation', org, userId: null, invitationId, expiresAt }, parts);

const PAGES: Readonly<Record<MailKind, string>> = {
  password_reset: 'reset-password',
  invitation: 'invitation',
};

/**
 * Creates a link for mail, which leads to a page of this server. The token is in the fragment, which browsers do not send, so no log has it.
 */
async function createLink(
  database: Database,
  link: Omit<Parameters<typeof insertLinkToken>[1], 'tokenHash' | 'createdAt'>,
  { clock, publicUrl }: Parts,
): Promise<string> {
  const token = LINK_TOKEN.create();
  const tokenHash = hashSecret(token);
  await database.transaction((tx) => insertLinkToken(tx, { ...link, tokenHash, createdAt: clock() }));
  return `${publicUrl}/${PAGES[link.kind]}#${token}`;
}
