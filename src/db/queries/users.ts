import { storedAddress } from '../../core/stored-address.ts';
import type { Runner } from '../database.ts';
import { and, asc, eq, isNull, lt, max, or } from '../drizzle/index.ts';
import { constantLimit } from '../literals.ts';
import { read } from '../query.ts';
import type { UserRow } from '../rows.ts';
import type { Placeholders } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { changeIn, updateIn } from './shared/changing.ts';
import { amongIn, findBy, lookupIn } from './shared/owned.ts';

/** The conditions of a person who was not removed. */
export const isPerson = ({ kind, removedAt }: Tables['users']) => [eq(kind, 'person'), isNull(removedAt)];

const person = findBy('users.person', 'users', ['id'], isPerson);

/** The users with these ids in this organisation, in order of id. Includes removed users, since rows still reference them. */
export const findUsers = amongIn('users');

const byEmail = read.first<{ email: string; former: string }, UserRow>(
  'users.byEmail',
  ({ orm, tables: { users } }, p) =>
    orm
      .select()
      .from(users)
      .where(and(or(eq(users.email, p.email), eq(users.email, p.former)), ...isPerson(users)))
      .orderBy(asc(users.id))
      .limit(constantLimit(1)),
);

const newest = read.only<object, { id: number | null }>('users.newest', ({ orm, tables: { users } }) =>
  orm.select({ id: max(users.id) }).from(users),
);

/** Sets a user's password. The version stays the same, since no response depends on it. Undefined if there is no such user. */
export const setPasswordOfUser = updateIn('users.setPassword', 'users', ['passwordHash'], {
  only: ({ removedAt }) => [isNull(removedAt)],
});

/** Replaces the password with this `formerHash`. Returns the user to exactly one of several concurrent callers. */
export const changePasswordOfUser = updateIn('users.changePassword', 'users', ['passwordHash'], {
  only: ({ removedAt, passwordHash }, p: Placeholders<{ formerHash: string }>) => [
    isNull(removedAt),
    eq(passwordHash, p.formerHash),
  ],
});

/** Renames a person. Undefined if there is no such person or the version is not among `versions`. */
export const renameUser = changeIn('users.rename', 'users', ['name'], { only: isPerson });

/** Moves the user's read position in the feed forward, never back. Undefined if it did not move. */
export const markFeedRead = updateIn('users.markRead', 'users', ['lastReadEventId'], {
  only: ({ lastReadEventId }, p) => [lt(lastReadEventId, p.lastReadEventId)],
});

/** Users that were not removed. */
export const users = lookupIn('users', { only: ({ removedAt }) => [isNull(removedAt)] });

/** The person with this id, in any organisation: for the authorization server, whose sessions contain only this id. */
export async function findPerson(db: Runner, id: number): Promise<UserRow | undefined> {
  return Number.isSafeInteger(id) ? person(db, { id }) : undefined;
}

/**
 * The person who signs in with this address, in any organisation. Removed people and the members of apps are not found. Accounts from
 * before addresses had one spelling have their address as it was entered, in lower case.
 */
export function findUserByEmail(db: Runner, email: string): Promise<UserRow | undefined> {
  return byEmail(db, { email: storedAddress(email), former: email.toLowerCase() });
}

/** The largest id of a user in any organisation, or 0 if there is none. */
export async function newestUserId(db: Runner): Promise<number> {
  return (await newest(db, {})).id ?? 0;
}
