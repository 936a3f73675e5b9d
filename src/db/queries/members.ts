/** The members of an organisation and their roles. Single users are read in `users.ts`. */

import type { Role } from '../../core/roles.ts';
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, eq, exists, isNull, ne, or, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { UserRow } from '../rows.ts';
import type { Builder, Placeholders } from '../statement.ts';

interface NewMember {
  readonly org: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** The newest event of the organisation: earlier ones do not count as unread for a new member. */
  readonly lastReadEventId: number;
  readonly now: Date;
}

/** One member, and the versions of the row that may be changed: null for any (If-Match). */
interface MemberGuard {
  readonly org: string;
  readonly id: number;
  readonly versions: readonly number[] | null;
  readonly now: Date;
}

interface RoleChange extends MemberGuard {
  readonly role: Role;
}

const after = listStatement<{ org: string; fromId: number; limit: number }, readonly UserRow[]>(
  'members.after',
  ({ orm, tables: { users }, dialect }, p) =>
    orm
      .select()
      .from(users)
      .where(
        and(
          dialect.inIndex([[users.org, p.org]], users.id, { after: p.fromId }),
          isNull(users.removedAt),
          eq(users.kind, 'person'),
        ),
      )
      .orderBy(...dialect.orderInIndex([[users.org, p.org]], asc, users.id))
      .limit(p.limit),
);

/** Locks the row by an update without effect, which works on both engines. */
const queue = statement<{ org: string }, unknown>(
  'members.queue',
  ({ orm, tables: { organisations }, dialect }, p) =>
    orm
      .update(organisations)
      .set({ name: sql`${organisations.name}` })
      // Takes the turn before rows of users are locked, in the same order as writers of events: first the log's lock, then their own row.
      .where(and(dialect.inTurn(p.org), eq(organisations.id, p.org))),
);

const insert = statement<NewMember, readonly UserRow[]>('members.insert', ({ orm, tables: { users } }, p) =>
  orm
    .insert(users)
    .values({
      org: p.org,
      email: p.email,
      name: p.name,
      role: p.role,
      passwordHash: p.passwordHash,
      lastReadEventId: p.lastReadEventId,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .onConflictDoNothing()
    .returning(),
);

/** A condition for the member that a change applies to. It is false for the only administrator. */
function guarded({ orm, tables: { users }, dialect }: Builder, p: Placeholders<MemberGuard>) {
  const otherAdministrator = orm
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.org, p.org),
        ne(users.id, p.id),
        eq(users.role, 'admin'),
        eq(users.kind, 'person'),
        isNull(users.removedAt),
      ),
    );
  return and(
    eq(users.id, p.id),
    eq(users.org, p.org),
    isNull(users.removedAt),
    // The member of an app is only changed through its installation.
    eq(users.kind, 'person'),
    dialect.anyOfUnlessNull(users.version, p.versions),
    or(ne(users.role, 'admin'), exists(otherAdministrator)),
  );
}

const setRole = statement<RoleChange, readonly UserRow[]>('members.setRole', (builder, p) => {
  const { users } = builder.tables;
  return builder.orm
    .update(users)
    .set({
      role: asStored(p.role, users.role),
      version: sql`${users.version} + 1`,
      updatedAt: asStored(p.now, users.updatedAt),
    })
    .where(guarded(builder, p))
    .returning();
});

const remove = statement<MemberGuard, readonly UserRow[]>('members.remove', (builder, p) => {
  const { users } = builder.tables;
  return builder.orm
    .update(users)
    .set({
      // The name is kept for rows that reference the person; nothing else is needed any more.
      email: '',
      passwordHash: null,
      role: 'viewer',
      removedAt: asStored(p.now, users.removedAt),
      version: sql`${users.version} + 1`,
      updatedAt: asStored(p.now, users.updatedAt),
    })
    .where(guarded(builder, p))
    .returning();
});

/** Up to `limit` members that follow an id (0 for the first) in order of id; backwards, those that precede it. Apps are not included. */
export function membersAfter(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly UserRow[]> {
  return db.run(after[way], { org, fromId, limit });
}

/**
 * Serialises transactions that change the members of an organisation. After waiting, a transaction sees the changes of the
 * others: two administrators who demote each other do not both succeed.
 */
export async function queueForMembers(tx: Transaction, org: string): Promise<void> {
  await tx.run(queue, { org });
}

/** Inserts a member. Undefined if a member of any organisation has the address. */
export async function insertMember(tx: Transaction, member: NewMember): Promise<UserRow | undefined> {
  return (await tx.run(insert, member))[0];
}

/**
 * Changes the role of a member. Undefined if there is no such member, the version is not among `versions`, or the member is the
 * last administrator. Call it after {@link queueForMembers}, with a role that differs from the member's.
 */
export async function setMemberRole(tx: Transaction, change: RoleChange): Promise<UserRow | undefined> {
  return (await tx.run(setRole, change))[0];
}

/** Removes a member and returns the row that stays. Undefined for the same reasons as {@link setMemberRole}. */
export async function eraseMember(tx: Transaction, guard: MemberGuard): Promise<UserRow | undefined> {
  return (await tx.run(remove, guard))[0];
}
