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
  'Query.invitation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('invitation', 'query ($id: ID!) { invitation(org: "acme", id: $id) { email } }'),
  ],
  'Query.invitations': [
    'ok | role | role | forbidden | scope | expired | sign in',
    alone('{ invitations(org: "acme") { nodes { id status } } }'),
  ],
  'Query.receivedInvitation': [
    'ok | ok | ok | ok | ok | ok | ok',
    async (fixtures) => ({
      document: 'query ($token: String!) { receivedInvitation(token: $token) { organisation } }',
      variables: { token: await fixtures.invitationToken() },
    }),
  ],
  'Mutation.createInvitation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    (fixtures) => ({
      document:
        'mutation ($email: String!) { createInvitation(org: "acme", input: { email: $email, role: viewer }) { id } }',
      variables: { email: fixtures.email() },
    }),
  ],
  'Mutation.revokeInvitation': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('invitation', 'mutation ($id: ID!) { revokeInvitation(org: "acme", id: $id) }'),
  ],
  'Mutation.acceptInvitation': [
    'ok | ok | ok | ok | ok | ok | ok',
    async (fixtures) => ({
      document:
        'mutation ($token: String!, $name: String!, $password: String!) { acceptInvitation(token: $token, name: $name, password: $password) { id } }',
      variables: { token: await fixtures.invitationToken(), ...ACCEPTANCE },
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
    (fixtures) => ({ params: { org: 'acme' }, body: { email: fixtures.email(), role: 'viewer' } }),
  ],
  'GET /v1/orgs/{org}/invitations/{invitation_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { org: 'acme', invitation_id: await fixtures.invitation() } }),
  ],
  'DELETE /v1/orgs/{org}/invitations/{invitation_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { org: 'acme', invitation_id: await fixtures.invitation() } }),
  ],
  'GET /v1/auth/invitations/{token}': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    async (fixtures) => ({ params: { token: await fixtures.invitationToken() } }),
  ],
  'PUT /v1/auth/invitations/{token}': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    async (fixtures) => ({ params: { token: await fixtures.invitationToken() }, body: ACCEPTANCE }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/orgs/{org}/invitations': () => ({
    params: { org: 'acme' },
    body: { email: ED.email, role: 'viewer' },
  }),
  'DELETE /v1/orgs/{org}/invitations/{invitation_id}': async (fixtures) => ({
    params: { org: 'acme', invitation_id: await fixtures.acceptedInvitation() },
  }),
  'PUT /v1/auth/invitations/{token}': async (fixtures) => {
    const person = newcomer(fixtures);
    const token = await fixtures.invitationToken(person.email);
    await fixtures.create('/v1/orgs/acme/users', person);
    return { params: { token }, body: ACCEPTANCE };
  },
};

export const lengths = { inviter: 100, organisation: 100 };
