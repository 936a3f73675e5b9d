import type { Runner } from '../database.ts';
import { and, asc, eq, isNull, max, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { UserRow } from '../rows.ts';
import { asStored, checked, nextVersion, stored } from '../statement.ts';
import { isGuarded, type VersionGuard } from './shared/changing.ts';
import { findIn, isRow, ownerIn } from './shared/owned.ts';

const person = read.first<{ id: number }, UserRow>('users.person', ({ orm, tables: { users } }, p) =>
  orm
    .select()
    .from(users)
    .where(and(eq(users.id, p.id), eq(users.kind, 'person'), isNull(users.removedAt))),
);

/** The users with these ids in this organisation, in order of id. Includes removed users, since rows still reference them. */
export const findUsers = read.all<{ org: string; ids: readonly number[] }, UserRow>(
  'users.byIds',
  ({ orm, tables: { users }, dialect }, p) =>
    orm
      .select()
      .from(users)
      .where(and(dialect.anyOf(users.id, p.ids), checked(eq(users.org, p.org))))
      .orderBy(asc(users.id)),
);

const byEmail = read.first<{ email: string }, UserRow>('users.byEmail', ({ orm, tables: { users } }, p) =>
  orm
    .select()
    .from(users)
    .where(and(eq(users.email, p.email), eq(users.kind, 'person'), isNull(users.removedAt))),
);

const newest = read.only<object, { id: number | null }>('users.newest', ({ orm, tables: { users } }) =>
  orm.select({ id: max(users.id) }).from(users),
);

interface NewPassword {
  readonly org: string;
  readonly id: number;
  readonly passwordHash: string;
}

interface PasswordChange extends NewPassword {
  /** The hash to be replaced. */
  readonly formerHash: string;
}

/** Sets a user's password. The version stays the same, since no response depends on it. False if there is no such user. */
export const setPasswordOfUser = write.any<NewPassword>(
  'users.setPassword',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ passwordHash: asStored(p.passwordHash, users.passwordHash) })
      .where(isRow(users, p, isNull(users.removedAt)))
      .returning({ id: users.id }),
);

/** Replaces the password with this `formerHash`. True for exactly one of several concurrent callers. */
export const changePasswordOfUser = write.any<PasswordChange>(
  'users.changePassword',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ passwordHash: asStored(p.passwordHash, users.passwordHash) })
      .where(isRow(users, p, isNull(users.removedAt), eq(users.passwordHash, p.formerHash)))
      .returning({ id: users.id }),
);

interface Rename extends VersionGuard {
  readonly name: string;
}

/** Renames a person. Returns the changed row, or undefined if there is no such person or the version is not among `versions`. */
export const renameUser = write.first<Rename, UserRow>('users.rename', (builder, p) => {
  const { users } = builder.tables;
  return builder.orm
    .update(users)
    .set({ ...stored(users, p, 'name'), ...nextVersion(users, p.now) })
    .where(isGuarded(builder, users, p, eq(users.kind, 'person'), isNull(users.removedAt)))
    .returning();
});

/** Moves the user's read position in the feed forward, never back. True if it moved. */
export const markFeedRead = write.any<{ org: string; id: number; eventId: number }>(
  'users.markRead',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ lastReadEventId: asStored(p.eventId, users.lastReadEventId) })
      .where(isRow(users, p, sql`${users.lastReadEventId} < ${p.eventId}`))
      .returning(),
);

/** The user with this id in this organisation, unless removed. */
export const findUser = findIn('users', { only: ({ removedAt }) => [isNull(removedAt)] });

/** The person with this id, in any organisation: for the authorization server, whose sessions contain only this id. */
export async function findPerson(db: Runner, id: number): Promise<UserRow | undefined> {
  return Number.isSafeInteger(id) ? person(db, { id }) : undefined;
}

/** The person who signs in with this address, in any organisation. Removed people and the members of apps are not found. */
export function findUserByEmail(db: Runner, email: string): Promise<UserRow | undefined> {
  return byEmail(db, { email: email.toLowerCase() });
}

export const orgOfUser = ownerIn('users');

/** The largest id of a user in any organisation, or 0 if there is none. */
export async function newestUserId(db: Runner): Promise<number> {
  return (await newest(db, {})).id ?? 0;
}
