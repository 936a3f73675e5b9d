/** Calls the operations on documents of acme through REST and GraphQL, with outcomes in a shared format. */
import type { TestApp } from '../support/app.ts';
import type { Answer, ErrorBody, GraphQLBody, Sender } from '../support/client.ts';
import { DOCS, pathOf } from '../support/fixtures/documents.ts';
import type { Document } from '../support/response-bodies.ts';

/** The outcome of a request through either door: `done`, or the error code. */
type Outcome = string;

/** The operations on documents of acme through one door. */
interface DocumentDoor {
  readonly name: 'REST' | 'GraphQL';
  read(app: TestApp, id: number, as: Sender): Promise<Outcome>;
  update(app: TestApp, id: number, as: Sender, changes: Readonly<Record<string, unknown>>): Promise<Outcome>;
  remove(app: TestApp, id: number, as: Sender): Promise<Outcome>;
  share(app: TestApp, id: number, as: Sender, userId: number, relation: string): Promise<Outcome>;
  unshare(app: TestApp, id: number, as: Sender, userId: number): Promise<Outcome>;
  shares(app: TestApp, id: number, as: Sender): Promise<Outcome>;
  /** Returns the ids of up to 100 documents in the list. */
  list(app: TestApp, as: Sender): Promise<readonly number[]>;
}

function ofRest({ status, body }: Answer<unknown>): Outcome {
  // Only the bodies of errors have this member.
  return status < 300 ? 'done' : (body as ErrorBody).error.code;
}

function ofGraph({ body }: Answer<GraphQLBody<unknown>>): Outcome {
  const [error] = body.errors ?? [];
  if (error) return error.extensions.code;
  const isMissing = Object.values(body.data ?? {}).every((value) => value === null);
  // For null, REST returns not_found.
  return isMissing ? 'not_found' : 'done';
}

const path = (id: number) => pathOf({ id });

const rest: DocumentDoor = {
  name: 'REST',
  read: async (app, id, as) => ofRest(await app.get(path(id), { as })),
  update: async (app, id, as, changes) => ofRest(await app.patch(path(id), { as, body: changes })),
  remove: async (app, id, as) => ofRest(await app.delete(path(id), { as })),
  share: async (app, id, as, userId, relation) =>
    ofRest(await app.post(`${path(id)}/shares`, { as, body: { user_id: userId, relation } })),
  unshare: async (app, id, as, userId) => ofRest(await app.delete(`${path(id)}/shares/${userId}`, { as })),
  shares: async (app, id, as) => ofRest(await app.get(`${path(id)}/shares`, { as })),
  list: async (app, as) => {
    const { body } = await app.get<{ data: Document[] }>(`${DOCS}?limit=100`, { as });
    return body.data.map((document) => document.id);
  },
};

const graph: DocumentDoor = {
  name: 'GraphQL',
  read: async (app, id, as) =>
    ofGraph(await app.graphql('query ($id: ID!) { document(org: "acme", id: $id) { id } }', { id }, { as })),
  update: async (app, id, as, changes) =>
    ofGraph(
      await app.graphql(
        'mutation ($id: ID!, $c: UpdateDocumentInput!) { updateDocument(org: "acme", id: $id, input: $c) { id } }',
        { id, c: changes },
        { as },
      ),
    ),
  remove: async (app, id, as) =>
    ofGraph(
      await app.graphql('mutation ($id: ID!) { deleteDocument(org: "acme", id: $id) }', { id }, { as }),
    ),
  share: async (app, id, as, userId, relation) =>
    ofGraph(
      await app.graphql(
        'mutation ($id: ID!, $s: CreateShareInput!) { createShare(org: "acme", documentId: $id, input: $s) { userId } }',
        { id, s: { userId, relation } },
        { as },
      ),
    ),
  unshare: async (app, id, as, userId) =>
    ofGraph(
      await app.graphql(
        'mutation ($id: ID!, $u: ID!) { deleteShare(org: "acme", documentId: $id, userId: $u) }',
        { id, u: userId },
        { as },
      ),
    ),
  shares: async (app, id, as) =>
    ofGraph(
      await app.graphql(
        'query ($id: ID!) { document(org: "acme", id: $id) { shares { userId } } }',
        { id },
        { as },
      ),
    ),
  list: async (app, as) => {
    const document = '{ documents(org: "acme", first: 100) { nodes { id } } }';
    const { body } = await app.graphql<{ documents: { nodes: { id: string }[] } }>(document, {}, { as });
    return (body.data?.documents.nodes ?? []).map(({ id }) => Number(id));
  },
};

/** The same operations through each door. */
export const DOORS: readonly DocumentDoor[] = [rest, graph];
