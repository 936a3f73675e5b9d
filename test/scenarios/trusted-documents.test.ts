/** Documents that clients were built with: asked for by id or hash, and where it is set so, no others. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { trustedDocuments } from '../../src/commands/trusted-documents.ts';
import { ManifestError, readManifest } from '../../src/graphql/admission/manifest.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type GraphQLBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';

const ORDER = 'query Order($id: ID!) { order(id: $id) { id } }';
const ME = '{ me { id } }\n';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'portico-trusted-'));
mkdirSync(join(folder, 'orders'));
writeFileSync(join(folder, 'orders', 'one.graphql'), ORDER);
writeFileSync(join(folder, 'me.graphql'), ME);
const manifest = trustedDocuments(folder);
afterAll(() => rmSync(folder, { recursive: true }));

test('a manifest has each document with its path and its hash', () => {
  expect(JSON.parse(manifest)).toEqual({
    documents: [
      { id: 'me', sha256: hashOf(ME), body: ME },
      { id: 'orders/one', sha256: hashOf(ORDER), body: ORDER },
    ],
  });
});

test('a document that no server would run is named', () => {
  writeFileSync(join(folder, 'wrong.graphql'), '{ nope }');
  expect(() => trustedDocuments(folder)).toThrow('wrong.graphql: Cannot query field "nope"');
  rmSync(join(folder, 'wrong.graphql'));
});

test.each(['', '[]', '{}', '{"documents":[{"id":"a"}]}', manifest.replace('me { id', 'me { name')])(
  'what is not a manifest is refused: %.20s',
  (json) => {
    expect(() => readManifest(json, true)).toThrow(ManifestError);
  },
);

describeEachEngine('trusted documents', (engine) => {
  const only = startApp(engine, { trustedDocuments: readManifest(manifest, true) });
  const send = (app: typeof only, body: object) =>
    app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', body });

  test.each([
    ['its path', { documentId: 'orders/one' }],
    ['its hash', { documentId: hashOf(ORDER) }],
    ['its hash with its kind', { documentId: `sha256:${hashOf(ORDER)}` }],
    ['its text', { query: ORDER }],
    ['a persisted query', { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(ORDER) } } }],
  ])('one is found by %s', async (_name, by) => {
    const answer = await send(only, { ...by, variables: { id: 7 } });
    expect(answer.body.data).toEqual({ order: { id: '7' } });
  });

  test('one is found by GET as well', async () => {
    const answer = await only.get<GraphQLBody<unknown>>('/graphql?documentId=me', { as: 'ada' });
    expect(answer.body.data).toEqual({ me: { id: '1' } });
  });

  test.each([
    ['another text', { query: '{ me { name } }' }, 'document_not_trusted'],
    ['a text with one more blank', { query: `${ORDER} ` }, 'document_not_trusted'],
    ['the whole schema', { query: '{ __schema { types { name } } }' }, 'document_not_trusted'],
    ['an id that is not there', { documentId: 'nope' }, 'persisted_query_not_found'],
    ['an id that is no text', { documentId: { a: 1 } }, 'persisted_query_not_found'],
    ['an id of another kind', { documentId: '__proto__' }, 'persisted_query_not_found'],
  ])('%s is refused', async (_name, body, code) => {
    const answer = await send(only, body);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([code]);
    expect(only.statements).toEqual([]);
  });

  test('REST goes on', async () => {
    expect((await only.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
  });
});

describeEachEngine('documents that are trusted and others', (engine) => {
  const app = startApp(engine, { trustedDocuments: readManifest(manifest, false) });

  test('both are answered', async () => {
    expect((await app.graphql('{ me { name } }', {}, { as: 'ada' })).status).toBe(200);
    const answer = await app.post<GraphQLBody<unknown>>('/graphql', {
      as: 'ada',
      body: { documentId: 'me' },
    });
    expect(answer.body.data).toEqual({ me: { id: '1' } });
  });

  describe('automatic persisted queries', () => {
    const query = '{ me { id name } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } };

    test('a hash that is not known asks for the text, and is known from then on', async () => {
      const post = (body: object) => app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', body });
      expect(codesOf(await post({ extensions }))).toEqual(['persisted_query_not_found']);
      expect((await post({ query, extensions })).status).toBe(200);
      expect((await post({ extensions })).body.data).toMatchObject({ me: { id: '1' } });
    });

    test('a refused document is not kept under its hash', async () => {
      const wrong = '{ nope }';
      const hash = { persistedQuery: { version: 1, sha256Hash: hashOf(wrong) } };
      const post = (body: object) => app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', body });
      expect(codesOf(await post({ query: wrong, extensions: hash }))).toEqual(['graphql_validation_failed']);
      expect(codesOf(await post({ extensions: hash }))).toEqual(['persisted_query_not_found']);
    });
  });
});
