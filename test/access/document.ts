/** Access to documents. */
import { LIMITS } from '../../src/core/limits.ts';
import { VIC } from '../support/fixtures/documents.ts';
import {
  ACME,
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';
import { DOCUMENT } from './shared/fixtures.ts';

export const graph: Rules<GraphCall> = {
  'Query.document': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    about('document', 'query ($id: ID!) { document(org: "acme", id: $id) { id title } }'),
  ],
  'Query.documents': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    alone('{ documents(org: "acme") { nodes { id } } }'),
  ],
  'Query.share': [
    'ok | ok | forbidden | forbidden | scope | expired | sign in',
    about(
      'sharedDocument',
      'query ($id: ID!) { share(org: "acme", documentId: $id, userId: 3) { relation } }',
    ),
  ],
  'Mutation.createDocument': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    () => ({
      document:
        'mutation ($input: CreateDocumentInput!) { createDocument(org: "acme", input: $input) { id } }',
      variables: { input: DOCUMENT },
    }),
  ],
  'Mutation.updateDocument': [
    'ok | ok | forbidden | forbidden | scope | expired | sign in',
    about(
      'document',
      'mutation ($id: ID!) { updateDocument(org: "acme", id: $id, input: { title: "New" }) { version } }',
    ),
  ],
  'Mutation.deleteDocument': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('document', 'mutation ($id: ID!) { deleteDocument(org: "acme", id: $id) }'),
  ],
  'Mutation.createShare': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about(
      'document',
      'mutation ($id: ID!) { createShare(org: "acme", documentId: $id, input: { userId: 3, relation: reader }) { relation } }',
    ),
  ],
  'Mutation.deleteShare': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about('sharedDocument', 'mutation ($id: ID!) { deleteShare(org: "acme", documentId: $id, userId: 3) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/orgs/{org}/docs': ['200 | 200 | 200 | 403 | 403 | 401 | 401', () => ({ params: ACME })],
  'POST /v1/orgs/{org}/docs': [
    '201 | 201 | 403 | 403 | 403 | 401 | 401',
    () => ({ params: ACME, body: DOCUMENT }),
  ],
  'GET /v1/orgs/{org}/docs/{doc_id}': [
    '200 | 200 | 200 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.document() },
    }),
  ],
  'PUT /v1/orgs/{org}/docs/{doc_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.document() },
      body: { ...DOCUMENT, title: 'Replaced' },
    }),
  ],
  'PATCH /v1/orgs/{org}/docs/{doc_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.document() },
      body: { title: 'New' },
    }),
  ],
  'DELETE /v1/orgs/{org}/docs/{doc_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.document() },
    }),
  ],
  'GET /v1/orgs/{org}/docs/{doc_id}/shares': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.sharedDocument() },
    }),
  ],
  'POST /v1/orgs/{org}/docs/{doc_id}/shares': [
    '201 | 201 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.document() },
      body: { user_id: VIC, relation: 'reader' },
    }),
  ],
  'GET /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.sharedDocument(), user_id: VIC },
    }),
  ],
  'DELETE /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}': [
    '204 | 204 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { ...ACME, doc_id: await fixtures.sharedDocument(), user_id: VIC },
    }),
  ],
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/orgs/{org}/docs/{doc_id}': [
    { title: 'New' },
    { body: 'Who may now.' },
    { classification: 'confidential' },
  ],
};

export const lists = { 'Document.shares': LIMITS.documentShares };
export const texts = { body: 'a text of several lines', q: 'words to search for' };
