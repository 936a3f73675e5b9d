import { invitationsAfter } from '../../src/db/queries/invitations.ts';
import { lookFor } from '../../src/db/queries/shared/looking.ts';
import type { InvitationRow } from '../../src/db/rows.ts';
import type { InvitationStatus, QueryInvitationsArgs } from '../../src/generated/resolvers.ts';
import type { Connection } from '../shared/connection.ts';
import type { Context } from '../shared/context.ts';
import { callerIn } from '../shared/lookup.ts';
import { ownPageById, pageById } from '../shared/paging.ts';

/** The state of an invitation, some of which follow from the time. */
export function statusOf(
  { acceptedAt, revokedAt, expiresAt }: InvitationRow,
  { clock }: Pick<Context, 'clock'>,
): InvitationStatus {
  if (acceptedAt) return 'accepted';
  // An expired invitation is marked as revoked when another one is created for the same address, or when the address is erased.
  if (expiresAt <= (revokedAt ?? clock())) return 'expired';
  return revokedAt ? 'revoked' : 'open';
}

/**
 * Reads a page of the organisation's invitations, of all of them or of those in one state.
 *
 * @throws ApiError `forbidden` for another organisation, `invalid_cursor`.
 */
export async function listInvitations(
  context: Context,
  { org, status = null, ...page }: QueryInvitationsArgs,
): Promise<Connection<InvitationRow>> {
  const { database } = context;
  callerIn(context, org);
  if (status === null) return ownPageById(context, 'invitations', page, invitationsAfter);
  return pageById<InvitationRow>(context, ['invitations', org, status], page, (wanted, way) =>
    lookFor(wanted, async (part) => {
      const rows = await invitationsAfter(database, { org, ...part }, way);
      return rows.map((row) => ({ ...row, visible: statusOf(row, context) === status }));
    }),
  );
}
