/** Limits that are settings, each with a small value, and requests that are just within and just beyond it on each door. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestApp } from '../support/app.ts';
import type { Answer, ErrorBody, GraphQLBody } from '../support/client.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { DOCUMENT_DOORS } from '../support/graphql-doors.ts';
import { callTool, failureIn, headersFor } from '../support/mcp.ts';
import { endOfLog, openSocketAs, SocketClient, subscribe } from '../support/raw-clients.ts';
import type { SettingOverrides } from '../support/settings.ts';

/** Sends a request that is just within a limit, or just beyond it. @returns `passed`, or the code of the refusal and its message. */
type Send = (app: TestApp, isBeyond: boolean) => Promise<string>;

interface Limit {
  /** The name of the variable. */
  readonly setting: string;
  readonly settings: SettingOverrides;
  /** The start of the outcome beyond the limit. */
  readonly refusal: string;
  readonly doors: Readonly<Record<string, Send>>;
}

const PASSED = 'passed';

const ofGraphQL = (body: GraphQLBody<unknown> | undefined): string => {
  const [error] = body?.errors ?? [];
  return error ? `${error.extensions.code} ${error.message}` : PASSED;
};

const ofRest = ({ status, body }: Answer<unknown>): string => {
  if (status < 300) return PASSED;
  // A REST response with another status has this body.
  const { code, message } = (body as ErrorBody).error;
  return `${code} ${message}`;
};

/** Sends a document to each door that accepts documents. */
const withDocuments = (
  documentOf: (app: TestApp, isBeyond: boolean) => string | Promise<string>,
): Limit['doors'] =>
  Object.fromEntries(
    DOCUMENT_DOORS.map(({ name, open }) => [
      name,
      async (app: TestApp, isBeyond: boolean) => {
        const visit = await open(app, 'ada');
        const { body } = await visit.send({ query: await documentOf(app, isBeyond) });
        visit.close();
        return ofGraphQL(body);
      },
    ]),
  );

const DOCUMENT_LIMITS: readonly Limit[] = [
  {
    setting: 'DOCUMENT_TOKENS',
    settings: { operations: { documentTokens: 7 } },
    refusal: 'query_too_large The document has more than 7 tokens.',
    doors: withDocuments((_app, isBeyond) => `{ me { id name ${isBeyond ? 'role' : ''} } }`),
  },
  {
    setting: 'OPERATION_DEPTH',
    settings: { operations: { depth: 2 } },
    refusal: 'query_too_deep The document has more than 2 levels of fields.',
    doors: withDocuments((_app, isBeyond) => `{ me { ${isBeyond ? 'orders { id }' : 'id'} } }`),
  },
  {
    setting: 'OPERATION_ALIASES',
    settings: { operations: { aliases: 1 } },
    refusal: 'too_many_aliases The document has more than 1 aliases',
    doors: withDocuments((_app, isBeyond) => `{ me { a: id ${isBeyond ? 'b: id' : ''} } }`),
  },
  {
    setting: 'OPERATION_ROOT_FIELDS',
    settings: { operations: { rootFields: 2 } },
    refusal: 'too_many_root_fields The document has more than 2 root fields',
    doors: withDocuments(
      (_app, isBeyond) => `{ me { id } a: __typename ${isBeyond ? 'b: __typename' : ''} }`,
    ),
  },
];

const BODY_LIMIT = 1000;
const padded = (message: unknown, isBeyond: boolean) =>
  JSON.stringify(message).padEnd(BODY_LIMIT + (isBeyond ? 1 : 0), ' ');

