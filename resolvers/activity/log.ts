/** Parts of the log: pages of events, the history of a subject, and what a subscription follows. */
import { maySeeType } from '../../src/auth/event-types.ts';
import type { Position } from '../../src/core/cursors.ts';
import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import type { Way } from '../../src/db/dialect.ts';
import { eventsOfSubjects } from '../../src/db/queries/feed.ts';
import type { ListPart } from '../../src/db/queries/shared/looking.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { type EventType, isEventType } from '../../src/events/catalogue.ts';
import { logPosition, requireInLog } from '../../src/events/log-position.ts';
import { type Filter, Selection } from '../../src/events/selection.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { declarePartLoader } from '../shared/loaders.ts';
import { type PageArguments, pageFromNewest, type Read } from '../shared/paging.ts';

/** An event with its position in the log. */
export type ActivityNode = EventRow & { readonly cursor: string };

/** A page of events, and the position from which a stream continues it. */
type EventPage = Connection<ActivityNode> & { readonly streamCursor: string | null };

/**
 * Reads a page of a list of events, newest first. The cursor of an event is its position in the log, whichever list it is in, and
 * every list of events can continue from it: a filter omits events but keeps their order.
 *
 * @throws ApiError `invalid_cursor`.
 */
export async function pageOfEvents(
  context: Context,
  { org, list }: { readonly org: string; readonly list: Position },
  args: PageArguments,
  read: Read<EventRow>,
): Promise<EventPage> {
  const page = await pageFromNewest(context, list, args, read, logPosition.listOf(org));
  return withStreamCursor(
    page.withNodes(
      page.nodes.map((row) => ({ ...row, cursor: logPosition.seal(context.cursors, org, row) })),
    ),
  );
}

/** @param end the cursor of an empty page: the end of the log before the page was read. */
export function withStreamCursor(page: Connection<ActivityNode>, end: string | null = null): EventPage {
  const [newest] = page.nodes;
  return Object.assign(page, { streamCursor: page.hasPreviousPage ? null : (newest?.cursor ?? end) });
}

/**
 * Reads a page of the events about a subject without a visibility rule, newest first, as far as the caller's scopes allow.
 *
 * @throws ApiError `invalid_cursor`.
 */
export async function historyPage(
  context: Context,
  subjectType: 'order' | 'charge',
  subjectId: number,
  args: PageArguments,
): Promise<EventPage> {
  const caller = callerOf(context);
  const page = await pageOfEvents(
    context,
    { org: caller.org, list: ['history', caller.org, subjectType, subjectId] },
    args,
    (part, way) => historyOfSubject(context).load({ subjectType, parentId: subjectId, ...part, way }),
  );
  return withStreamCursor(page.withNodes(page.nodes.filter(({ type }) => maySeeType(caller, type))));
}

/** A part of the events about a subject, newest first: the events before `fromId`, or after it when reading backwards. */
interface HistoryOfSubject extends ListPart {
  readonly subjectType: string;
  /** The subject. */
  readonly parentId: number;
  readonly way: Way;
}

/** Returns events, which statements read newest first, in the order of a page. */
export const inReadingOrder = (rows: readonly EventRow[], way: Way): readonly EventRow[] =>
  way === 'forwards' ? rows : rows.toReversed();

/** Events about subjects without a visibility rule. One statement per kind, position, size and direction. */
const historyOfSubject = declarePartLoader(
  ({ subjectType, fromId, limit, way }: HistoryOfSubject) => `${subjectType}:${fromId}:${limit}:${way}`,
  async ({ database, org }, subjectIds, { subjectType, fromId, limit, way }) => {
    const rows = await eventsOfSubjects(database, { org, subjectType, subjectIds, fromId, limit }, way);
    return inReadingOrder(rows, way);
  },
  ({ subjectId }) => subjectId,
);

/** The problems of a filter by types: an empty list, and unknown types, which are all listed. */
export const problemsWithTypes = (
  types: readonly string[],
  isType: (type: string) => boolean,
  message: string,
): ErrorDetail[] =>
  types.length === 0
    ? [{ path: 'types', message: 'must have at least one element, or be omitted' }]
    : types.flatMap((type, index) => (isType(type) ? [] : [{ path: `types.${index}`, message }]));

/**
 * Reads a filter by event types. Returns the types sorted and without duplicates, so that equal filters have the same cursors;
 * null without a filter.
 *
 * @throws ApiError `validation_failed`.
 */
export function readEventTypes(types: readonly string[] | null | undefined): readonly EventType[] | null {
  if (types == null) return null;
  const details = problemsWithTypes(
    types,
    isEventType,
    'must be an event type, such as order.created; only webhooks accept patterns',
  );
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return [...new Set(types.filter(isEventType))].sort();
}

/**
 * Selects the part of the caller's log that a subscription follows, starting at the cursor of the client or its transport.
 *
 * @param lists lists of the same events, whose cursors are also valid: the stream continues after their event.
 * @throws ApiError `invalid_cursor`, and `resume_expired` if events after the cursor have already been deleted, or if the log has lost
 *   the event of the cursor.
 */
export async function followLog(
  context: Context,
  after: string | null | undefined,
  filter: Partial<Filter>,
  ...lists: readonly Position[]
): Promise<Selection> {
  const { cursors, database } = context;
  const { org } = callerOf(context);
  const cursor = context.resumeAfter ?? after;
  const all = { types: null, subject: null, ...filter };
  if (cursor == null) return new Selection({ org, after: undefined, filter: all });
  const position = logPosition.open(cursors, org, cursor, ...lists);
  await requireInLog(database, cursors, org, position);
  return new Selection({ org, after: position, filter: all });
}
