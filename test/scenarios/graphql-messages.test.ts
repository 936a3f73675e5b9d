/** Requests at `/graphql` are read and refused in one way: by POST, GET and HEAD, for single responses and for streams. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { GraphQLBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';

const QUERY = '{ __typename }';
const TOKEN = 'x-graphql-event-stream-token';

/** Values that no member of a message may have. In a query string they are the same as text. */
const INVALID: readonly (readonly [name: string, text: string])[] = [
  ['variables', '"{}"'],
  ['variables', '[]'],
  ['variables', '1'],
  ['extensions', '"{}"'],
  ['extensions', '[]'],
];

/** Messages that only a body can be. */
const INVALID_BODIES: readonly string[] = [
  'null',
  '"{ me { id } }"',
  '[]',
  `[{"query":"${QUERY}"}]`,
  '{"query":1}',
  '{"query":{"kind":"Document"}}',
  `{"query":"${QUERY}","operationName":1}`,
  ...INVALID.map(([name, text]) => `{"query":"${QUERY}","${name}":${text}}`),
];

/** Query strings that only a GET can have. */
const INVALID_ADDRESSES: readonly string[] = [
  `query=${QUERY}&query=${QUERY}`,
  `query=${QUERY}&variables=nope`,
  `query=${QUERY}&variables={"a":1,"a":2}`,
  ...INVALID.map(([name, text]) => `query=${QUERY}&${name}=${text}`),
];

describeEachEngine('a message', (engine) => {
  const app = startApp(engine);

  describe.each(['application/json', 'text/event-stream'])('with Accept: %s', (accept) => {
    const headers = { accept };

    test.each(INVALID_BODIES)('is refused as the body %s', async (text) => {
      const plain = await app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', text });
      expect(plain.status).toBe(400);
      expect(plain.body.errors?.[0]?.extensions.code).toBe('malformed_request');
      const { status, body } = await app.post('/graphql', { as: 'ada', headers, text });
      expect({ status, body }).toEqual({ status: 400, body: plain.body });
      const reserved = (await app.put('/graphql', { as: 'ada' })).text;
      const shared = await app.post('/graphql', {
        as: 'ada',
        headers: { ...headers, [TOKEN]: reserved },
        text,
      });
      expect({ status: shared.status, body: shared.body }).toEqual({ status: 400, body: plain.body });
    });

    test.each(INVALID_ADDRESSES)('is refused in the query string %s', async (query) => {
      const path = `/graphql?${encodeURI(query)}`;
      const { status, body } = await app.get<GraphQLBody<unknown>>(path, { as: 'ada', headers });
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'malformed_request']);
      expect((await app.request('HEAD', path, { as: 'ada', headers })).status).toBe(400);
    });

    test('in a query string is refused with a content type other than JSON', async () => {
      const path = `/graphql?${encodeURI(`query=${QUERY}`)}`;
      const of = async (type: string) =>
        (await app.get(path, { as: 'ada', headers: { ...headers, 'content-type': type } })).status;
      expect([await of('text/plain'), await of('application/json; charset=utf-8')]).toEqual([415, 200]);
    });

    test.each(['', 'null', '{}'])('may have the variables "%s" in a query string', async (text) => {
      const path = `/graphql?${encodeURI(`query=${QUERY} # ${accept} ${text}`).replace('#', '%23')}&variables=${text}`;
      const statuses = [];
      for (const method of ['GET', 'HEAD', 'GET'])
        statuses.push((await app.request(method, path, { as: 'ada', headers })).status);
      expect(statuses).toEqual([200, 200, 200]);
    });

    test('in a query string has no operation name if the name is empty', async () => {
      const textOf = async (query: string) =>
        (await app.get(`/graphql?${encodeURI(`query=${query}`)}&operationName=`, { as: 'ada', headers }))
          .text;
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await textOf('{ unnamed: __typename }')).toContain('{"data":{"unnamed":"Query"}');
        expect(await textOf('query A { __typename } query B { __typename }')).toContain(
          'operation_not_found',
        );
      }
    });
  });

  test('with a mutation is not executed by HEAD, at first or second sight', async () => {
    const before = await app.fingerprint();
    const path = `/graphql?${encodeURI('query=mutation { markFeedRead { id } }')}`;
    for (let turn = 0; turn < 2; turn += 1)
      expect((await app.request('HEAD', path, { as: 'ada' })).status).toBe(405);
    expect(await app.fingerprint()).toEqual(before);
  });

  test('is not executed for a client that accepts none of the media types of the response', async () => {
    const query = `mutation { createDocument(org: "acme", input: { title: "Lost", body: "" }) { id } }`;
    const before = await app.fingerprint();
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, body } = await app.post<GraphQLBody<unknown>>('/graphql', {
        as: 'ada',
        headers: { accept: 'image/png' },
        body: { query },
      });
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([406, 'not_acceptable']);
    }
    expect(await app.fingerprint()).toEqual(before);
  });

  test('is refused with the content type of GraphQL that the client accepts', async () => {
    const accept = 'application/graphql-response+json';
    const { status, headers } = await app.post('/graphql', { as: 'ada', headers: { accept }, text: '[]' });
    expect([status, headers.get('content-type')]).toEqual([400, `${accept}; charset=utf-8`]);
  });
});
