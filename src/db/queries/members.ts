/** The members of an organisation and their roles. Single users are read in `users.ts`. */

import type { Role } from '../../core/roles.ts';
import { and, eq, exists, ne, or, sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import { asStored, type Builder, type Placeholders } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { changeIn, insertIn } from './shared/changing.ts';
import { listIn, rowsIn } from './shared/owned.ts';
import { isPerson } from './users.ts';

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

/** The conditions of a member that can be changed: not the only administrator, and not an app, which changes only with its installation. */
function isChangeable(
  users: Tables['users'],
  p: Placeholders<{ org: string; id: number }>,
  { orm }: Builder,
) {
  const otherAdministrator = orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.org, p.org), ne(users.id, p.id), eq(users.role, 'admin'), ...isPerson(users)));
  return [...isPerson(users), or(ne(users.role, 'admin'), exists(otherAdministrator))];
}

/**
 * Changes the role of a member. Undefined if there is no such member, the version is not among `versions`, or the member is the
 * last administrator. Call it after {@link queueForMembers}, with a role that differs from the member's.
 */
export const setMemberRole = changeIn('members.setRole', 'users', ['role'], { only: isChangeable });

/** Removes a member and returns the row that stays. Undefined for the same reasons as {@link setMemberRole}. */
export const eraseMember = changeIn('members.remove', 'users', [], {
  at: ['removedAt'],
  // The name is kept for rows that reference the person; nothing else is needed any more.
  fixed: { email: '', passwordHash: null, role: 'viewer' },
  only: isChangeable,
});

/** Up to `limit` members that follow an id (0 for the first) in order of id; backwards, those that precede it. Apps are not included. */
export const membersAfter = rowsIn('users', 'after', { name: 'members.after', only: isPerson });

/** Like {@link membersAfter}, but only those with one role. */
export const membersOfRoleAfter = listIn('members.ofRoleAfter', 'users', 'after', {
  along: ({ org, role }, p: Placeholders<{ org: string; role: Role }>) => [
    [org, p.org],
    [role, asStored(p.role, role)],
  ],
  only: isPerson,
});
