/** How popular clients handle an operation that is refused before it runs: they report it once, and at once. */
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

const TOO_MANY = Array.from({ length: 21 }, () => '__typename').join(' ');

/** Permanent refusals: the same request gets the same response. */
const REFUSED = [
  { name: 'a query that is too large', query: `{ ${TOO_MANY} }`, code: 'too_many_root_fields' },
  { name: 'a subscription to nothing', query: 'subscription { nope }', code: 'graphql_validation_failed' },
  ...[
    'activity @skip(if: true) { id }',
    'activity @include(if: false) { id }',
    'activity @skip { id }',
    '... @skip(if: true) { activity { id } }',
    '... { ... { activity @include(if: true) { id } } }',
  ].map((root) => ({
    name: `a subscription to ${root}`,
    query: `subscription { ${root} }`,
    code: 'graphql_validation_failed',
  })),
  {
    name: 'a subscription whose fragment depends on a variable',
    query:
      'subscription ($on: Boolean = true) { ...F @include(if: $on) } fragment F on Subscription { activity { id } }',
    code: 'graphql_validation_failed',
  },
  { name: 'a document that is not GraphQL', query: '{', code: 'graphql_parse_failed' },
  {
    name: 'an invalid variable',
    query: 'query ($id: ID!) { order(id: $id) { id } }',
    code: 'invalid_variables',
  },
  {
    name: 'a subscription with a bad cursor',
    query: 'subscription { activity(after: "nonsense") { id } }',
    code: 'invalid_cursor',
  },
  {
    name: 'a mutation without its scope',
    query: 'mutation { deleteDocument(org: "acme", id: 1) }',
    code: 'insufficient_scope',
  },
];

interface Told {
  readonly results: unknown[];
  readonly error: unknown;
}

/** Runs an operation until the client reports its end. */
async function follow(
  subscribe: (sink: {
    next(value: unknown): void;
    error(error: unknown): void;
    complete(): void;
  }) => () => void,
): Promise<Told> {
  const results: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown>();
  subscribe({
    next: (value) => void results.push(value),
    error: resolve,
    complete: () => resolve(undefined),
  });
  return { results, error: await promise };
}

describeEachEngine('an operation that is refused', (engine) => {
  const app = startApp(engine);
  const reader = async () => (await app.signIn('ada', ['read:orders', 'read:feed'])).token;

  describe('over graphql-sse', () => {
    /** With the client's own number of attempts, and no pause between them. */
    const open = (tokens: readonly string[]) => {
      const statuses: number[] = [];
      const client = createSseClient({
        url: `${app.url}/graphql`,
        headers: () => ({ authorization: `Bearer ${tokens[Math.min(statuses.length, tokens.length - 1)]}` }),
        retry: async () => undefined,
        fetchFn: async (...request: Parameters<typeof fetch>) => {
          const response = await fetch(...request);
          statuses.push(response.status);
          return response;
        },
      });
      return { client, statuses };
    };

    test.each(REFUSED)('$name: $code, as the only result', async ({ query, code }) => {
      const { client, statuses } = open([await reader()]);
      const { results, error } = await follow((sink) => client.subscribe({ query }, sink));
      expect(results).toMatchObject([{ errors: [{ extensions: { code } }] }]);
      expect(error).toBeUndefined();
      expect(statuses).toEqual([200]);
    });

    test('without permission, a client that also accepts JSON gets the status and the missing scope', async () => {
      const { status, headers, text } = await app.post('/graphql', {
        as: await app.signIn('ada', ['read:orders']),
        headers: { accept: 'text/event-stream, application/json;q=0.9' },
        body: { query: 'mutation { deleteDocument(org: "acme", id: 1) }' },
      });
      expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([403, 'insufficient_scope']);
      expect(headers.get('www-authenticate')).toContain('scope="write:docs"');
    });

    test.each(['{ me { id } }', 'subscription { activity { id } }'])(
      'invalid credentials are refused with a status, and retried: %s',
      async (query) => {
        const { client, statuses } = open(['nonsense', await reader()]);
        const stop = client.subscribe({ query }, { next() {}, error() {}, complete() {} });
        await expect.poll(() => statuses).toEqual([401, 200]);
        stop();
      },
    );
  });

  describe('over graphql-ws', () => {
    test.each(REFUSED)('$name: $code, as the error', async ({ query, code }) => {
      let opened = 0;
      const client = createWsClient({
        url: `${app.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { accessToken: await reader() },
        lazyCloseTimeout: 5000,
        on: {
          opened: () => {
            opened += 1;
          },
        },
      });
      const { results, error } = await follow((sink) => client.subscribe({ query }, sink));
      expect(error).toMatchObject([{ extensions: { code } }]);
      expect(results).toEqual([]);
      const after = await follow((sink) => client.subscribe({ query: '{ order(id: 7) { id } }' }, sink));
      expect(after.results).toMatchObject([{ data: { order: { id: '7' } } }]);
      expect(opened).toBe(1);
      await client.dispose();
    });
  });
});
