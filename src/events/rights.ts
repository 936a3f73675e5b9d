/** What people may see of some events in this moment, whatever their tokens said when they were made. */
import type { Role } from '../core/roles.ts';
import type { Database } from '../db/database.ts';
import {
  findPresent,
  findSubjectReaders,
  findUsableGrants,
  findUsableKeys,
} from '../db/queries/event-readers.ts';
import type { EventRow } from '../db/rows.ts';
import { VISIBILITY } from '../generated/visibility.ts';

/** Who asks. Ids are distinct. */
export interface Readers {
  readonly org: string;
  readonly userIds: readonly number[];
  readonly keyIds: readonly number[];
  readonly grantIds: readonly number[];
}

export interface Rights {
  /** The current role of a person; undefined for removed people. */
  roleOf(userId: number): Role | undefined;
  isUsable(keyId: number): boolean;
  /** Whether a grant to an app holds. */
  holds(grantId: number): boolean;
  sees(userId: number, event: EventRow): boolean;
}

/** By subject, the people who may know of it. */
type ReadersOf = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Asks for all of these readers and events together: a statement each for people, for keys, for grants, and for each kind of subject that has a
 * visibility rule, as far as there are any.
 */
export async function rightsNow(
  database: Database,
  { org, userIds, keyIds, grantIds }: Readers,
  events: readonly EventRow[],
): Promise<Rights> {
  const ruled = VISIBILITY.map(async ({ subjectType }): Promise<[string, ReadersOf]> => {
    const subjects = new Set(events.filter((event) => event.subjectType === subjectType).map(subjectIdOf));
    if (subjects.size === 0) return [subjectType, new Map()];
    const found = await findSubjectReaders(database, subjectType, org, [...subjects], userIds);
    const readers = Map.groupBy(found, subjectIdOf);
    const idsOf = (subjectId: number) => new Set(readers.get(subjectId)?.map(({ userId }) => userId));
    return [subjectType, new Map([...subjects].map((id) => [id, idsOf(id)]))];
  });
  const [people, keys, grants, ...known] = await Promise.all([
    findPresent(database, org, userIds),
    keyIds.length > 0 ? findUsableKeys(database, org, keyIds) : [],
    grantIds.length > 0 ? findUsableGrants(database, org, grantIds) : [],
    ...ruled,
  ]);
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  const usable = new Set(keys.map(({ id }) => id));
  const holding = new Set(grants.map(({ id }) => id));
  const readersOf = new Map(known);
  return {
    roleOf: (userId) => roles.get(userId),
    isUsable: (keyId) => usable.has(keyId),
    holds: (grantId) => holding.has(grantId),
    sees(userId, { subjectType, subjectId }) {
      const readers = readersOf.get(subjectType);
      return roles.has(userId) && (!readers || readers.get(subjectId)?.has(userId) === true);
    },
  };
}

const subjectIdOf = ({ subjectId }: { readonly subjectId: number }) => subjectId;
