/** Documents of acme: writing and sharing them, and what each door says of them. */
import { documents as demoDocuments } from '../../src/cli/demo/data.ts';
import type { TestApp } from './app.ts';
import type { Answer, ErrorBody, GraphQLBody, Sender } from './client.ts';
import type { Document } from './shapes.ts';

export const DOCS = '/v1/orgs/acme/docs';
export const pathOf = ({ id }: Pick<Document, 'id'>) => `${DOCS}/${id}`;

/** The demo's editor and viewer, as routes name them. */
export const ED = 2;
export const VIC = 3;

/** What a document says that says nothing special. */
export const NOTES = { title: 'Notes', body: 'Some notes.' };

/** What a client of a route sees of a document of the demo. */
export function demoDocument(id: number): Document {
  const row = demoDocuments.find((document) => document.id === id);
  if (!row) throw new Error(`The demo has no document ${id}.`);
  const { org, title, body, classification, authorId, createdAt } = row;
  const at = createdAt.toISOString();
  return { id, org, title, body, classification, author_id: authorId, created_at: at, updated_at: at };
}

export interface NewDocument {
  readonly title: string;
  readonly body: string;
  readonly classification?: Document['classification'];
}

/** Has somebody of acme write a document. */
export async function writeDocument(
  app: TestApp,
  as: Sender = 'ada',
  document: Partial<NewDocument> = {},
): Promise<Document> {
  const body = { ...NOTES, ...document };
  const answer = await app.post<Document>(DOCS, { as, body });
  if (answer.status !== 201) throw new Error(`No document: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Has ada share a document of acme's. */
export async function shareDocument(
  app: TestApp,
  id: number,
  userId: number,
  relation: 'reader' | 'writer',
): Promise<void> {
  const answer = await app.post(`${pathOf({ id })}/shares`, {
    as: 'ada',
    body: { user_id: userId, relation },
  });
  if (answer.status !== 201) throw new Error(`No share: ${answer.status} ${answer.text}`);
}

/** Has ada withdraw a share of a document of acme's. */
export async function unshareDocument(app: TestApp, id: number, userId: number): Promise<void> {
  const answer = await app.delete(`${pathOf({ id })}/shares/${userId}`, { as: 'ada' });
  if (answer.status !== 204) throw new Error(`Still shared: ${answer.status} ${answer.text}`);
}

/** What came of a request, whichever door it went through: `done`, or the code of the error. */
export type Outcome = string;

/** What can be done with one document of acme's. */
export interface DocumentDoor {
  readonly name: 'REST' | 'GraphQL';
  read(app: TestApp, id: number, as: Sender): Promise<Outcome>;
  update(app: TestApp, id: number, as: Sender, changes: Readonly<Record<string, unknown>>): Promise<Outcome>;
  remove(app: TestApp, id: number, as: Sender): Promise<Outcome>;
  share(app: TestApp, id: number, as: Sender, userId: number, relation: string): Promise<Outcome>;
  unshare(app: TestApp, id: number, as: Sender, userId: number): Promise<Outcome>;
  shares(app: TestApp, id: number, as: Sender): Promise<Outcome>;
  /** Ids of the documents that a list of up to 100 has. */
  list(app: TestApp, as: Sender): Promise<readonly number[]>;
}

function ofRest({ status, body }: Answer<unknown>): Outcome {
  // A body that is not of an error has no such member.
  return status < 300 ? 'done' : (body as ErrorBody).error.code;
}

function ofGraph({ body }: Answer<GraphQLBody<unknown>>): Outcome {
  const [error] = body.errors ?? [];
  if (error) return error.extensions.code;
  const isMissing = Object.values(body.data ?? {}).every((value) => value === null);
  // REST says of a null that there is nothing.
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

/** The same requests through each door. */
export const DOORS: readonly DocumentDoor[] = [rest, graph];
