import { holdRights } from '../../src/auth/changes.ts';
import { effectiveTypes, maySeeType } from '../../src/auth/event-types.ts';
import { readerOf } from '../../src/auth/policy.ts';
import type { Position } from '../../src/core/cursors.ts';
import { ApiError } from '../../src/core/errors.ts';
import { events, newestEventId } from '../../src/db/queries/events.ts';
import { feedBefore, findVisibleEvent } from '../../src/db/queries/feed.ts';
import { markFeedRead, users } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import type { EventType } from '../../src/events/catalogue.ts';
import { logEnd, logPosition } from '../../src/events/log-position.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, requireOwn } from '../shared/lookup.ts';
import { userById } from '../user/loaders.ts';
import {
  type ActivityNode,
  followLog,
  historyPage,
  pageOfEvents,
  readEventTypes,
  withStreamCursor,
} from './log.ts';

export type ActorNode = UserRow;

export interface SubjectNode {
  readonly type: string;
  readonly id: number;
}

/** The list that cursors of the feed's pages belong to. */
const feedOf = (org: string, types: readonly EventType[] | null): Position => ['feed', org, ...(types ?? [])];

export const resolvers: Resolvers = {
  Query: {
    event: async (_root, { id }, context) => {
      const caller = callerOf(context);
      const row = await findOwn(context, id, {
        find: (database, _org, eventId) => findVisibleEvent(database, readerOf(caller), eventId),
        orgOf: events.orgOf,
      });
      return row && maySeeType(caller, row.type)
        ? { ...row, cursor: logPosition.seal(context.cursors, row.org, row) }
        : null;
    },
    feed: async (_root, { types, ...page }, context) => {
      const { database } = context;
      const caller = callerOf(context);
      const reader = readerOf(caller);
      const wanted = readEventTypes(types);
      const { org } = reader;
      // Cursors are bound to the requested types, so that they stay valid when the caller's scopes change.
      const list = feedOf(org, wanted);
      const visible = effectiveTypes(caller, wanted);
      const read = () =>
        pageOfEvents(context, { org, list }, page, (part, way) =>
          feedBefore(database, { ...reader, ...part }, wanted, visible, way),
        );
      const found = await read();
      if (found.nodes.length > 0 || found.hasPreviousPage) return found;
      // A stream continues an empty feed at an end of the log that was read before the page, so that it misses no event.
      const end = await logEnd(database, org);
      return withStreamCursor(await read(), logPosition.seal(context.cursors, org, end));
    },
  },
  Mutation: {
    markFeedRead: async (_root, { eventId }, context) => {
      const caller = callerOf(context);
      if (caller.kind !== 'user') {
        throw new ApiError('forbidden', {
          message: 'Only people can mark events as read. Send the access token of a sign-in.',
        });
      }
      const { org, userId } = caller;
      const upTo =
        eventId == null
          ? await newestEventId(context.database, org)
          : (await requireOwn(context, eventId, events)).id;
      return context.database.transaction(async (tx) => {
        await holdRights(tx, caller);
        await markFeedRead(tx, { org, id: userId, lastReadEventId: upTo });
        const person = await users.find(tx, org, userId);
        if (!person) throw new Error('The person of an authenticated caller was not found.');
        return person;
      });
    },
  },
  Subscription: {
    activity: {
      subscribe: async (_root, { after, types }, context) => {
        const wanted = readEventTypes(types);
        return followLog(context, after, { types: wanted }, feedOf(callerOf(context).org, wanted));
      },
      // The root value is the event itself.
      resolve: (event: ActivityNode) => event,
    },
  },
  Order: {
    history: ({ id }, args, context) => historyPage(context, 'order', id, args),
  },
  Charge: {
    history: ({ id }, args, context) => historyPage(context, 'charge', id, args),
  },
  Activity: {
    actor: ({ actorId }, _args, context) => (actorId === null ? null : userById(context).load(actorId)),
    subject: ({ subjectType, subjectId }) => ({ type: subjectType, id: subjectId }),
  },
};
