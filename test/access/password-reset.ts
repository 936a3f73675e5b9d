/** Access to password resets. */
import type { GraphCall, RouteCall, Rules } from './shared/calls.ts';

const PASSWORD = 'blue harbour lantern';

export const graph: Rules<GraphCall> = {
  'Mutation.requestPasswordReset': [
    'ok | ok | ok | ok | ok | ok | ok',
    (fixtures) => ({
      document: 'mutation ($email: String!) { requestPasswordReset(email: $email) { expiresIn } }',
      variables: { email: fixtures.email() },
    }),
  ],
  'Mutation.resetPassword': [
    'ok | ok | ok | ok | ok | ok | ok',
    async (fixtures) => ({
      document:
        'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }',
      variables: { token: await fixtures.resetToken(), password: PASSWORD },
    }),
  ],
};

export const routes: Rules<RouteCall> = {
  'POST /v1/auth/password-resets': [
    '202 | 202 | 202 | 202 | 202 | 202 | 202',
    (fixtures) => ({ body: { email: fixtures.email() } }),
  ],
  'PUT /v1/auth/password-resets/{token}': [
    '204 | 204 | 204 | 204 | 204 | 204 | 204',
    async (fixtures) => ({ params: { token: await fixtures.resetToken() }, body: { password: PASSWORD } }),
  ],
};

export const texts = { token: 'a token of the server' };
