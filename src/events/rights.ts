/** What people may see of some events in this moment, whatever their tokens said when they were made. */

import type { Role } from '../core/roles.ts';
import type { Database } from '../db/database.ts';
import { findKnowers, findPresent, findUsableKeys } from '../db/queries/event-readers.ts';
import type { EventRow } from '../db/rows.ts';

/** Who asks. Ids are distinct. */
export interface Readers {
  readonly org: string;
  readonly userIds: readonly number[];
  readonly keyIds: readonly number[];
}

export interface Rights {
  /** The role a person has now; undefined for somebody who has left. */
  roleOf(userId: number): Role | undefined;
  isUsable(keyId: number): boolean;
  sees(userId: number, event: EventRow): boolean;
}

/** Asks for all of these readers and events together: a statement each for people, keys and documents, as far as there are any. */
export async function rightsNow(
  database: Database,
  { org, userIds, keyIds }: Readers,
  events: readonly EventRow[],
): Promise<Rights> {
  const documentIds = [...new Set(events.filter(isOfDocument).map(({ subjectId }) => subjectId))];
  const [people, keys, knowers] = await Promise.all([
    findPresent(database, org, userIds),
    keyIds.length > 0 ? findUsableKeys(database, org, keyIds) : [],
    documentIds.length > 0 ? findKnowers(database, org, documentIds, userIds) : [],
  ]);
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  const usable = new Set(keys.map(({ id }) => id));
  const known = new Map<number, Set<number>>(documentIds.map((id) => [id, new Set()]));
  for (const { documentId, userId } of knowers) known.get(documentId)?.add(userId);
  return {
    roleOf: (userId) => roles.get(userId),
    isUsable: (keyId) => usable.has(keyId),
    sees: (userId, event) =>
      roles.has(userId) && (!isOfDocument(event) || known.get(event.subjectId)?.has(userId) === true),
  };
}

const isOfDocument = ({ subjectType }: EventRow) => subjectType === 'document';
