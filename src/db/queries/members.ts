/** The members of an organisation and their roles. Single users are read in `users.ts`. */

import type { Role } from '../../core/roles.ts';
import { and, asc, eq, exists, isNull, ne, or, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { UserRow } from '../rows.ts';
import { asStored, type Builder, nextVersion, type Placeholders } from '../statement.ts';
import { insertIn, isGuarded, type VersionGuard } from './shared/changing.ts';
import { type Page, rowsAfterIn } from './shared/owned.ts';

interface RoleChange extends VersionGuard {
  readonly role: Role;
}

/**
 * Serialises transactions that change the members of an organisation. After waiting, a transaction sees the changes of the
 * others: two administrators who demote each other do not both succeed. It locks the row by an update without effect, which works on both engines.
 */
export const queueForMembers = write.run<{ org: string }>(
  'members.queue',
  ({ orm, tables: { organisations }, dialect }, p) =>
    orm
      .update(organisations)
      .set({ name: sql`${organisations.name}` })
      // Takes the lock before rows of users are locked, in the same order as writers of events: first the lock, then their own row.
      .where(and(dialect.orgLock(p.org), eq(organisations.id, p.org))),
);

/**
 * Inserts a member. Undefined if a member of any organisation has the address. Events of the organisation up to `lastReadEventId`, its
 * newest one, do not count as unread for them.
 */
export const insertMember = insertIn(
  'users',
  ['org', 'email', 'name', 'role', 'passwordHash', 'lastReadEventId'],
  { name: 'members.insert', at: ['createdAt', 'updatedAt'], ifNew: true },
);

/** A condition for the member that a change applies to. It is false for the only administrator. */
function guarded(builder: Builder, p: Placeholders<VersionGuard>) {
  const { users } = builder.tables;
  const otherAdministrator = builder.orm
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
  return isGuarded(
    builder,
    users,
    p,
    isNull(users.removedAt),
    // The member of an app is only changed through its installation.
    eq(users.kind, 'person'),
    or(ne(users.role, 'admin'), exists(otherAdministrator)),
  );
}

/**
 * Changes the role of a member. Undefined if there is no such member, the version is not among `versions`, or the member is the
 * last administrator. Call it after {@link queueForMembers}, with a role that differs from the member's.
 */
export const setMemberRole = write.first<RoleChange, UserRow>('members.setRole', (builder, p) => {
  const { users } = builder.tables;
  return builder.orm
    .update(users)
    .set({ role: asStored(p.role, users.role), ...nextVersion(users, p.now) })
    .where(guarded(builder, p))
    .returning();
});

/** Removes a member and returns the row that stays. Undefined for the same reasons as {@link setMemberRole}. */
export const eraseMember = write.first<VersionGuard, UserRow>('members.remove', (builder, p) => {
  const { users } = builder.tables;
  return builder.orm
    .update(users)
    .set({
      // The name is kept for rows that reference the person; nothing else is needed any more.
      email: '',
      passwordHash: null,
      role: 'viewer',
      removedAt: asStored(p.now, users.removedAt),
      ...nextVersion(users, p.now),
    })
    .where(guarded(builder, p))
    .returning();
});

/** Up to `limit` members that follow an id (0 for the first) in order of id; backwards, those that precede it. Apps are not included. */
export const membersAfter = rowsAfterIn('users', {
  name: 'members.after',
  only: ({ removedAt, kind }) => [isNull(removedAt), eq(kind, 'person')],
});

/** Like {@link membersAfter}, but only those with one role. */
export const membersOfRoleAfter = read.list<Page & { readonly role: Role }, UserRow>(
  'members.ofRoleAfter',
  ({ orm, tables: { users }, dialect }, p) => {
    const prefix = [
      [users.org, p.org],
      [users.role, asStored(p.role, users.role)],
    ] as const;
    return orm
      .select()
      .from(users)
      .where(
        and(
          dialect.inIndex(prefix, users.id, { after: p.fromId }),
          isNull(users.removedAt),
          eq(users.kind, 'person'),
        ),
      )
      .orderBy(...dialect.orderInIndex(prefix, asc, users.id))
      .limit(p.limit);
  },
);
