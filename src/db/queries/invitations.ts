import type { Role } from '../../core/roles.ts';
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  sql,
} from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import { oneText } from '../literals.ts';
import type { InvitationRow } from '../rows.ts';
import type { Tables } from '../tables.ts';

interface NewInvitation {
  readonly org: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedById: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A condition for invitations that were neither accepted nor revoked. They may have expired. */
const isOpen = ({ invitations }: Pick<Tables, 'invitations'>) =>
  and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));

/** Marks an expired invitation as revoked when it expired, so that its address can be invited again. */
const closeExpired = statement<{ org: string; email: string; now: Date }, unknown>(
  'invitations.closeExpired',
  ({ orm, tables }, p) => {
    const { invitations } = tables;
    return orm
      .update(invitations)
      .set({ revokedAt: sql`${invitations.expiresAt}` })
      .where(
        and(
          eq(invitations.org, p.org),
          eq(invitations.email, p.email),
          isOpen(tables),
          lte(invitations.expiresAt, asStored(p.now, invitations.expiresAt)),
        ),
      );
  },
);

const insert = statement<NewInvitation, readonly InvitationRow[]>(
  'invitations.insert',
  ({ orm, tables: { invitations } }, p) =>
    orm
      .insert(invitations)
      .values({
        org: p.org,
        email: p.email,
        role: p.role,
        invitedById: asStored(p.invitedById, invitations.invitedById),
        createdAt: p.createdAt,
        expiresAt: p.expiresAt,
      })
      .onConflictDoNothing()
      .returning(),
);

const after = listStatement<{ org: string; fromId: number; limit: number }, readonly InvitationRow[]>(
  'invitations.after',
  ({ orm, tables: { invitations }, dialect }, p) =>
    orm
      .select()
      .from(invitations)
      .where(dialect.inIndex([[invitations.org, p.org]], invitations.id, { after: p.fromId }))
      .orderBy(...dialect.orderInIndex([[invitations.org, p.org]], asc, invitations.id))
      .limit(p.limit),
);

const byId = statement<{ org: string; id: number }, readonly InvitationRow[]>(
  'invitations.byId',
  ({ orm, tables: { invitations } }, p) =>
    orm
      .select()
      .from(invitations)
      .where(and(eq(invitations.id, p.id), eq(invitations.org, p.org))),
);

const orgOf = statement<{ id: number }, readonly { org: string }[]>(
  'invitations.orgOf',
  ({ orm, tables: { invitations } }, p) =>
    orm.select({ org: invitations.org }).from(invitations).where(eq(invitations.id, p.id)),
);

const revoke = statement<{ org: string; id: number; now: Date }, readonly InvitationRow[]>(
  'invitations.revoke',
  ({ orm, tables }, p) => {
    const { invitations } = tables;
    return orm
      .update(invitations)
      .set({ revokedAt: asStored(p.now, invitations.revokedAt) })
      .where(
        and(
          eq(invitations.id, p.id),
          eq(invitations.org, p.org),
          isOpen(tables),
          gt(invitations.expiresAt, asStored(p.now, invitations.expiresAt)),
        ),
      )
      .returning();
  },
);

/** An invitation that may be accepted, with what the invited person sees. */
export interface OpenInvitation {
  readonly invitation: InvitationRow;
  /** The display name of the organisation. */
  readonly organisation: string;
  /** The name of the administrator who sent the invitation; null for an operator. */
  readonly inviter: string | null;
}

/**
 * Finds an invitation that is open, has not expired, and whose sender is still an administrator, so that a removed
 * administrator cannot come back through an invitation.
 */
const open = statement<{ id: number; now: Date }, readonly OpenInvitation[]>(
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
          isOpen(tables),
          gt(invitations.expiresAt, asStored(p.now, invitations.expiresAt)),
          or(isNull(invitations.invitedById), isNotNull(users.id)),
        ),
      );
  },
);

const accept = statement<{ org: string; id: number; now: Date }, readonly { id: number }[]>(
  'invitations.accept',
  ({ orm, tables }, p) => {
    const { invitations } = tables;
    return orm
      .update(invitations)
      .set({ acceptedAt: asStored(p.now, invitations.acceptedAt) })
      .where(and(eq(invitations.id, p.id), eq(invitations.org, p.org), isOpen(tables)))
      .returning({ id: invitations.id });
  },
);

const purge = statement<{ before: Date; limit: number }, readonly { id: number }[]>(
  'invitations.purge',
  ({ orm, tables: { invitations, linkTokens, outbox } }, p) =>
    orm
      .delete(invitations)
      .where(
        inArray(
          invitations.id,
          orm
            .select({ id: invitations.id })
            .from(invitations)
            .where(
              and(
                lt(invitations.expiresAt, asStored(p.before, invitations.expiresAt)),
                notExists(orm.select().from(linkTokens).where(eq(linkTokens.invitationId, invitations.id))),
                notExists(orm.select().from(outbox).where(eq(outbox.invitationId, invitations.id))),
              ),
            )
            .limit(p.limit),
        ),
      )
      .returning({ id: invitations.id }),
);

/** Inserts an invitation. Undefined if the address has an open one. */
export async function insertInvitation(
  tx: Transaction,
  invitation: NewInvitation,
): Promise<InvitationRow | undefined> {
  const { org, email, createdAt: now } = invitation;
  await tx.run(closeExpired, { org, email, now });
  return (await tx.run(insert, invitation))[0];
}

/** Up to `limit` invitations in any state that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export function invitationsAfter(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly InvitationRow[]> {
  return db.run(after[way], { org, fromId, limit });
}

/** The invitation with this id in this organisation, in any state. */
export async function findInvitation(
  db: Runner,
  org: string,
  id: number,
): Promise<InvitationRow | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** The organisation of an invitation that the caller cannot see: to distinguish 403 from 404. */
export async function orgOfInvitation(db: Runner, id: number): Promise<string | undefined> {
  return (await db.run(orgOf, { id }))[0]?.org;
}

/** Revokes an invitation that may be accepted. Returns it to exactly one of several concurrent callers. */
export async function revokeInvitation(
  tx: Transaction,
  org: string,
  id: number,
  now: Date,
): Promise<InvitationRow | undefined> {
  return (await tx.run(revoke, { org, id, now }))[0];
}

/** The invitation with this id, in any organisation, if it may be accepted. */
export async function findOpenInvitation(
  db: Runner,
  id: number,
  now: Date,
): Promise<OpenInvitation | undefined> {
  return (await db.run(open, { id, now }))[0];
}

/** Marks an invitation as accepted. True for exactly one of several concurrent callers. */
export async function acceptInvitation(
  tx: Transaction,
  org: string,
  id: number,
  now: Date,
): Promise<boolean> {
  return (await tx.run(accept, { org, id, now })).length > 0;
}

/** Deletes up to `limit` invitations that expired before a time. Returns their number. */
export async function purgeInvitations(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
