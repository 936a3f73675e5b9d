/** Access to installations. */
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.installation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('installation', 'query ($id: ID!) { installation(id: $id) { clientId role } }'),
  ],
  'Query.installations': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ installations { nodes { id } } }'),
  ],
  'Mutation.createInstallation': [
    'ok | role | role | ok | scope | expired | sign in',
    async (fixtures) => ({
      document:
        'mutation ($id: String!) { createInstallation(input: { clientId: $id, scopes: ["read:orders"], role: viewer }) { id } }',
      variables: { id: await fixtures.foreignApp() },
    }),
  ],
  'Mutation.deleteInstallation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('installation', 'mutation ($id: ID!) { deleteInstallation(id: $id) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/installations': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
  'POST /v1/installations': [
    '201 | 403 | 403 | 201 | 403 | 401 | 401',
    async (fixtures) => ({
      body: { client_id: await fixtures.foreignApp(), scopes: ['read:orders'], role: 'viewer' },
    }),
  ],
  'GET /v1/installations/{installation_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { installation_id: await fixtures.installation() } }),
  ],
  'DELETE /v1/installations/{installation_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { installation_id: await fixtures.installation() } }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/installations': async (fixtures) => {
    const body = { client_id: await fixtures.foreignApp(), scopes: ['read:orders'], role: 'viewer' };
    await fixtures.create('/v1/installations', body);
    return { body };
  },
};

export const lengths = { publisher: 100 };
export const texts = { clientId: 'the client id of an app' };