const BODY: Limit = {
  setting: 'BODY_LIMIT',
  settings: { http: { bodyLimit: BODY_LIMIT } },
  refusal: 'body_too_large',
  doors: {
    REST: async (app, isBeyond) => {
      const text = padded({ items: [{ product_id: 1, qty: 1 }] }, isBeyond);
      return ofRest(await app.post('/v1/users/1/orders', { as: 'ada', text }));
    },
    GraphQL: async (app, isBeyond) => {
      const text = padded({ query: '{ me { id } }' }, isBeyond);
      return ofGraphQL((await app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', text })).body);
    },
    MCP: async (app, isBeyond) => {
      const text = padded({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, isBeyond);
      const headers = headersFor('2025-11-25', 'tools/list');
      const { status, body } = await app.post<{ error?: { data?: { code: string } } } | undefined>('/mcp', {
        as: 'ada',
        headers,
        text,
      });
      return status < 300 ? PASSED : `${body?.error?.data?.code}`;
    },
  },
};

const RESPONSE_LIMIT = 3000;

/** Creates a document with a text of this length. @returns its id. */
async function addDocument(app: TestApp, length: number): Promise<string> {
  const { body } = await app.graphql<{ createDocument: { id: string } }>(
    'mutation ($body: String!) { createDocument(org: "acme", input: { title: "Long", body: $body }) { id } }',
    { body: 'x'.repeat(length) },
    { as: 'ada' },
  );
  return body.data?.createDocument.id ?? '';
}

const RESPONSE: Limit = {
  setting: 'RESPONSE_LIMIT',
  settings: { http: { responseLimit: RESPONSE_LIMIT } },
  refusal: 'response_too_large',
  doors: {
    ...withDocuments(async (app, isBeyond) => {
      const id = await addDocument(app, RESPONSE_LIMIT - (isBeyond ? 0 : 100));
      return `{ document(org: "acme", id: ${id}) { body } }`;
    }),
    REST: async (app, isBeyond) => {
      const id = await addDocument(app, RESPONSE_LIMIT - (isBeyond ? 0 : 500));
      return ofRest(await app.get(`/v1/orgs/acme/docs/${id}`, { as: 'ada' }));
    },
    MCP: async (app, isBeyond) => {
      const id = await addDocument(app, RESPONSE_LIMIT / 3 - (isBeyond ? 0 : 500));
      const result = await callTool(app, 'get_document', { org: 'acme', doc_id: Number(id) }, { as: 'ada' });
      return failureIn(result)?.code ?? PASSED;
    },
    'a subscription': async (app, isBeyond) => {
      await addDocument(app, RESPONSE_LIMIT - (isBeyond ? 0 : 100));
      const order = await placeOrder(app);
      const client = await openSocketAs(app, 'ada');
      const selection = 'user { documents(last: 1) { body } }';
      const from = `id: ${order.id}, after: "${await endOfLog(app, 'ada')}"`;
      client.send(subscribe('a', `subscription { orderChanged(${from}) { ${selection} } }`));
      await app.patch(`/v1/orders/${order.id}`, { as: 'ada', body: { status: 'cancelled' } });
      const { payload } = await client.got(({ id }) => id === 'a');
      client.socket.close();
      // The payload of `next` in the protocol.
      return ofGraphQL(payload as GraphQLBody<unknown>);
    },
  },
};

/** Sends the beginning of a request, and reads until the server closes the connection. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  const [, status] = received.split(' ');
  return status === '200' ? PASSED : (/"code":"(\w+)"/.exec(received)?.[1] ?? received);
}

const QUERY = JSON.stringify({ query: '{ __typename }' });
const head = (length: number) =>
  `POST /graphql HTTP/1.1\r\nHost: portico.test\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;

const TIMEOUTS: readonly Limit[] = [
  {
    setting: 'HEADERS_TIMEOUT',
    settings: { timeouts: { headers: 500 } },
    refusal: 'request_timeout',
    doors: {
      HTTP: (app, isBeyond) => sendRaw(app.port, head(QUERY.length) + (isBeyond ? '' : `\r\n${QUERY}`)),
    },
  },
  {
    setting: 'REQUEST_TIMEOUT',
    settings: { timeouts: { headers: 500, request: 500 } },
    refusal: 'request_timeout',
    doors: {
      HTTP: (app, isBeyond) =>
        sendRaw(app.port, `${head(QUERY.length)}\r\n${isBeyond ? QUERY.slice(1) : QUERY}`),
    },
  },
];

const FRAME_LIMIT = 4096;
const SUBSCRIPTIONS = 2;
const ACTIVITY = 'subscription { activity { id } }';

/** Sends a ping. @returns `passed` if the socket is still open. */
async function ping(client: SocketClient, padding = ''): Promise<string> {
  client.send({ type: 'ping', payload: { padding } });
  const isAlive = await client
    .got(({ type }) => type === 'pong')
    .then(
      () => true,
      () => false,
    );
  client.socket.close();
  return isAlive ? PASSED : String(await client.end());
}

const SOCKETS: readonly Limit[] = [
  {
    setting: 'SOCKET_FRAME_LIMIT',
    settings: { connections: { socketFrameLimit: FRAME_LIMIT } },
    refusal: '1009',
    doors: {
      WebSocket: async (app, isBeyond) => {
        const { length } = JSON.stringify({ type: 'ping', payload: { padding: '' } });
        return ping(await openSocketAs(app, 'ada'), 'x'.repeat(FRAME_LIMIT - length + (isBeyond ? 1 : 0)));
      },
    },
  },
  {
    setting: 'SUBSCRIPTIONS_PER_SOCKET',
    settings: { connections: { subscriptionsPerSocket: SUBSCRIPTIONS } },
    refusal: 'too_many_subscriptions',
    doors: {
      WebSocket: async (app, isBeyond) => {
        const client = await openSocketAs(app, 'ada');
        const count = SUBSCRIPTIONS + (isBeyond ? 1 : 0);
        for (let id = 1; id <= count; id += 1) client.send(subscribe(String(id), ACTIVITY));
        client.send({ type: 'ping' });
        await client.got(({ type }) => type === 'pong');
        client.socket.close();
        const refused = client.messages.find(({ type }) => type === 'error');
        // The payload of `error` in the protocol.
        return ofGraphQL(refused && ({ errors: refused['payload'] } as GraphQLBody<unknown>));
      },
      'a stream of several operations': async (app, isBeyond) => {
        const headers = {
          authorization: `Bearer ${(await app.signIn('ada')).token}`,
          'content-type': 'application/json',
        };
        const send = (options: RequestInit) =>
          fetch(`${app.url}/graphql`, { ...options, headers: { ...headers, ...options.headers } });
        const stream = {
          'x-graphql-event-stream-token': await (await send({ method: 'PUT', body: '{}' })).text(),
        };
        /** Resolves with the body of the response: empty if the operation was started. */
        const operate = async (operationId: number): Promise<string> => {
          const body = JSON.stringify({ query: ACTIVITY, extensions: { operationId: String(operationId) } });
          return (await send({ method: 'POST', headers: stream, body })).text();
        };
        const count = SUBSCRIPTIONS + (isBeyond ? 1 : 0);
        for (let id = 1; id < count; id += 1) await operate(id);
        const last = await operate(count);
        return last === '' ? PASSED : ofGraphQL(JSON.parse(last));
      },
    },
  },
  {
    setting: 'CONNECTION_INIT_TIMEOUT',
    settings: { connections: { connectionInitTimeout: 2000 } },
    refusal: '4408',
    doors: {
      WebSocket: async (app, isBeyond) => {
        const client = isBeyond ? undefined : await openSocketAs(app, 'ada');
        const closed = String(await new SocketClient(app.port).end());
        return client ? ping(client) : closed;
      },
    },
  },
];

export const LIMITS_OF_REQUESTS: readonly Limit[] = [
  ...DOCUMENT_LIMITS,
  BODY,
  RESPONSE,
  ...TIMEOUTS,
  ...SOCKETS,
];
