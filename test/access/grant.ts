/** Access to grants. Those of other users require an administrator. */
import { about, alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.grant': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('grant', 'query ($id: ID!) { grant(id: $id) { appName } }'),
  ],
  'Query.grants': ['ok | ok | ok | ok | scope | expired | sign in', alone('{ grants { nodes { id } } }')],
  'Mutation.revokeGrant': [
    'ok | forbidden | forbidden | forbidden | forbidden | expired | sign in',
    about('grant', 'mutation ($id: ID!) { revokeGrant(id: $id) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/grants': ['200 | 200 | 200 | 200 | 403 | 401 | 401', () => ({})],
  'GET /v1/grants/{grant_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { grant_id: await fixtures.grant() } }),
  ],
  'DELETE /v1/grants/{grant_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { grant_id: await fixtures.grant() } }),
  ],
};

// The name of an app, whose length is limited when it is set.
export const lengths = { appName: 100 };
