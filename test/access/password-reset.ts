/** Access to password resets. */
import type { GraphCall, RouteCall, Rules } from './shared/calls.ts';

const PASSWORD = 'blue harbour lantern';

export const graph: Rules<GraphCall> = {
  'Mutation.requestPasswordReset': [
    'ok | ok | ok | ok | ok | ok | ok',
    (ground) => ({
      document: 'mutation ($email: String!) { requestPasswordReset(email: $email) { expiresIn } }',
      variables: { email: ground.email() },
    }),
  ],
  'Mutation.resetPassword': [
    'ok | ok | ok | ok | ok | ok | ok',
    async (ground) => ({
      document:
        'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }',
      variables: { token: await ground.resetToken(), password: PASSWORD },
    }),
  ],
};

export const routes: Rules<RouteCall> = {
  'POST /v1/auth/password-resets': [
    '202 | 202 | 202 | 202 | 202 | 202 | 202',
    (ground) => ({ body: { email: ground.email() } }),
  ],
  'PUT /v1/auth/password-resets/{token}': [
    '204 | 204 | 204 | 204 | 204 | 204 | 204',
    async (ground) => ({ params: { token: await ground.resetToken() }, body: { password: PASSWORD } }),
  ],
};

export const texts = { token: 'a token of the server' };
