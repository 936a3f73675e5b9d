import { holdStanding } from '../../src/auth/changes.ts';
import { effectiveTypes } from '../../src/auth/event-types.ts';
import { readerOf } from '../../src/auth/readers.ts';
import { ApiError } from '../../src/core/errors.ts';
import { findEvent, newestEventId, orgOfEvent } from '../../src/db/queries/events.ts';
import { feedBefore } from '../../src/db/queries/feed.ts';
import { findUser, markFeedRead } from '../../src/db/queries/users.ts';
import { logPosition } from '../../src/events/position.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/caller.ts';
import { followLog } from '../shared/follow.ts';
import { pageSize } from '../shared/lists.ts';
import { requireOwn } from '../shared/lookup.ts';
import type { ActivityNode } from '../shared/nodes.ts';
import { cursorPage } from '../shared/pages.ts';
import { readEventTypes } from './types.ts';

/** Above every id: where a list that begins with the newest starts. */
const NEWEST = Number.MAX_SAFE_INTEGER;

export const activity: Resolvers = {
  Query: {
    feed: async (_root, { first, after, types }, context) => {
      const { cursors, database } = context;
      const caller = callerOf(context);
      const reader = readerOf(caller);
      const wanted = readEventTypes(types);
      const list = ['feed', reader.org, ...(wanted ?? [])];
      const [beforeId] = after ? cursors.open(list, after) : [NEWEST];
      const size = pageSize(first);
      const page = { ...reader, beforeId: Number(beforeId), limit: size + 1 };
      // The cursor is good for what was asked, whatever has become of the caller's scopes.
      const { rows, stoppedAt } = await feedBefore(database, page, wanted, effectiveTypes(caller, wanted));
      return cursorPage<ActivityNode>(
        rows.map((row) => ({ ...row, cursor: logPosition.seal(cursors, row) })),
        size,
        ({ id }) => cursors.seal(list, [id]),
        stoppedAt === undefined ? undefined : cursors.seal(list, [stoppedAt]),
      );
    },
  },
  Mutation: {
    markFeedRead: async (_root, { eventId }, context) => {
      const caller = callerOf(context);
      if (caller.kind !== 'user') {
        throw new ApiError('forbidden', { message: 'A key has no feed of its own. Sign in to mark yours.' });
      }
      const { org, userId } = caller;
      const upTo =
        eventId == null
          ? await newestEventId(context.database, org)
          : (await requireOwn(context, eventId, { find: findEvent, orgOf: orgOfEvent })).id;
      return context.database.transaction(async (tx) => {
        await holdStanding(tx, caller);
        await markFeedRead(tx, org, userId, upTo);
        const person = await findUser(tx, org, userId);
        if (!person) throw new Error('A person who is present is not there.');
        return person;
      });
    },
  },
  Subscription: {
    activity: {
      subscribe: async (_root, { after, types }, context) => {
        const wanted = readEventTypes(types);
        const chosen = wanted && new Set<string>(wanted);
        return followLog(context, after, ({ type }) => chosen?.has(type) ?? true);
      },
      // The event itself is the value of the root.
      resolve: (event: ActivityNode) => event,
    },
  },
  Activity: {
    actor: ({ actorId }, _args, { loaders }) => (actorId === null ? null : loaders.user.load(actorId)),
    subject: ({ subjectType, subjectId }) => ({ type: subjectType, id: subjectId }),
  },
};
