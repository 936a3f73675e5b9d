/** The feed: new events as they happen, followed by past ones. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { sentence } from './format.js';
import { html } from './html.js';
import { useList } from './list.js';
import { onActivity } from './live.js';
import { Link, Problem, Section, Skeleton, Time } from './ui.js';

export const FEED = `query Feed($first: Int, $after: String, $types: [String!]) {
  feed(first: $first, after: $after, types: $types) {
    nodes { id type cursor actorId actor { id name } subjectType subjectId data createdAt }
    endCursor hasNextPage
  }
}`;

/** Maximum number of live events to keep in addition to the events that were read. */
const MAX_LIVE = 5000;

/** Whether an event type is one of the wanted types; true if none are given. */
const isWanted = (types, type) => !types || types.includes(type);

/**
 * Returns the feed like `useList`, preceded by live events, whose rows have `isNew`. An event that is both live and read appears
 * only once.
 */
export function useFeed({ types, size = 100 } = {}) {
  const list = useList(FEED, { types }, (data) => data.feed, { size });
  const { again } = list;
  const [received, setReceived] = useState({});
  /** Events belong to the list that was shown when they arrived, which its `again` identifies: a later one reads them. */
  const liveIn = (of) => (of.again === again ? of.events : []);
  useLayoutEffect(
    () =>
      onActivity((event) => {
        if (event.subjectType === '*') again();
        else if (isWanted(types, event.type))
          setReceived((former) => ({
            again,
            events: [{ ...event, isNew: true }, ...liveIn(former)].slice(0, MAX_LIVE),
          }));
      }),
    [again],
  );
  const live = liveIn(received);
  const ids = new Set(live.map(({ id }) => id));
  const rows = [...live, ...list.rows.filter(({ id }) => !ids.has(id))];
  // Newest first: a list that was read again after lost events has newer ones than the live events.
  return { ...list, rows: rows.toSorted((a, b) => b.id - a.id) };
}

/** The pages of subjects, by subject type. */
const PLACES = {
  order: 'orders',
  charge: 'charges',
  document: 'documents',
  webhook: 'webhooks',
  product: 'products',
  user: 'people',
};
export const pageOf = ({ subjectType, subjectId }) =>
  PLACES[subjectType] && `/${PLACES[subjectType]}/${subjectId}`;

export const subjectOf = ({ subjectType, subjectId }) => `${sentence(subjectType)} ${subjectId}`;

export const nameOf = ({ actor }) => actor?.name ?? 'The server';

/**
 * @param feed the result of `useFeed`.
 * @param most the maximum number of lines.
 */
export function ActivityList({ feed, most }) {
  const { rows, isLoading, error, again } = feed;
  if (error && rows.length === 0) return html`<${Problem} error=${error} again=${again} />`;
  if (isLoading) return html`<${Skeleton} lines=${most} />`;
  if (rows.length === 0) return html`<p class="soft">No events yet. Place an order, and it appears here.</p>`;
  return html`
    <ol class="lines activity" aria-label="Newest events">
      ${rows.slice(0, most).map(
        (event) => html`<li key=${event.id} class=${event.isNew ? 'new' : ''}>
          <${Link} to="/events/${event.id}">${subjectOf(event)} ${event.type.split('.')[1].replaceAll('_', ' ')}<//>
          <span class="soft">${nameOf(event)}</span>
          <${Time} at=${event.createdAt} />
        </li>`,
      )}
    </ol>
  `;
}

/** The events of one row, newest first. */
export const History = ({ of }) => html`
  <${Section} title="History">
    <ol class="lines">
      ${of.map(
        (event) => html`<li key=${event.id}>
          <${Link} to="/events/${event.id}">${sentence(event.type)}<//><span class="soft">${nameOf(event)}</span><${Time} at=${event.createdAt} />
        </li>`,
      )}
    </ol>
  <//>
`;
