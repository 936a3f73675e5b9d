import DataLoader from 'dataloader';
import { effectiveTypes } from '../../src/auth/event-types.ts';
import { countUnreadEvents } from '../../src/db/queries/events.ts';
import { findUser, findUsers, orgOfUser } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import { declareLoader, declareRowLoader } from '../shared/loaders.ts';
import type { Lookup } from '../shared/lookup.ts';

export const users: Lookup<UserRow> = { find: findUser, orgOf: orgOfUser };

export const userById = declareRowLoader('user', ({ database, org }, ids) =>
  findUsers(database, { org, ids }),
);

/** The number of unread events, up to a limit. It is shown only to the caller, so a request counts for at most one person. */
export const unreadEvents = declareLoader<UserRow, number, string>(({ database, caller }) => {
  const types = effectiveTypes(caller, null);
  return new DataLoader(
    (people) =>
      Promise.all(
        people.map(({ org, id, role, lastReadEventId }) =>
          countUnreadEvents(database, { org, readerId: id, role }, lastReadEventId, types),
        ),
      ),
    { cacheKeyFn: ({ id, role, lastReadEventId }) => `${id}:${role}:${lastReadEventId}` },
  );
});
