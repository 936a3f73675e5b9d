/** Looks up which of many people may see events: the queries of a stream before it delivers. */

import type { Role } from '../../core/roles.ts';
import { VISIBILITY } from '../../generated/visibility.ts';
import type { Runner } from '../database.ts';
import { and, eq, isNotNull, isNull, ne, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import { read } from '../query.ts';
import type { AppRow } from '../rows.ts';
import { checked, type Statement, statement, statementPerForm } from '../statement.ts';
import { CREDENTIAL_TABLES, type CredentialTable } from './standing.ts';

interface People {
  readonly org: string;
  readonly userIds: readonly number[];
}

/** The current members of the organisation among these users, with their current roles. */
export const findPresent = read.all<People, { id: number; role: Role }>(
  'eventReaders.present',
  ({ orm, tables: { users }, dialect }, p) =>
    orm
      .select({ id: users.id, role: users.role })
      .from(users)
      .where(and(dialect.anyOf(users.id, p.userIds), eq(users.org, p.org), isNull(users.removedAt))),
);

interface OfOrganisation {
  readonly org: string;
  readonly ids: readonly number[];
}

const usable = statementPerForm<CredentialTable, OfOrganisation, readonly { id: number }[]>(
  CREDENTIAL_TABLES,
  (name) => `eventReaders.usable_${name}`,
  (name, { orm, tables, dialect }, p) => {
    const table = tables[name];
    return orm
      .select({ id: table.id })
      .from(table)
      .where(and(dialect.anyOf(table.id, p.ids), eq(table.org, p.org), isNull(table.revokedAt)));
  },
);

/** The scopes that an app may use now. */
type AppScopes = Pick<AppRow, 'id' | 'scopes'>;

const appScopes = statement<{ ids: readonly number[] }, readonly AppScopes[]>(
  'eventReaders.appScopes',
  ({ orm, tables: { apps }, dialect }, p) =>
    orm.select({ id: apps.id, scopes: apps.scopes }).from(apps).where(dialect.anyOf(apps.id, p.ids)),
);

/** Sessions that were ended. The access tokens of one that ended with a change of role stay valid, with the rights of the new role. */
const endedSessions = statement<OfOrganisation, readonly { id: number }[]>(
  'eventReaders.endedSessions',
  ({ orm, tables: { sessions }, dialect }, p) =>
    orm
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        and(
          dialect.anyOf(sessions.id, p.ids),
          eq(sessions.org, p.org),
          checked(and(isNotNull(sessions.revokedAt), ne(sessions.revokedReason, oneText('role_changed')))),
        ),
      ),
);

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

/** Runs a statement for the rows with these ids, unless there are none. */
const amongIds = async <P extends { readonly ids: readonly number[] }, Row>(
  db: Runner,
  find: Statement<P, readonly Row[]>,
  params: P,
): Promise<readonly Row[]> => (params.ids.length > 0 ? db.run(find, params) : []);

/** The ids of those keys, certificates or grants that were not revoked. */
export const findUsableCredentials = (db: Runner, table: CredentialTable, params: OfOrganisation) =>
  amongIds(db, usable(table), params);

/** Returns those of the sessions whose access tokens have ended with them. */
export const findEndedSessions = (db: Runner, params: OfOrganisation) => amongIds(db, endedSessions, params);

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

/** The current scopes of these apps. */
export const findAppScopes = (db: Runner, ids: readonly number[]) => amongIds(db, appScopes, { ids });
