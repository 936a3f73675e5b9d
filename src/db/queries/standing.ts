/** Whether a caller still has the rights by which it was let in: read now and then, and held while something is written. */
import type { Placeholder, SQL } from 'drizzle-orm';
import type { Role } from '../../core/roles.ts';
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, eq, gt, isNull, ne, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import type { Builder } from '../statement.ts';

/** The rights that a writing caller must still have. */
export interface Standing {
  readonly org: string;
  readonly userId: number;
  /** The roles that give at least what the caller was let in with. */
  readonly roles: readonly Role[];
  /** The API key that the caller holds, null for a caller that signed in. */
  readonly keyId: number | null;
  /** The grant that the caller acts by, null for a caller that is no app. */
  readonly grantId: number | null;
}

/** What a caller was let in with, beside the person. */
type By = 'person' | 'key' | 'grant';

const byOf = ({ keyId, grantId }: Pick<Standing, 'keyId' | 'grantId'>): By =>
  keyId !== null ? 'key' : grantId !== null ? 'grant' : 'person';

/** Chooses the statement for a caller. */
export const statementFor = <S>(
  statements: Readonly<Record<By, S>>,
  caller: Pick<Standing, 'keyId' | 'grantId'>,
): S => statements[byOf(caller)];

/** A change of a person. */
export interface PersonChange {
  readonly id: number;
  readonly org: string;
  readonly role: Role;
  readonly removedAt: Date | null;
}

type StandingPlaceholders = Readonly<Record<keyof Standing, Placeholder>>;

/**
 * A subquery with one row as long as the caller is there: the organisation, as `org`, and whether the role is still one of the caller's
 * roles, as `has_role`. It has no row for a person who has left, and for a key or a grant that was revoked.
 *
 * On PostgreSQL the transaction first gets its turn among the writers of the organisation, in which rights are taken away as
 * well. That alone would not do: the statement's snapshot is older than its turn. Locking the rows reads them as they are by
 * then. The order is always the same, turn before rows: so no two wait for each other, and as one writer at a time holds the
 * rows, a removal of rights does not wait behind a stream of them.
 */
export function standing({ tables, dialect }: Builder, p: StandingPlaceholders, by: By): SQL {
  const { users, apiKeys, grants } = tables;
  const person = and(
    dialect.inTurn(p.org),
    eq(users.id, p.userId),
    eq(users.org, p.org),
    isNull(users.removedAt),
  );
  const key = sql`inner join ${apiKeys} on ${and(
    eq(apiKeys.id, p.keyId),
    eq(apiKeys.org, p.org),
    eq(apiKeys.userId, users.id),
    isNull(apiKeys.revokedAt),
  )}`;
  const grant = sql`inner join ${grants} on ${and(
    eq(grants.id, p.grantId),
    eq(grants.org, p.org),
    eq(grants.userId, users.id),
    isNull(grants.revokedAt),
  )}`;
  const credential = { person: sql``, key, grant }[by];
  return sql`(select ${users.org} as org, ${dialect.anyOf(users.role, p.roles)} as has_role from ${users} ${credential} where ${person} ${dialect.held}) as standing`;
}

const hold = (by: By) =>
  statement<Standing, readonly { org: string }[]>(`standing.of_${by}`, (builder, p) =>
    builder.orm
      .select({ org: sql<string>`standing.org` })
      .from(standing(builder, p, by))
      .where(sql`standing.has_role`),
  );

const holds = { person: hold('person'), key: hold('key'), grant: hold('grant') };

const changedSince = statement<{ since: Date }, readonly PersonChange[]>(
  'standing.changedSince',
  ({ orm, tables: { users } }, p) =>
    orm
      .select({ id: users.id, org: users.org, role: users.role, removedAt: users.removedAt })
      .from(users)
      // The first version of a person is no change, and the index has the others alone.
      .where(and(sql`${users.version} > 1`, gt(users.updatedAt, asStored(p.since, users.updatedAt)))),
);

/** Sessions that were ended by themselves. Those that end with a change of their person are known by that person. */
const endedSince = statement<{ since: Date }, readonly { id: number }[]>(
  'standing.sessionsEndedSince',
  ({ orm, tables: { sessions } }, p) =>
    orm
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        and(
          gt(sessions.revokedAt, asStored(p.since, sessions.revokedAt)),
          ne(sessions.revokedReason, oneText('role_changed')),
        ),
      ),
);

/** Whether the caller has its rights. While the transaction lasts it keeps them. */
export async function holdsStanding(tx: Transaction, caller: Standing): Promise<boolean> {
  return (await tx.run(statementFor(holds, caller), caller)).length > 0;
}

/** The sessions of all organisations that ended after a point in time, and whose access tokens end with them. */
export function sessionsEndedSince(db: Runner, since: Date): Promise<readonly { readonly id: number }[]> {
  return db.run(endedSince, { since });
}

/** The people of all organisations who were changed after a point in time, as they are now. */
export function peopleChangedSince(db: Runner, since: Date): Promise<readonly PersonChange[]> {
  return db.run(changedSince, { since });
}
