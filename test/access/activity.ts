/** Access to the feed. */
import { alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.feed': [
    'ok | ok | ok | ok | scope | expired | sign in',
    alone('{ feed(first: 3) { nodes { id } } }'),
  ],
  'Query.event': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    alone('{ event(id: 7) { id type } }'),
  ],
  'Mutation.markFeedRead': [
    'ok | ok | ok | ok | scope | expired | sign in',
    alone('mutation { markFeedRead { id } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /feed': ['200 | 200 | 200 | 200 | 403 | 401 | 401', () => ({})],
  'GET /feed/{event_id}': ['200 | 200 | 200 | 403 | 403 | 401 | 401', () => ({ params: { event_id: 7 } })],
};

export const lengths = {
  cursor: 512,
  // Titles, names and numbers of changed objects, as passed to `record`. The text of a document is not
  // included.
  data: 2048,
  subjectType: 100,
};

/** Event types are those of the catalogue, and subjects those with a type in the schema. */
export const columns = { 'events.type': 'order.created', subjectType: 'order' };
