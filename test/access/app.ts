/** Access to apps. */
import { LIMITS } from '../../src/core/limits.ts';
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';
import { APP } from './shared/fixtures.ts';

export const graph: Rules<GraphCall> = {
  'Query.app': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('app', 'query ($id: ID!) { app(id: $id) { clientId name } }'),
  ],
  'Query.apps': ['ok | role | role | ok | scope | expired | sign in', alone('{ apps { nodes { id } } }')],
  'Mutation.createApp': [
    'ok | role | role | ok | scope | expired | sign in',
    async (fixtures) => {
      await fixtures.app();
      return {
        document:
          'mutation { createApp(input: { name: "new", type: service, scopes: ["read:orders"] }) { clientSecret } }',
      };
    },
  ],
  'Mutation.updateApp': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('app', 'mutation ($id: ID!) { updateApp(id: $id, input: { name: "Renamed" }) { name } }'),
  ],
  'Mutation.deleteApp': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('app', 'mutation ($id: ID!) { deleteApp(id: $id) }'),
  ],
  'Mutation.createAppSecret': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('app', 'mutation ($id: ID!) { createAppSecret(appId: $id) { clientSecret } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/apps': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
  'POST /v1/apps': [
    '201 | 403 | 403 | 201 | 403 | 401 | 401',
    async (fixtures) => {
      await fixtures.app();
      return { body: APP };
    },
  ],
  'GET /v1/apps/{app_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { app_id: await fixtures.app() } }),
  ],
  'PATCH /v1/apps/{app_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { app_id: await fixtures.app() }, body: { name: 'Renamed' } }),
  ],
  'DELETE /v1/apps/{app_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { app_id: await fixtures.app() } }),
  ],
  'POST /v1/apps/{app_id}/secrets': [
    '201 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { app_id: await fixtures.app() } }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/apps/{app_id}/secrets': async (fixtures) => ({ params: { app_id: await fixtures.nativeApp() } }),
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/apps/{app_id}': [
    { name: 'Renamed' },
    { redirect_uris: ['https://app.example/moved'] },
    { post_logout_redirect_uris: ['https://app.example/'] },
    { scopes: ['read:docs'] },
    { token_format: 'opaque' },
    { homepage_url: 'https://app.example' },
  ],
};

export const texts = { homepageUrl: 'a URL', redirectUris: 'URLs', postLogoutRedirectUris: 'URLs' };
export const lengths = {
  clientSecret: 100,
  jwks: LIMITS.appKeysLength,
  redirectUris: LIMITS.redirectUris * LIMITS.redirectUriLength,
  postLogoutRedirectUris: LIMITS.redirectUris * LIMITS.redirectUriLength,
};
export const columns = {
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: ['https://app.example/'],
};
