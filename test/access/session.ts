/** Who may do what with sessions. */
import { type GraphCall, type RouteCall, type Rules, withToken } from '../support/access-calls.ts';
import { ED } from '../support/access-ground.ts';

export const graph: Rules<GraphCall> = {
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
  'POST /v1/auth/login': ['200 | 200 | 200 | 200 | 200 | 200 | 200', () => ({ body: ED })],
  'POST /v1/auth/refresh': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    async (ground) => ({ body: { refresh_token: await ground.refreshToken() } }),
  ],
  'POST /v1/auth/logout': [
    '204 | 204 | 204 | 204 | 204 | 204 | 204',
    async (ground) => ({ body: { refresh_token: await ground.refreshToken() } }),
  ],
};
