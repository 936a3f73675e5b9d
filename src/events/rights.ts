/** Determines what people may currently see of events: with their current rights, but no more than the caller's role. */
import type { Role } from '../core/roles.ts';
import type { Database } from '../db/database.ts';
import {
  findAppScopes,
  findEndedSessions,
  findPresent,
  findSubjectReaders,
  findUsableCredentials,
} from '../db/queries/event-readers.ts';
import { CREDENTIAL_TABLES, type Credential } from '../db/queries/standing.ts';
import type { EventRow } from '../db/rows.ts';
import type { Reader } from '../db/visibility.ts';
import { VISIBILITY } from '../generated/visibility.ts';

/** The readers of some events. Ids are distinct. */
export interface Readers {
  readonly org: string;
  readonly userIds: readonly number[];
  readonly credentials: readonly Credential[];
  readonly sessionIds: readonly number[];
  readonly appIds: readonly number[];
}

/** What the readers may see now. */
export type Rights = Awaited<ReturnType<typeof rightsNow>>;

/** The people who may see each subject with any role, by its id. */
type ReadersOf = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Reads the current rights of all readers to all events at once: one statement for people, one for sessions, one for apps, one for
 * each kind of credential, and one for each kind of subject with a visibility rule, as far as they occur.
 */
export async function rightsNow(
  database: Database,
  { org, userIds, credentials, sessionIds, appIds }: Readers,
  events: readonly EventRow[],
) {
  const ruled = VISIBILITY.map(async ({ subjectType }): Promise<[string, ReadersOf]> => {
    const subjects = new Set(events.filter((event) => event.subjectType === subjectType).map(subjectIdOf));
    if (subjects.size === 0) return [subjectType, new Map()];
    const found = await findSubjectReaders(database, subjectType, org, [...subjects], userIds);
    const readers = Map.groupBy(found, subjectIdOf);
    const idsOf = (subjectId: number) => new Set(readers.get(subjectId)?.map(({ userId }) => userId));
    return [subjectType, new Map([...subjects].map((id) => [id, idsOf(id)]))];
  });
  const usableIn = CREDENTIAL_TABLES.map(async (table) => {
    const ids = credentials.filter((each) => each.table === table).map(({ id }) => id);
    const found = await findUsableCredentials[table](database, { org, ids });
    return [table, new Set(found.map(({ id }) => id))] as const;
  });
  const [people, known, usable, ended, apps] = await Promise.all([
    findPresent(database, { org, ids: userIds }),
    Promise.all(ruled),
    Promise.all(usableIn),
    findEndedSessions(database, { org, ids: sessionIds }),
    findAppScopes(database, appIds),
  ]);
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  const usableIds = new Map(usable);
  const readersOf = new Map(known);
  const scopes = new Map(apps.map((app) => [app.id, app.scopes]));
  const endedIds = new Set(ended.map(({ id }) => id));
  return {
    /** The current role of a person; undefined for removed people. */
    roleOf: (userId: number): Role | undefined => roles.get(userId),
    /** Whether an API key, a client certificate or a grant has not been revoked. */
    isUsable: ({ table, id }: Credential): boolean => usableIds.get(table)?.has(id) === true,
    /** The scopes that an app may use now. */
    scopesOf: (appId: number): readonly string[] => scopes.get(appId) ?? [],
    /** Whether a session was ended, and its access tokens with it. */
    hasEnded: (sessionId: number): boolean => endedIds.has(sessionId),
    /** @param reader the caller, limited to the current role of its person: an older token may have a lower one. */
    sees({ readerId, role }: Reader, { subjectType, subjectId }: EventRow): boolean {
      const readers = readersOf.get(subjectType);
      const isOpen = !readers || seesAll.get(subjectType) === role;
      return roles.has(readerId) && (isOpen || readers.get(subjectId)?.has(readerId) === true);
    },
  };
}

const seesAll: ReadonlyMap<string, Role> = new Map(
  VISIBILITY.map((rule) => [rule.subjectType, rule.seesAll]),
);

const subjectIdOf = ({ subjectId }: { readonly subjectId: number }) => subjectId;
