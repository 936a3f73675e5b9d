import DataLoader from 'dataloader';
import { effectiveTypes } from '../../src/auth/event-types.ts';
import { readerOf } from '../../src/auth/policy.ts';
import { countUnreadEvents } from '../../src/db/queries/events.ts';
import { findUsers } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import { declareLoader, declareRowLoader } from '../shared/loaders.ts';

export const userById = declareRowLoader('user', ({ database, org }, ids) =>
  findUsers(database, { org, ids }),
);

/** The number of unread events of the caller's person, up to a limit. A request counts for at most this one. */
export const unreadEvents = declareLoader<UserRow, number, string>(({ database, caller }) => {
  const types = effectiveTypes(caller, null);
  return new DataLoader(
    (people) =>
      Promise.all(
        people.map(({ lastReadEventId }) =>
          countUnreadEvents(database, readerOf(caller), lastReadEventId, types),
        ),
      ),
    // A change may mark events as read between two reads of the same request.
    { cacheKeyFn: ({ lastReadEventId }) => String(lastReadEventId) },
  );
});
