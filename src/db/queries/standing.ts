/** Whether a caller still has the rights by which it was let in: read now and then, and held while something is written. */
import type { Placeholder, SQL } from 'drizzle-orm';
import type { Role } from '../../core/roles.ts';
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, eq, gt, isNull, ne, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import type { Builder } from '../statement.ts';
import type { Tables } from '../tables.ts';

/** The rights that a writing caller must still have. */
export interface Standing {
  readonly org: string;
  readonly userId: number;
  /** The roles that give at least what the caller was let in with. */
  readonly roles: readonly Role[];
  /** What the caller acts by, null for a caller that signed in. */
  readonly credential: Credential | null;
}

/** Tables of what callers act by, beside sessions. A row is of no use from when it was revoked. */
export const CREDENTIAL_TABLES = ['apiKeys', 'clientCertificates', 'grants'] as const;
export type CredentialTable = (typeof CREDENTIAL_TABLES)[number];

/** An API key, a client certificate or the grant of an app. */
export interface Credential {
  readonly table: CredentialTable;
  readonly id: number;
}

/** The parameters of a standing in statements. */
export interface StandingParams extends Omit<Standing, 'credential'> {
  readonly credentialId: number | null;
}

export const paramsOf = <S extends Standing>({ credential, ...others }: S) => ({
  ...others,
  credentialId: credential?.id ?? null,
});

/** What a caller was let in with: the person alone, or a credential as well. */
export type By = 'person' | CredentialTable;

/** Makes a statement for each kind of caller, and what chooses among them. */
export function forEachCaller<S>(make: (by: By) => S): (caller: Pick<Standing, 'credential'>) => S {
  const statements = new Map((['person', ...CREDENTIAL_TABLES] as const).map((by) => [by, make(by)]));
  return ({ credential }) => {
    const statement = statements.get(credential?.table ?? 'person');
    if (!statement) throw new Error(`There is no statement for callers by ${credential?.table}.`);
    return statement;
  };
}

/** A change of a person. */
export interface PersonChange {
  readonly id: number;
  readonly org: string;
  readonly role: Role;
  readonly removedAt: Date | null;
}

type StandingPlaceholders = Readonly<Record<keyof StandingParams, Placeholder>>;

/**
 * A subquery with one row as long as the caller is there: the organisation, as `org`, and whether the role is still one of the caller's
 * roles, as `has_role`. It has no row for a person who has left, and for a credential that was revoked.
 *
 * On PostgreSQL the transaction first gets its turn among the writers of the organisation, in which rights are taken away as
 * well. That alone would not do: the statement's snapshot is older than its turn. Locking the rows reads them as they are by
 * then. The order is always the same, turn before rows: so no two wait for each other, and as one writer at a time holds the
 * rows, a removal of rights does not wait behind a stream of them.
 */
export function standing({ tables, dialect }: Builder, p: StandingPlaceholders, by: By): SQL {
  const { users } = tables;
  const person = and(
    dialect.inTurn(p.org),
    eq(users.id, p.userId),
    eq(users.org, p.org),
    isNull(users.removedAt),
  );
  const credential = by === 'person' ? sql`` : held(tables[by], users, p);
  return sql`(select ${users.org} as org, ${dialect.anyOf(users.role, p.roles)} as has_role from ${users} ${credential} where ${person} ${dialect.held}) as standing`;
}

const held = (table: Tables[CredentialTable], users: Tables['users'], p: StandingPlaceholders) =>
  sql`inner join ${table} on ${and(
    eq(table.id, p.credentialId),
    eq(table.org, p.org),
    eq(table.userId, users.id),
    isNull(table.revokedAt),
  )}`;

const hold = (by: By) =>
  statement<StandingParams, readonly { org: string }[]>(`standing.of_${by}`, (builder, p) =>
    builder.orm
      .select({ org: sql<string>`standing.org` })
      .from(standing(builder, p, by))
      .where(sql`standing.has_role`),
  );

const holdFor = forEachCaller(hold);

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
  return (await tx.run(holdFor(caller), paramsOf(caller))).length > 0;
}

/** The sessions of all organisations that ended after a point in time, and whose access tokens end with them. */
export function sessionsEndedSince(db: Runner, since: Date): Promise<readonly { readonly id: number }[]> {
  return db.run(endedSince, { since });
}

/** The people of all organisations who were changed after a point in time, as they are now. */
export function peopleChangedSince(db: Runner, since: Date): Promise<readonly PersonChange[]> {
  return db.run(changedSince, { since });
}
