import { asStored, checked, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, eq, isNull, max, sql } from '../drizzle/index.ts';
import type { UserRow } from '../rows.ts';

const byId = statement<{ org: string; id: number }, readonly UserRow[]>(
  'users.byId',
  ({ orm, tables: { users } }, p) =>
    orm
      .select()
      .from(users)
      .where(and(eq(users.id, p.id), eq(users.org, p.org), isNull(users.removedAt))),
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

const orgOf = statement<{ id: number }, readonly { org: string }[]>(
  'users.orgOf',
  ({ orm, tables: { users } }, p) => orm.select({ org: users.org }).from(users).where(eq(users.id, p.id)),
);

const newest = statement<object, readonly { id: number | null }[]>(
  'users.newest',
  ({ orm, tables: { users } }) => orm.select({ id: max(users.id) }).from(users),
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

/** The user with this id in this organisation, unless they left. */
export async function findUser(db: Runner, org: string, id: number): Promise<UserRow | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** Those of the users that are or were in this organisation, in order of id: rows still refer to people who left. */
export function findUsers(db: Runner, org: string, ids: readonly number[]): Promise<readonly UserRow[]> {
  return db.run(byIds, { org, ids });
}

/** The user who signs in with this address, in any organisation. People who left are not found. */
export async function findUserByEmail(db: Runner, email: string): Promise<UserRow | undefined> {
  return (await db.run(byEmail, { email: email.toLowerCase() }))[0];
}

/** The organisation a user is or was in, whom the caller may not see: separates 403 from 404. */
export async function orgOfUser(db: Runner, id: number): Promise<string | undefined> {
  return (await db.run(orgOf, { id }))[0]?.org;
}

/** The largest id of a user in any organisation, or 0 where there is none. */
export async function newestUserId(db: Runner): Promise<number> {
  return (await db.run(newest, {}))[0]?.id ?? 0;
}

/** The changed row, or undefined when there is no such user or its version is not among `versions`. */
export async function renameUser(tx: Transaction, change: Rename): Promise<UserRow | undefined> {
  return (await tx.run(rename, change))[0];
}

/** Moves the mark of what is read forward, never back. True when it moved. */
export async function markFeedRead(
  tx: Transaction,
  org: string,
  id: number,
  eventId: number,
): Promise<boolean> {
  return (await tx.run(markRead, { org, id, eventId })).length > 0;
}
