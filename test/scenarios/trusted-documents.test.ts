/** Trusted documents of clients: requested by id or hash, and, if configured, no other documents. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trustedDocuments } from '../../src/cli/trusted-documents.ts';
import { ManifestError, readManifest } from '../../src/pipeline/admission/manifest.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type GraphQLBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { DOCUMENT_DOORS, type DocumentRequest, type DoorVisit } from '../support/graphql-doors.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';

const ORDER = 'query Order($id: ID!) { order(id: $id) { id } }';
const ME = '{ me { id } }\n';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'portico-trusted-'));
mkdirSync(join(folder, 'orders'));
writeFileSync(join(folder, 'orders', 'one.graphql'), ORDER);
writeFileSync(join(folder, 'me.graphql'), ME);
const manifest = trustedDocuments(folder, DEFAULTS.operations);
afterAll(() => rmSync(folder, { recursive: true }));

test('a manifest has each document with its path and its hash', () => {
  expect(JSON.parse(manifest)).toEqual({
    documents: [
      { id: 'me', sha256: hashOf(ME), body: ME },
      { id: 'orders/one', sha256: hashOf(ORDER), body: ORDER },
    ],
  });
});

test('a folder without documents is refused: a server would refuse every document', () => {
  const empty = mkdtempSync(join(tmpdir(), 'portico-trusted-'));
  expect(() => trustedDocuments(empty, DEFAULTS.operations)).toThrow(`${empty} has no operation documents`);
  rmSync(empty, { recursive: true });
});

test('an invalid document is reported with its file', () => {
  writeFileSync(join(folder, 'wrong.graphql'), '{ nope }');
  expect(() => trustedDocuments(folder, DEFAULTS.operations)).toThrow(
    'wrong.graphql: Cannot query field "nope"',
  );
  rmSync(join(folder, 'wrong.graphql'));
});

test('the command reads only the limits of documents from its environment', () => {
  const run = (environment: Record<string, string>) => {
    const command = join(import.meta.dirname, '../../src/cli/trusted-documents.ts');
    // Kubernetes sets such a PORT, and the others belong to other programs.
    const others = { PORT: 'tcp://10.0.0.1:80', DATABASE_URL: 'mysql://db/web', DEADLINE: '2026-12-24' };
    const env = { ...process.env, ...others, NODE_ENV: 'production', ...environment };
    return spawnSync(process.execPath, [command, folder], { encoding: 'utf8', env });
  };
  expect(run({})).toMatchObject({ stdout: manifest, stderr: '', status: 0 });
  expect(run({ OPERATION_DEPTH: '5' })).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('OPERATION_DEPTH must'),
    status: 1,
  });
});

test.each(['', '[]', '{}', '{"documents":[{"id":"a"}]}', manifest.replace('me { id', 'me { name')])(
  'refuses what is not a manifest: %.20s',
  (json) => {
    expect(() => readManifest(json, true)).toThrow(ManifestError);
  },
);

const apq = (text: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) } } });
const variables = { id: 7 };

// Documents are found and refused in memory.
describeOnSqlite('with trusted documents only', (engine) => {
  const app = startApp(engine, { trustedDocuments: readManifest(manifest, true) });

  describe.each(DOCUMENT_DOORS)('over $name', ({ refusal, open }) => {
    let visit: DoorVisit;
    beforeAll(async () => {
      visit = await open(app, 'ada');
    });
    afterAll(() => visit.close());

    test.each([
      ['its path', { documentId: 'orders/one' }],
      ['its hash', { documentId: hashOf(ORDER) }],
      ['its hash with the algorithm', { documentId: `sha256:${hashOf(ORDER)}` }],
      ['its text', { query: ORDER }],
      ['its hash as a persisted query', apq(ORDER)],
      ['its hash as a persisted query, with an empty query', { query: '', ...apq(ORDER) }],
      ['its text, with an empty id', { query: ORDER, documentId: '' }],
      ['its hash as a persisted query, with an empty id', { documentId: '', ...apq(ORDER) }],
      ['its text and its path', { query: ORDER, documentId: 'orders/one' }],
      [
        'its text and both forms of its hash',
        { query: ORDER, documentId: `sha256:${hashOf(ORDER)}`, ...apq(ORDER) },
      ],
    ])('one is found by %s', async (_name, by) => {
      const { body } = await visit.send({ ...by, variables });
      expect(body?.data).toEqual({ order: { id: '7' } });
    });

    test.each([
      ['another document', { query: '{ me { name } }' }, 'document_not_trusted'],
      ['another subscription', { query: 'subscription { activity { id } }' }, 'document_not_trusted'],
      [
        'another document with its hash',
        { query: '{ me { org } }', ...apq('{ me { org } }') },
        'document_not_trusted',
      ],
      ['a document with one extra space', { query: `${ORDER} ` }, 'document_not_trusted'],
      ['the whole schema', { query: '{ __schema { types { name } } }' }, 'document_not_trusted'],
      ['an unknown id', { documentId: 'nope' }, 'persisted_query_not_found'],
      ['an id of another kind', { documentId: '__proto__' }, 'persisted_query_not_found'],
      [
        'a text with the id of another',
        { query: '{ me { id } }', documentId: 'orders/one' },
        'malformed_request',
      ],
      ['a text with an unknown id', { query: ORDER, documentId: 'nope' }, 'malformed_request'],
      [
        'an id with the hash of another',
        { documentId: 'orders/one', ...apq('{ me { id } }') },
        'malformed_request',
      ],
      ['the hash of another document', apq('{ me { name } }'), 'persisted_query_not_found'],
    ])('%s is refused', async (_name, request, code) => {
      app.forgetStatements();
      const { status, body } = await visit.send(request);
      expect(body?.errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
      expect(status).toBe(refusal);
      expect(app.statements).toEqual([]);
    });
  });

  test('an id that is not a string is refused', async () => {
    const response = await app.post<GraphQLBody<unknown>>('/graphql', {
      as: 'ada',
      body: { documentId: { a: 1 } },
    });
    expect(codesOf(response)).toEqual(['persisted_query_not_found']);
  });

  test('a document is also found with GET, and for a stream', async () => {
    const path = `/graphql?documentId=orders/one&variables=${encodeURIComponent('{"id":7}')}`;
    const response = await app.get<GraphQLBody<unknown>>(path, { as: 'ada' });
    expect(response.body.data).toEqual({ order: { id: '7' } });
    const streamed = await app.get(path, { as: 'ada', headers: { accept: 'text/event-stream' } });
    expect(streamed.text).toContain('"data":{"order":{"id":"7"}}');
  });

  test('REST is not affected', async () => {
    expect((await app.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
  });
});

// As above.
describeOnSqlite('with trusted and other documents', (engine) => {
  const app = startApp(engine, { trustedDocuments: readManifest(manifest, false) });

  describe.each(DOCUMENT_DOORS)('over $name', ({ name, refusal, open }) => {
    let visit: DoorVisit;
    beforeAll(async () => {
      visit = await open(app, 'ada');
    });
    afterAll(() => visit.close());

    test('both are executed', async () => {
      expect((await visit.send({ query: '{ me { name } }' })).body).toHaveProperty('data.me.name');
      expect((await visit.send({ documentId: 'me' })).body).toMatchObject({ data: { me: { id: '1' } } });
    });

    describe('an automatic persisted query', () => {
      // A document that no other door has received.
      const query = `query { me { id name } } # ${name}`;

      test('is requested by its hash: the server asks for an unknown one, and finds it afterwards', async () => {
        const unknown = await visit.send(apq(query));
        // Apollo Client and urql check this message.
        expect(unknown.body?.errors).toMatchObject([
          { message: 'PersistedQueryNotFound', extensions: { code: 'persisted_query_not_found' } },
        ]);
        expect(unknown.status).toBe(refusal);
        expect((await visit.send({ query, ...apq(query) })).body).toHaveProperty('data.me.name');
        expect((await visit.send(apq(query))).body).toMatchObject({ data: { me: { id: '1' } } });
      });

      test('is not stored when it is refused', async () => {
        const wrong = `{ nope } # ${name}`;
        const codeOf = async (request: DocumentRequest) =>
          (await visit.send(request)).body?.errors?.[0]?.extensions.code;
        expect(await codeOf({ query: wrong, ...apq(wrong) })).toBe('graphql_validation_failed');
        expect(await codeOf(apq(wrong))).toBe('persisted_query_not_found');
      });

      test.each([
        ['the hash of another text', { query, ...apq('{ me { id } }') }],
        ['another version', { extensions: { persistedQuery: { version: 2, sha256Hash: hashOf(query) } } }],
        ['no hash', { extensions: { persistedQuery: { version: 1 } } }],
        ['an empty hash', { query, extensions: { persistedQuery: { version: 1, sha256Hash: '' } } }],
        ['an empty id', { documentId: '' }],
        ['nothing at all', {}],
      ])('with %s is malformed', async (_name, request) => {
        const { status, body } = await visit.send(request);
        expect(body?.errors?.[0]?.extensions.code).toBe('malformed_request');
        expect(status).toBe(refusal);
      });
    });
  });

  test.each(['application/json', 'text/event-stream'])(
    'a mutation identified only by its hash is refused with GET, for %s',
    async (accept) => {
      const query = 'mutation { logout(refreshToken: "none") }';
      expect((await app.post<GraphQLBody<unknown>>('/graphql', { body: { query } })).body).toEqual({
        data: { logout: true },
        extensions: expect.anything(),
      });
      app.forgetStatements();
      const response = await app.get<GraphQLBody<unknown>>(`/graphql?documentId=${hashOf(query)}`, {
        headers: { accept },
      });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(response.body).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] });
      expect(response.body.data).toBeUndefined();
      expect(app.statements).toEqual([]);
    },
  );

  test('a subscription can be started by its hash as well', async () => {
    const query = 'subscription Hashed { activity { id } }';
    const { token } = await app.signIn('ada');
    const first = await openEventStream(`${app.url}/graphql`, token, {}, { query });
    const again = await openEventStream(`${app.url}/graphql`, token, {}, apq(query));
    for (const stream of [first, again]) {
      expect(stream.answer.statusCode).toBe(200);
      await waitUntil(() => stream.lastId !== undefined, 'the beginning of the stream');
      expect(stream.text).not.toContain('errors');
      stream.stop();
    }
  });
});
