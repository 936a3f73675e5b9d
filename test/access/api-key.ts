/** Access to API keys. */
import { about, alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.apiKey': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('apiKey', 'query ($id: ID!) { apiKey(id: $id) { id name } }'),
  ],
  'Query.apiKeys': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ apiKeys { nodes { id } } }'),
  ],
  'Mutation.createApiKey': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('mutation { createApiKey(input: { name: "new", scopes: ["read:orders"] }) { key } }'),
  ],
  'Mutation.revokeApiKey': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('apiKey', 'mutation ($id: ID!) { revokeApiKey(id: $id) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/api-keys': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
  'POST /v1/api-keys': [
    '201 | 403 | 403 | 201 | 403 | 401 | 401',
    () => ({ body: { name: 'new', scopes: ['read:orders'] } }),
  ],
  'GET /v1/api-keys/{api_key_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { api_key_id: await fixtures.apiKey() } }),
  ],
  'DELETE /v1/api-keys/{api_key_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { api_key_id: await fixtures.apiKey() } }),
  ],
};

export const texts = { scopes: 'names of scopes' };
// Each name of the catalogue, once.
export const lengths = { key: 100, prefix: 100, scopes: 1024 };
export const columns = { scopes: ['read:orders'] };
