import { asStored, checked, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, eq, isNull, max, sql } from '../drizzle/index.ts';
import type { UserRow } from '../rows.ts';
import { ownerIn } from './owner.ts';

const byId = statement<{ org: string; id: number }, readonly UserRow[]>(
  'users.byId',
  ({ orm, tables: { users } }, p) =>
    orm
      .select()
      .from(users)
      .where(and(eq(users.id, p.id), eq(users.org, p.org), isNull(users.removedAt))),
);

const person = statement<{ id: number }, readonly UserRow[]>(
  'users.person',
  ({ orm, tables: { users } }, p) =>
    orm
      .select()
      .from(users)
      .where(and(eq(users.id, p.id), eq(users.kind, 'person'), isNull(users.removedAt))),
);

const byIds = statement<{ org: string; ids: readonly number[] }, readonly UserRow[]>(
  'users.byIds',
  ({ orm, tables: { users }, dialect }, p) =>
    orm
      .select()
      .from(users)
      .where(and(dialect.anyOf(users.id, p.ids), checked(eq(users.org, p.org))))
      .orderBy(asc(users.id)),
);

const byEmail = statement<{ email: string }, readonly UserRow[]>(
  'users.byEmail',
  ({ orm, tables: { users } }, p) =>
    orm
      .select()
      .from(users)
      .where(and(eq(users.email, p.email), isNull(users.removedAt))),
);

const newest = statement<object, readonly { id: number | null }[]>(
  'users.newest',
  ({ orm, tables: { users } }) => orm.select({ id: max(users.id) }).from(users),
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

const setPassword = statement<NewPassword, readonly { id: number }[]>(
  'users.setPassword',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ passwordHash: asStored(p.passwordHash, users.passwordHash) })
      .where(and(eq(users.id, p.id), eq(users.org, p.org), isNull(users.removedAt)))
      .returning({ id: users.id }),
);

const changePassword = statement<PasswordChange, readonly { id: number }[]>(
  'users.changePassword',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ passwordHash: asStored(p.passwordHash, users.passwordHash) })
      .where(
        and(
          eq(users.id, p.id),
          eq(users.org, p.org),
          isNull(users.removedAt),
          eq(users.passwordHash, p.formerHash),
        ),
      )
      .returning({ id: users.id }),
);

interface Rename {
  readonly org: string;
  readonly id: number;
  readonly name: string;
  /** The versions of the row that may be changed, or null for any (If-Match). */
  readonly versions: readonly number[] | null;
  readonly now: Date;
}

const rename = statement<Rename, readonly UserRow[]>(
  'users.rename',
  ({ orm, tables: { users }, dialect }, p) =>
    orm
      .update(users)
      .set({
        name: asStored(p.name, users.name),
        version: sql`${users.version} + 1`,
        updatedAt: asStored(p.now, users.updatedAt),
      })
      .where(
        and(
          eq(users.id, p.id),
          eq(users.org, p.org),
          isNull(users.removedAt),
          dialect.anyOfUnlessNull(users.version, p.versions),
        ),
      )
      .returning(),
);

const markRead = statement<{ org: string; id: number; eventId: number }, readonly UserRow[]>(
  'users.markRead',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({ lastReadEventId: asStored(p.eventId, users.lastReadEventId) })
      .where(and(eq(users.id, p.id), eq(users.org, p.org), sql`${users.lastReadEventId} < ${p.eventId}`))
      .returning(),
);

/** The user with this id in this organisation, unless removed. */
export async function findUser(db: Runner, org: string, id: number): Promise<UserRow | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** The person with this id, in any organisation: for the authorization server, whose sessions contain only this id. */
export async function findPerson(db: Runner, id: number): Promise<UserRow | undefined> {
  return Number.isSafeInteger(id) ? (await db.run(person, { id }))[0] : undefined;
}

/** The users with these ids in this organisation, in order of id. Includes removed users, since rows still reference them. */
export function findUsers(db: Runner, org: string, ids: readonly number[]): Promise<readonly UserRow[]> {
  return db.run(byIds, { org, ids });
}

/** The user who signs in with this address, in any organisation. Removed users are not found. */
export async function findUserByEmail(db: Runner, email: string): Promise<UserRow | undefined> {
  return (await db.run(byEmail, { email: email.toLowerCase() }))[0];
}

export const orgOfUser = ownerIn('users');

/** The largest id of a user in any organisation, or 0 if there is none. */
export async function newestUserId(db: Runner): Promise<number> {
  return (await db.run(newest, {}))[0]?.id ?? 0;
}

/** Renames a user. Returns the changed row, or undefined if there is no such user or its version is not among `versions`. */
export async function renameUser(tx: Transaction, change: Rename): Promise<UserRow | undefined> {
  return (await tx.run(rename, change))[0];
}

/** Sets a user's password. The version stays the same, since no response depends on it. False if there is no such user. */
export async function setPasswordOfUser(tx: Transaction, change: NewPassword): Promise<boolean> {
  return (await tx.run(setPassword, change)).length > 0;
}

/** Replaces the password with this `formerHash`. True for exactly one of several concurrent callers. */
export async function changePasswordOfUser(tx: Transaction, change: PasswordChange): Promise<boolean> {
  return (await tx.run(changePassword, change)).length > 0;
}

/** Moves the user's read position in the feed forward, never back. True if it moved. */
export async function markFeedRead(
  tx: Transaction,
  org: string,
  id: number,
  eventId: number,
): Promise<boolean> {
  return (await tx.run(markRead, { org, id, eventId })).length > 0;
}
