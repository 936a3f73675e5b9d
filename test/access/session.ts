/** Access to sessions. */
import { LIMITS } from '../../src/core/limits.ts';
import { about, alone, type GraphCall, type RouteCall, type Rules, withToken } from './shared/calls.ts';
import { ED } from './shared/fixtures.ts';

export const graph: Rules<GraphCall> = {
  'Query.sessions': [
    'ok | ok | ok | ok | scope | expired | sign in',
    alone('{ sessions { nodes { id current } } }'),
  ],
  // A session of the editor.
  'Query.session': [
    'ok | ok | forbidden | forbidden | scope | expired | sign in',
    about('session', 'query ($id: ID!) { session(id: $id) { id current } }'),
  ],
  'Mutation.endSession': [
    'ok | ok | forbidden | forbidden | forbidden | expired | sign in',
    about('session', 'mutation ($id: ID!) { endSession(id: $id) }'),
  ],
  'Mutation.login': [
    'ok | ok | ok | ok | ok | ok | ok',
    () => ({
      document:
        'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { expiresIn } }',
      variables: ED,
    }),
  ],
  'Mutation.refreshSession': [
    'ok | ok | ok | ok | ok | ok | ok',
    withToken('mutation ($token: String!) { refreshSession(refreshToken: $token) { expiresIn } }'),
  ],
  'Mutation.logout': [
    'ok | ok | ok | ok | ok | ok | ok',
    withToken('mutation ($token: String!) { logout(refreshToken: $token) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/sessions': ['200 | 200 | 200 | 200 | 403 | 401 | 401', () => ({})],
  'GET /v1/sessions/{session_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { session_id: await fixtures.session() } }),
  ],
  'DELETE /v1/sessions/{session_id}': [
    '204 | 204 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { session_id: await fixtures.session() } }),
  ],
  'POST /v1/auth/login': ['200 | 200 | 200 | 200 | 200 | 200 | 200', () => ({ body: ED })],
  'POST /v1/auth/refresh': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    async (fixtures) => ({ body: { refresh_token: await fixtures.refreshToken() } }),
  ],
  'POST /v1/auth/logout': [
    '204 | 204 | 204 | 204 | 204 | 204 | 204',
    async (fixtures) => ({ body: { refresh_token: await fixtures.refreshToken() } }),
  ],
};

export const texts = {
  deviceToken: 'a token of the server',
  email: 'an address',
  password: 'any text that a user types',
  refreshToken: 'a token of the server',
};
// The address has at most the length of an IPv6 address.
export const lengths = { accessToken: LIMITS.authorizationLength, address: 45, tokenType: 10 };

/** An active session. */
export const columns = { 'sessions.expiresAt': new Date('2099-01-01T00:00:00Z') };
