/** Access to users. */
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { alone, type GraphCall, type ResourceFacts, type RouteCall, type Rules } from './shared/calls.ts';

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
  // The user is the editor, and the password stays the same.
  'Mutation.changePassword': [
    'forbidden | ok | forbidden | forbidden | forbidden | expired | sign in',
    () => ({
      document: 'mutation ($p: String!) { changePassword(userId: 2, currentPassword: $p, newPassword: $p) }',
      variables: { p: DEMO_PASSWORD },
    }),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/me': ['200 | 200 | 200 | 200 | 403 | 401 | 401', () => ({})],
  'GET /v1/users/{user_id}': ['200 | 200 | 200 | 403 | 403 | 401 | 401', () => ({ params: { user_id: 1 } })],
  'PATCH /v1/users/{user_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    () => ({ params: { user_id: 2 }, body: { name: 'Eddie' } }),
  ],
  'PUT /v1/users/{user_id}/password': [
    '403 | 204 | 403 | 403 | 403 | 401 | 401',
    () => ({
      params: { user_id: 2 },
      body: { current_password: DEMO_PASSWORD, new_password: DEMO_PASSWORD },
    }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  // The member of an app is not a person.
  'PATCH /v1/users/{user_id}': async (fixtures) => ({
    params: { user_id: await fixtures.memberOfApp() },
    body: { name: 'Eddie' },
  }),
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/users/{user_id}': [{ name: 'Edith' }],
};

export const lengths = { avatarUrl: 2048 };

export const texts = {
  currentPassword: 'any text that a user types',
  newPassword: 'any text that a user types',
};
/** The password belongs to another user. */
export const refusedFirst = { 'Mutation.changePassword': 'forbidden' };
