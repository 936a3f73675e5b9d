/** Who belongs to an organisation, and as what. Reading one person is in `users.ts`. */

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

/** Names one person, and the versions that may be changed: null for any (If-Match). */
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

/** Writing the name it has anyway locks the row, in the same words on both engines. */
const queue = statement<{ org: string }, unknown>(
  'members.queue',
  ({ orm, tables: { organisations }, dialect }, p) =>
    orm
      .update(organisations)
      .set({ name: sql`${organisations.name}` })
      // Before the rows of people are locked: writers of events take the log's lock first, and then their own row.
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

/** The present person that a change is for, unless it is the only administrator there is. */
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
    // The member that an app is changes with its installation.
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
      // Rows that refer to the person lead to the name; nothing needs the rest any more.
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

/** Up to `limit` people who are there and follow an id (0 for the first) in order of id, or precede it when they are read backwards. */
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
 * Makes transactions that change who belongs to an organisation wait for each other, until they end. Each statement of
 * the one that waited then sees what the other did: two administrators who demote each other do not both succeed.
 */
export async function queueForMembers(tx: Transaction, org: string): Promise<void> {
  await tx.run(queue, { org });
}

/** The new row, or undefined when an active person of any organisation has the address. */
export async function insertMember(tx: Transaction, member: NewMember): Promise<UserRow | undefined> {
  return (await tx.run(insert, member))[0];
}

/**
 * The changed row, or undefined when there is no such person, their version is not among `versions`, or they are the
 * last administrator. Comes after {@link queueForMembers}, and with another role than the person has.
 */
export async function setMemberRole(tx: Transaction, change: RoleChange): Promise<UserRow | undefined> {
  return (await tx.run(setRole, change))[0];
}

/** The row that stays of a person who leaves, or undefined for the reasons of {@link setMemberRole}. */
export async function eraseMember(tx: Transaction, guard: MemberGuard): Promise<UserRow | undefined> {
  return (await tx.run(remove, guard))[0];
}
