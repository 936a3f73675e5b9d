/** Looks up which of many people may see events: the queries of a stream before it delivers. */

import { VISIBILITY } from '../../generated/visibility.ts';
import type { Runner } from '../database.ts';
import { and, eq, isNotNull, isNull, ne, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import { read } from '../query.ts';
import type { AppRow } from '../rows.ts';
import { type Statement, statement } from '../statement.ts';
import { amongIn } from './shared/owned.ts';
import type { CredentialTable } from './standing.ts';

interface People {
  readonly org: string;
  readonly userIds: readonly number[];
}

/** The current members of the organisation among these users, with their current roles. */
export const findPresent = amongIn('users', {
  name: 'eventReaders.present',
  columns: ({ id, role }) => ({ id, role }),
  only: ({ removedAt }) => [isNull(removedAt)],
});

const usableIn = (table: CredentialTable) =>
  amongIn(table, {
    name: `eventReaders.usable_${table}`,
    columns: ({ id }) => ({ id }),
    only: ({ revokedAt }) => [isNull(revokedAt)],
  });

/** The ids of those keys, certificates or grants that were not revoked, by their table. */
export const findUsableCredentials = {
  apiKeys: usableIn('apiKeys'),
  clientCertificates: usableIn('clientCertificates'),
  grants: usableIn('grants'),
} satisfies Record<CredentialTable, unknown>;

/** Those of the sessions whose access tokens have ended with them: not if a session ended with a change of role, whose tokens get the new role. */
export const findEndedSessions = amongIn('sessions', {
  name: 'eventReaders.endedSessions',
  columns: ({ id }) => ({ id }),
  only: ({ revokedAt, revokedReason }) => [isNotNull(revokedAt), ne(revokedReason, oneText('role_changed'))],
});

const appScopes = read.all<{ ids: readonly number[] }, Pick<AppRow, 'id' | 'scopes'>>(
  'eventReaders.appScopes',
  ({ orm, tables: { apps }, dialect }, p) =>
    orm.select({ id: apps.id, scopes: apps.scopes }).from(apps).where(dialect.anyOf(apps.id, p.ids)),
);

/** The scopes that these apps may use now. */
export const findAppScopes = async (db: Runner, ids: readonly number[]) =>
  ids.length > 0 ? appScopes(db, { ids }) : [];

/** A subject of events, and a person who may see it with any role. */
interface SubjectReader {
  readonly subjectId: number;
  readonly userId: number;
}

type Find = Statement<People & { subjectIds: readonly number[] }, readonly SubjectReader[]>;

/** The statement for each kind of subject that has a visibility rule. */
const subjectReaders: ReadonlyMap<string, Find> = new Map(
  VISIBILITY.map((rule) => [
    rule.subjectType,
    statement(`eventReaders.of_${rule.subjectType}`, (builder, p) => {
      const { orm, tables, dialect } = builder;
      const { users } = tables;
      const table = tables[rule.table];
      const person = { org: p.org, readerId: users.id };
      return orm
        .select({ subjectId: table.id, userId: users.id })
        .from(table)
        .innerJoin(users, sql`true`)
        .where(
          and(
            dialect.anyOf(table.id, p.subjectIds),
            dialect.anyOf(users.id, p.userIds),
            eq(users.org, p.org),
            isNull(users.removedAt),
            rule.mayKnow(builder, person),
          ),
        );
    }),
  ]),
);

/** Pairs of a subject and a person who may currently see it with any role. None for a kind without a visibility rule. */
export async function findSubjectReaders(
  db: Runner,
  subjectType: string,
  org: string,
  subjectIds: readonly number[],
  userIds: readonly number[],
): Promise<readonly SubjectReader[]> {
  const find = subjectReaders.get(subjectType);
  return find ? db.run(find, { org, subjectIds, userIds }) : [];
}
