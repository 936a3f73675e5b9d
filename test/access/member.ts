/** Access to members. */
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';
import { ED, newcomer } from './shared/fixtures.ts';

export const graph: Rules<GraphCall> = {
  'Query.members': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    alone('{ members(org: "acme") { nodes { id } } }'),
  ],
  'Mutation.createMember': [
    'ok | role | role | forbidden | scope | expired | sign in',
    (fixtures) => ({
      document: 'mutation ($input: CreateMemberInput!) { createMember(org: "acme", input: $input) { id } }',
      variables: { input: newcomer(fixtures) },
    }),
  ],
  'Mutation.updateMember': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about(
      'member',
      'mutation ($id: ID!) { updateMember(org: "acme", userId: $id, input: { role: editor }) { id } }',
    ),
  ],
  'Mutation.deleteMember': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('member', 'mutation ($id: ID!) { deleteMember(org: "acme", userId: $id) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/orgs/{org}/users': [
    '200 | 200 | 200 | 403 | 403 | 401 | 401',
    () => ({ params: { org: 'acme' } }),
  ],
  'POST /v1/orgs/{org}/users': [
    '201 | 403 | 403 | 403 | 403 | 401 | 401',
    (fixtures) => ({ params: { org: 'acme' }, body: newcomer(fixtures) }),
  ],
  'PATCH /v1/orgs/{org}/users/{user_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { org: 'acme', user_id: await fixtures.member() },
      body: { role: 'editor' },
    }),
  ],
  'DELETE /v1/orgs/{org}/users/{user_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { org: 'acme', user_id: await fixtures.member() },
    }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/orgs/{org}/users': (fixtures) => ({
    params: { org: 'acme' },
    body: { ...newcomer(fixtures), email: ED.email },
  }),
  // Ada is the last administrator.
  'PATCH /v1/orgs/{org}/users/{user_id}': () => ({
    params: { org: 'acme', user_id: 1 },
    body: { role: 'viewer' },
  }),
  'DELETE /v1/orgs/{org}/users/{user_id}': () => ({ params: { org: 'acme', user_id: 1 } }),
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/orgs/{org}/users/{user_id}': [{ role: 'editor' }],
};
