/** Who may do what with the feed. */
import { alone, type GraphCall, type RouteCall, type Rules } from '../support/access-calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.feed': [
    'ok | ok | ok | ok | scope | expired | sign in',
    alone('{ feed(first: 3) { nodes { id } } }'),
  ],
  'Mutation.markFeedRead': [
    'ok | ok | ok | ok | scope | expired | sign in',
    alone('mutation { markFeedRead { id } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /feed': ['200 | 200 | 200 | 200 | 403 | 401 | 401', () => ({})],
};
