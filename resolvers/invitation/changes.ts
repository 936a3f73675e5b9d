import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { requireAddressOfPerson } from '../../src/auth/email-addresses.ts';
import { refuseApps } from '../../src/auth/grantable-scopes.ts';
import { actorIdOf, requireRoleToGive } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { insertInvitation, invitations, revokeInvitation } from '../../src/db/queries/invitations.ts';
import { insertMessage } from '../../src/db/queries/outbox.ts';
import { findUserByEmail } from '../../src/db/queries/users.ts';
import type { InvitationRow } from '../../src/db/rows.ts';
import type {
  MutationCreateInvitationArgs,
  MutationRevokeInvitationArgs,
} from '../../src/generated/resolvers.ts';
import { addressTaken } from '../member/changes.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { absence, callerIn, refuseForeign, requireId } from '../shared/lookup.ts';

/**
 * Invites a person by mail.
 *
 * @throws ApiError `forbidden` for another organisation, `insufficient_scope`, `validation_failed`, `rate_limited`, `conflict` for an
 *   address that already belongs to the organisation or has an open invitation.
 */
export async function invite(
  context: Context,
  { org, input: { email: address, role } }: MutationCreateInvitationArgs,
): Promise<InvitationRow> {
  const caller = callerOf(context);
  refuseApps(caller);
  const { clock, database, flow, mail } = context;
  refuseForeign(caller.org, org);
  requireRoleToGive(caller, role);
  const email = requireAddressOfPerson(address, 'input.email');
  // Accounts of other organisations make no difference here, so that only the owner of the address learns about them, by mail.
  const known = await findUserByEmail(database, address);
  if (known?.org === org) throw addressTaken('already belongs to the organisation');
  await mail.limit.enter(flow.caller);
  const mayReceive = await mail.limit.mayReceive(email, { org });
  if (!mayReceive) throw tooManyInvitations();
  const commit = context.work.commit(async (tx) => {
    const held = await holdRights(tx, caller);
    const now = clock();
    const expiresAt = new Date(now.getTime() + LIMITS.invitationLifetime);
    const invitedById = actorIdOf(caller);
    const made = await insertInvitation(tx, { org, email, role, invitedById, createdAt: now, expiresAt });
    if (!made) throw addressTaken('already has an open invitation');
    await insertMessage(tx, { kind: 'invitation', email, invitationId: made.id, now, expiresAt });
    const event = { org, type: 'invitation.created', subjectId: made.id, data: { role } } as const;
    await recordChange(tx, held, event, clock);
    return made;
  });
  // The address has an open invitation, perhaps by a concurrent request with the same key.
  const invitation = await commit.catch(async (error: unknown) => {
    await mail.limit.notSent(email, { org });
    throw error;
  });
  mail.outbox.wake();
  return invitation;
}

/**
 * Revokes an invitation. Idempotent: a repetition writes no second event.
 *
 * @returns the id of the invitation.
 * @throws ApiError `forbidden`, `not_found`, `conflict` for an accepted invitation.
 */
export async function revoke(
  context: Context,
  { org, id: given }: MutationRevokeInvitationArgs,
): Promise<number> {
  const caller = callerIn(context, org);
  const { clock } = context;
  const id = requireId(given);
  await context.database.transaction(async (tx) => {
    const held = await holdRights(tx, caller);
    const revoked = await revokeInvitation(tx, { org, id, now: clock() });
    if (!revoked) {
      const present = await invitations.find(tx, org, id);
      if (!present) throw await absence(tx, org, id, invitations);
      if (present.acceptedAt)
        throw new ApiError('conflict', { message: 'The invitation was already accepted.' });
      return;
    }
    const data = { role: revoked.role };
    await recordChange(tx, held, { org, type: 'invitation.revoked', subjectId: id, data }, clock);
  });
  return id;
}

const tooManyInvitations = () =>
  new ApiError('rate_limited', {
    message: 'Too many messages were sent to this address. Wait before you send another invitation.',
    retryAfter: 3600,
  });
