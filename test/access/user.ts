/** Who may do what with people. */
import { alone, type GraphCall, type RouteCall, type Rules } from '../support/access-calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.me': ['ok | ok | ok | ok | scope | expired | sign in', alone('{ me { id name } }')],
  'Query.user': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    alone('{ user(id: 1) { id name } }'),
  ],
  'Mutation.updateUser': [
    'ok | ok | forbidden | forbidden | forbidden | expired | sign in',
    alone('mutation { updateUser(id: 2, input: { name: "Eddie" }) { id } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/users/{user_id}': ['200 | 200 | 200 | 403 | 403 | 401 | 401', () => ({ params: { user_id: 1 } })],
  'PATCH /v1/users/{user_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    () => ({ params: { user_id: 2 }, body: { name: 'Eddie' } }),
  ],
};
