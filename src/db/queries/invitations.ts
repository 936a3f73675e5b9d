import type { Transaction } from '../database.ts';
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import { read, write } from '../query.ts';
import type { InvitationRow } from '../rows.ts';
import { asStored, checked, equal, isEmpty, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn, updateIn } from './shared/changing.ts';
import { lookupIn, rowsIn } from './shared/owned.ts';
import { purgeByTime } from './shared/purging.ts';

/** A condition for invitations that were neither accepted nor revoked. They may have expired. */
const isOpen = ({ acceptedAt, revokedAt }: Tables['invitations']) =>
  and(isNull(acceptedAt), isNull(revokedAt));

/** Marks an expired invitation as revoked when it expired, so that its address can be invited again, or erased. */
const closeExpired = statement<{ org: string; email: string; now: Date }, unknown>(
  'invitations.closeExpired',
  ({ orm, tables }, p) => {
    const { invitations } = tables;
    return orm
      .update(invitations)
      .set({ revokedAt: sql`${invitations.expiresAt}` })
      .where(
        and(equal(invitations, p, 'org', 'email'), isOpen(invitations), lte(invitations.expiresAt, p.now)),
      );
  },
);

const insert = insertIn('invitations', ['org', 'email', 'role', 'invitedById', 'createdAt', 'expiresAt'], {
  ifNew: true,
});

/** Revokes an invitation that may be accepted. Returns it to exactly one of several concurrent callers. */
export const revokeInvitation = updateIn('invitations.revoke', 'invitations', [], {
  at: ['revokedAt'],
  only: (invitations, { now }) => [isOpen(invitations), gt(invitations.expiresAt, now)],
});

/** Returns a query that revokes the open invitations with one value of a column, and returns them. */
const revokeBy = <Value, const Column extends 'invitedById' | 'email'>(name: string, column: Column) =>
  write.all<{ org: string; now: Date } & Readonly<Record<Column, Value>>, Pick<InvitationRow, 'id' | 'role'>>(
    name,
    ({ orm, tables }, p) => {
      const { invitations } = tables;
      const now = asStored(p.now, invitations.revokedAt);
      return orm
        .update(invitations)
        .set({ revokedAt: now })
        .where(
          and(
            eq(invitations.org, p.org),
            eq(invitations[column], p[column]),
            isOpen(invitations),
            gt(invitations.expiresAt, now),
          ),
        )
        .returning({ id: invitations.id, role: invitations.role });
    },
  );

/** Revokes the open invitations that a user has sent, who is removed or no longer an administrator, and returns them. */
export const revokeInvitationsOf = revokeBy<number, 'invitedById'>('invitations.revokeOfUser', 'invitedById');

/** Revokes the open invitations to an address, whose member is removed and would come back with them, and returns them. */
export const revokeInvitationsTo = revokeBy<string, 'email'>('invitations.revokeTo', 'email');

const eraseEmail = write.run<{ org: string; email: string }>(
  'invitations.eraseEmail',
  ({ orm, tables: { invitations } }, p) =>
    orm
      .update(invitations)
      .set({ email: '' })
      .where(equal(invitations, p, 'org', 'email')),
);

/** Erases an address from the invitations of an organisation. Call it after {@link revokeInvitationsTo}. */
export async function eraseInvitedAddress(
  tx: Transaction,
  { org, email, now }: { readonly org: string; readonly email: string; readonly now: Date },
): Promise<void> {
  await tx.run(closeExpired, { org, email, now });
  await eraseEmail(tx, { org, email });
}

/** An invitation that may be accepted, with what the invited person sees. */
export interface OpenInvitation {
  readonly invitation: InvitationRow;
  /** The display name of the organisation. */
  readonly organisation: string;
  /** The name of the administrator who sent the invitation; null for an operator. */
  readonly inviter: string | null;
}

/**
 * The invitation with this id, in any organisation, if it may be accepted: it is open, has not expired, and its sender is still an
 * administrator, so that a removed administrator cannot come back through an invitation.
 */
export const findOpenInvitation = read.first<{ id: number; now: Date }, OpenInvitation>(
  'invitations.open',
  ({ orm, tables }, p) => {
    const { invitations, organisations, users } = tables;
    return orm
      .select({ invitation: invitations, organisation: organisations.name, inviter: users.name })
      .from(invitations)
      .innerJoin(organisations, eq(organisations.id, invitations.org))
      .leftJoin(
        users,
        and(
          eq(users.id, invitations.invitedById),
          eq(users.org, invitations.org),
          eq(users.role, oneText('admin')),
          isNull(users.removedAt),
        ),
      )
      .where(
        and(
          eq(invitations.id, p.id),
          checked(and(isOpen(invitations), gt(invitations.expiresAt, p.now))),
          or(isNull(invitations.invitedById), isNotNull(users.id)),
        ),
      );
  },
);

/** Marks an invitation as accepted. Returns it to exactly one of several concurrent callers. */
export const acceptInvitation = updateIn('invitations.accept', 'invitations', [], {
  at: ['acceptedAt'],
  only: (invitations) => [isOpen(invitations)],
});

/** Inserts an invitation. Undefined if the address has an open one. */
export async function insertInvitation(
  tx: Transaction,
  invitation: Parameters<typeof insert>[1],
): Promise<InvitationRow | undefined> {
  const { org, email, createdAt: now } = invitation;
  await tx.run(closeExpired, { org, email, now });
  return insert(tx, invitation);
}

/** Up to `limit` invitations in any state that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export const invitationsAfter = rowsIn('invitations', 'after');

/** Invitations in any state. */
export const invitations = lookupIn('invitations');

/** Deletes up to `limit` invitations that expired before a time. Returns their number. */
export const purgeInvitations = purgeByTime(
  'invitations.purge',
  'invitations',
  ({ expiresAt }) => expiresAt,
  ({ invitations: { id }, linkTokens, outbox }, orm) => [
    isEmpty(orm.select({ id: linkTokens.id }).from(linkTokens).where(eq(linkTokens.invitationId, id))),
    isEmpty(orm.select({ id: outbox.id }).from(outbox).where(eq(outbox.invitationId, id))),
  ],
);
