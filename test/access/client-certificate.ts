/** Access to client certificates. */
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';

const MUTATION = `mutation ($dns: String!) {
  createClientCertificate(input: { name: "new", match: { sanDns: $dns }, scopes: ["read:orders"] }) { id }
}`;

const WISH = { name: 'new', scopes: ['read:orders'] };

export const graph: Rules<GraphCall> = {
  'Query.clientCertificate': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('clientCertificate', 'query ($id: ID!) { clientCertificate(id: $id) { id name } }'),
  ],
  'Query.clientCertificates': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ clientCertificates { nodes { id } } }'),
  ],
  'Mutation.createClientCertificate': [
    'ok | role | role | ok | scope | expired | sign in',
    (fixtures) => ({ document: MUTATION, variables: { dns: fixtures.hostName() } }),
  ],
  'Mutation.revokeClientCertificate': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('clientCertificate', 'mutation ($id: ID!) { revokeClientCertificate(id: $id) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/client-certificates': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
  'POST /v1/client-certificates': [
    '201 | 403 | 403 | 201 | 403 | 401 | 401',
    (fixtures) => ({ body: { ...WISH, match: { san_dns: fixtures.hostName() } } }),
  ],
  'GET /v1/client-certificates/{client_certificate_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { client_certificate_id: await fixtures.clientCertificate() } }),
  ],
  'DELETE /v1/client-certificates/{client_certificate_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { client_certificate_id: await fixtures.clientCertificate() } }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/client-certificates': async (fixtures) => {
    const body = { ...WISH, match: { san_dns: fixtures.hostName() } };
    await fixtures.create('/v1/client-certificates', body);
    return { body };
  },
};

export const texts = {
  thumbprint: 'a hash',
  sanUri: 'a URI',
  sanDns: 'a host name',
  scopes: 'names of scopes',
};
// Each name of the catalogue, once.
export const lengths = { scopes: 1024 };
export const columns = { scopes: ['read:orders'] };
