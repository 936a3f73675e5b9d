/** Access to invitations. */
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';
import { ED, newcomer } from './shared/fixtures.ts';

const ACCEPTANCE = { name: 'Nia Roth', password: 'blue harbour lantern' };

export const graph: Rules<GraphCall> = {
  'Query.invitations': [
    'ok | role | role | forbidden | scope | expired | sign in',
    alone('{ invitations(org: "acme") { nodes { id status } } }'),
  ],
  'Query.receivedInvitation': [
    'ok | ok | ok | ok | ok | ok | ok',
    async (ground) => ({
      document: 'query ($token: String!) { receivedInvitation(token: $token) { organisation } }',
      variables: { token: await ground.invitationToken() },
    }),
  ],
  'Mutation.createInvitation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    (ground) => ({
      document:
        'mutation ($email: String!) { createInvitation(org: "acme", input: { email: $email, role: viewer }) { id } }',
      variables: { email: ground.email() },
    }),
  ],
  'Mutation.revokeInvitation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('invitation', 'mutation ($id: ID!) { revokeInvitation(org: "acme", id: $id) }'),
  ],
  'Mutation.acceptInvitation': [
    'ok | ok | ok | ok | ok | ok | ok',
    async (ground) => ({
      document:
        'mutation ($token: String!, $name: String!, $password: String!) { acceptInvitation(token: $token, name: $name, password: $password) { id } }',
      variables: { token: await ground.invitationToken(), ...ACCEPTANCE },
    }),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/orgs/{org}/invitations': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    () => ({ params: { org: 'acme' } }),
  ],
  'POST /v1/orgs/{org}/invitations': [
    '201 | 403 | 403 | 403 | 403 | 401 | 401',
    (ground) => ({ params: { org: 'acme' }, body: { email: ground.email(), role: 'viewer' } }),
  ],
  'DELETE /v1/orgs/{org}/invitations/{invitation_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (ground) => ({ params: { org: 'acme', invitation_id: await ground.invitation() } }),
  ],
  'GET /v1/auth/invitations/{token}': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    async (ground) => ({ params: { token: await ground.invitationToken() } }),
  ],
  'PUT /v1/auth/invitations/{token}': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    async (ground) => ({ params: { token: await ground.invitationToken() }, body: ACCEPTANCE }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/orgs/{org}/invitations': () => ({
    params: { org: 'acme' },
    body: { email: ED.email, role: 'viewer' },
  }),
  'DELETE /v1/orgs/{org}/invitations/{invitation_id}': async (ground) => ({
    params: { org: 'acme', invitation_id: await ground.acceptedInvitation() },
  }),
  'PUT /v1/auth/invitations/{token}': async (ground) => {
    const person = newcomer(ground);
    const token = await ground.invitationToken(person.email);
    await ground.create('/v1/orgs/acme/users', person);
    return { params: { token }, body: ACCEPTANCE };
  },
};

export const lengths = { inviter: 100, organisation: 100 };
