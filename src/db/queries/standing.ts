/** Whether a caller still has the rights with which it was admitted: polled for reads, and locked during writes. */

import type { Placeholder, SQL } from 'drizzle-orm';
import type { Role } from '../../core/roles.ts';
import type { Transaction } from '../database.ts';
import { and, eq, gt, isNull, ne, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import { read } from '../query.ts';
import type { UserRow } from '../rows.ts';
import { type Builder, statementPerForm } from '../statement.ts';
import type { Tables } from '../tables.ts';

/** The rights that a writing caller must still have. */
export interface Standing {
  readonly org: string;
  readonly userId: number;
  /** The roles with at least the rights of the role that the caller was admitted with. */
  readonly roles: readonly Role[];
  /** The credential that the caller uses; null for a caller that signed in. */
  readonly credential: Credential | null;
}

/** The tables of credentials other than sessions. A row is invalid once it is revoked. */
export const CREDENTIAL_TABLES = ['apiKeys', 'clientCertificates', 'grants'] as const;
export type CredentialTable = (typeof CREDENTIAL_TABLES)[number];

/** An API key, a client certificate or the grant of an app. */
export interface Credential {
  readonly table: CredentialTable;
  readonly id: number;
}

/** The statement parameters of a {@link Standing}. */
export interface StandingParams extends Omit<Standing, 'credential'> {
  readonly credentialId: number | null;
}

export const paramsOf = <S extends Standing>({ credential, ...others }: S) => ({
  ...others,
  credentialId: credential?.id ?? null,
});

/** The kind of a caller: a person who signed in, or a credential by its table. */
export type By = 'person' | CredentialTable;

export const CALLERS: readonly By[] = ['person', ...CREDENTIAL_TABLES];

export const kindOf = ({ credential }: Pick<Standing, 'credential'>): By => credential?.table ?? 'person';

/** The state of a user after a change. */
type PersonChange = Pick<UserRow, 'id' | 'org' | 'role' | 'removedAt'>;

type StandingPlaceholders = Readonly<Record<keyof StandingParams, Placeholder>>;

/**
 * A subquery with one row while the caller is present: the organisation, as `org`, and whether the user's current role is one of
 * `roles`, as `has_role`. It has no row if the user was removed or the credential revoked.
 *
 * On PostgreSQL the transaction first takes the lock of the organisation, as do revocations of rights. The lock alone is not enough,
 * since the statement's snapshot is older than it. Locking the rows reads their current versions. The order is always lock before rows, so transactions cannot deadlock; and since only one writer at a time locks the
 * rows, a revocation never waits behind a stream of writers.
 */
export function standing({ tables, dialect }: Builder, p: StandingPlaceholders, by: By): SQL {
  const { users } = tables;
  const person = and(
    dialect.orgLock(p.org),
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

const holdBy = statementPerForm<By, StandingParams, readonly { org: string }[]>(
  CALLERS,
  (by) => `standing.of_${by}`,
  (by, builder, p) =>
    builder.orm
      .select({ org: sql<string>`standing.org` })
      .from(standing(builder, p, by))
      .where(sql`standing.has_role`),
);

/** The current state of the users of all organisations that were changed after a point in time. */
export const peopleChangedSince = read.all<{ since: Date }, PersonChange>(
  'standing.changedSince',
  ({ orm, tables: { users } }, p) =>
    orm
      .select({ id: users.id, org: users.org, role: users.role, removedAt: users.removedAt })
      .from(users)
      // The first version of a user is not a change, and the index contains only later versions.
      .where(and(sql`${users.version} > 1`, gt(users.updatedAt, p.since))),
);

/**
 * The sessions of all organisations that were revoked after a point in time, and whose access tokens become invalid with them. Not
 * those that were revoked by a change of role: {@link peopleChangedSince} finds their users.
 */
export const sessionsEndedSince = read.all<{ since: Date }, { id: number }>(
  'standing.sessionsEndedSince',
  ({ orm, tables: { sessions } }, p) =>
    orm
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(gt(sessions.revokedAt, p.since), ne(sessions.revokedReason, oneText('role_changed')))),
);

/** Whether the caller still has its rights. If so, it keeps them until the end of the transaction. */
export async function holdsStanding(tx: Transaction, caller: Standing): Promise<boolean> {
  return (await tx.run(holdBy(kindOf(caller)), paramsOf(caller))).length > 0;
}
