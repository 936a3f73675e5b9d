/** Reading one document, over REST and GraphQL, and missing documents. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { DOCS, demoDocument } from '../support/fixtures/documents.ts';
import type { Document } from '../support/response-bodies.ts';

describeEachEngine('reading documents', (engine) => {
  const app = startApp(engine);

  test('a document is returned with its version as ETag', async () => {
    const response = await app.get<Document>(`${DOCS}/3`, { as: 'ada' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(demoDocument(3));
    expect(response.headers.get('etag')).toBe('"v1"');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const again = await app.get(`${DOCS}/3`, { as: 'ada', headers: { 'if-none-match': '"v1"' } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await app.get(`${DOCS.replace('v1', 'v2')}/3`, { as: 'ada' })).body).toEqual(demoDocument(3));
  });

  test('GraphQL returns the requested shape', async () => {
    const query = `{
      document(org: "acme", id: 3) {
        id org title classification authorId author { name } shares { userId } version
        history { nodes { type cursor actor { id name } subjectType subjectId data createdAt } hasNextPage }
      }
    }`;
    const { body } = await app.graphql(query, {}, { as: 'ada' });
    const { title, classification, created_at } = demoDocument(3);
    expect(body).toEqual({
      data: {
        document: {
          id: '3',
          org: 'acme',
          title,
          classification,
          authorId: '1',
          author: { name: 'Ada Brandt' },
          shares: [],
          version: 1,
          history: {
            nodes: [
              {
                type: 'document.created',
                cursor: expect.stringMatching(/^[\w-]{20,}$/),
                actor: { id: '1', name: 'Ada Brandt' },
                subjectType: 'document',
                subjectId: '3',
                data: { classification },
                createdAt: created_at,
              },
            ],
            hasNextPage: false,
          },
        },
      },
    });
  });

  test('an unknown document returns 404, and null in GraphQL', async () => {
    expectError(await app.get(`${DOCS}/999999`, { as: 'ada' }), { status: 404, code: 'not_found' });
    expectError(await app.get(`${DOCS}/abc`, { as: 'ada' }), {
      status: 400,
      code: 'invalid_parameter',
      paths: ['doc_id'],
    });
    for (const id of ['999999', 'abc', '0', '9007199254740993']) {
      const { body } = await app.graphql(`{ document(org: "acme", id: "${id}") { id } }`, {}, { as: 'ada' });
      expect(body).toEqual({ data: { document: null } });
    }
  });
});
