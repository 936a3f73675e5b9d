/** Messages at /mcp that are malformed, hostile or unusual. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { ACCEPT, ask, callTool, failureIn, headersFor, type Message, pointsLeft } from '../support/mcp.ts';
import { DEFAULTS } from '../support/settings.ts';

/** A list of numbers, where the protocol has an object in each place. */
const MANY = `[${Array(100_000).fill(0)}]`;

/** Bodies that are not a message of the protocol. */
const MESSAGES: readonly (readonly [title: string, text: string, code: number, status: number])[] = [
  ['invalid JSON', '{"jsonrpc":', -32700, 400],
  ['an object with a duplicate member', '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', -32700, 400],
  ['empty', '', -32700, 400],
  [
    'an object with a member named __proto__',
    '{"jsonrpc":"2.0","id":1,"__proto__":{"method":"ping"}}',
    -32700,
    400,
  ],
  ['a number', '5', -32600, 400],
  ['null', 'null', -32600, 400],
  ['an empty batch', '[]', -32600, 400],
  [
    'a batch',
    '[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
    -32600,
    400,
  ],
  ['an object without a method', '{"id":1}', -32600, 400],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32600, 400],
  ['a request whose id is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', -32600, 400],
  [
    'more values than a message has',
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1","icons":${MANY}}}}`,
    -32600,
    400,
  ],
  [
    'more values than a message has, beside the arguments of a tool',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":1},"_meta":{"icons":${MANY}}}}`,
    -32600,
    400,
  ],
  ['a request whose method is a list', '{"jsonrpc":"2.0","id":1,"method":[]}', -32600, 400],
];

const deep = '['.repeat(20_000) + ']'.repeat(20_000);
const call = (name: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":${args}}}`;

/** Valid JSON-RPC requests, with the expected error of the protocol or of the tool. */
const CALLS: readonly (readonly [title: string, text: string, code: number | string])[] = [
  ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', -32601],
  ['a method named __proto__', '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32601],
  ['no tool name', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32602],
  ['a tool name that is a list', call('["get_order"]', '{}'), -32602],
  ['a tool named __proto__', call('"__proto__"', '{}'), -32602],
  ['a tool named constructor', call('"constructor"', '{}'), -32602],
  ['the name of an operation instead of a tool', call('"GetOrder"', '{"order_id":1}'), -32602],
  [
    'an operation that is not a tool',
    call('"login"', '{"email":"ada@acme.test","password":"portico-demo"}'),
    -32602,
  ],
  [
    'more values than a message has',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","_meta":{"icons":[${Array(LIMITS.agentMessageValues).fill(0)}]}}}`,
    'malformed_request',
  ],
  ['arguments that are a list', call('"get_order"', '[1]'), -32602],
  ['arguments that are a string', call('"get_order"', '"1"'), -32602],
  ['an id with a path in it', call('"get_order"', '{"order_id":"1/../2"}'), 'invalid_parameter'],
  ['an id beyond exact integers', call('"get_order"', '{"order_id":1e300}'), 'invalid_parameter'],
  ['an id that is a list', call('"get_order"', '{"order_id":[1,2]}'), 'invalid_parameter'],
  ['deeply nested lists', call('"list_products"', `{"q":${deep}}`), 'invalid_parameter'],
  [
    'deeply nested lists in a body',
    call('"create_order"', `{"user_id":1,"items":${deep}}`),
    'validation_failed',
  ],
  [
    'an idempotency key that is an object',
    call('"create_order"', '{"user_id":1,"items":[],"idempotency_key":{}}'),
    'invalid_idempotency_key',
  ],
  [
    'an entity tag that is an object',
    call('"delete_order"', '{"order_id":1,"if_match":{}}'),
    'malformed_request',
  ],
  [
    'an entity tag without quotes',
    call('"delete_order"', '{"order_id":1,"if_match":"v1"}'),
    'malformed_request',
  ],
  ['a lone surrogate', call('"list_documents"', '{"org":"\\ud800"}'), 'invalid_parameter'],
  ['another organisation', call('"list_documents"', '{"org":"../acme"}'), 'forbidden'],
];

// Most of these requests do not reach the database.
describeOnSqlite('a message', (engine) => {
  const app = startApp(engine);
  const headers = headersFor('2025-06-18', '');

  test.each(MESSAGES)('(%s) is refused', async (_title, text, code, status) => {
    const before = await app.fingerprint();
    const answer = await app.post<Message>('/mcp', {
      as: 'ada',
      headers: { ...headers, 'content-type': 'application/json' },
      text,
    });
    expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, code]);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0' });
    expect(await app.fingerprint()).toEqual(before);
  });

  test.each(CALLS)('with %s gets an error and is charged', async (_title, text, code) => {
    const first = await app.post('/mcp', {
      as: 'ada',
      headers,
      text: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    const before = await app.fingerprint();
    const answer = await app.post('/mcp', { as: 'ada', headers, text });
    const data = /^data: (.*)$/m.exec(answer.text)?.[1] ?? answer.text;
    const failure = failureIn({ ...answer, body: JSON.parse(data) });
    expect(failure?.code).toBe(String(code));
    expect(answer.status).toBeLessThan(500);
    const reading = Math.floor(text.length / LIMITS.bodyCharactersPerPoint);
    // A call that reached its resolver costs the price of its operation.
    expect(pointsLeft(first) - pointsLeft(answer)).toBeGreaterThanOrEqual(LIMITS.refusalCost + reading);
    expect(await app.fingerprint()).toEqual(before);
    expect(app.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test.each([
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another tool', { 'mcp-name': 'delete_order' }],
    ['another revision', { 'mcp-protocol-version': '2025-11-25' }],
  ])('whose headers name %s is refused, at its price', async (_title, other) => {
    const first = await ask(app, 'nope', {}, { as: 'ada' });
    const answer = await callTool(app, 'get_order', { order_id: 1 }, { as: 'ada', headers: other });
    expect([answer.status, answer.body.error?.code]).toEqual([400, -32020]);
    expect(pointsLeft(first) - pointsLeft(answer)).toBe(LIMITS.refusalCost);
  });

  test('of an unknown revision is refused with the supported ones', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { status, body } = await ask(
      app,
      'tools/list',
      { _meta: meta },
      {
        as: 'ada',
        headers: { 'mcp-protocol-version': '2099-01-01' },
      },
    );
    expect([status, body.error]).toMatchObject([
      400,
      { data: { supported: expect.arrayContaining(['2026-07-28']) } },
    ]);
  });

  test('without an id is accepted as a notification', async () => {
    const text = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const answer = await app.post('/mcp', { as: 'ada', headers, text });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('from a page of another origin is refused', async () => {
    const asked = (origin: string, more: object = {}) =>
      ask(app, 'tools/list', {}, { as: 'ada', headers: { origin, ...more } });
    expect((await asked(PUBLIC_URL)).status).toBe(200);
    // The last one is an address of the server that is not its public URL, as with DNS rebinding.
    for (const origin of ['https://elsewhere.example', 'null', `http://127.0.0.1:${app.port}`]) {
      const { status, body } = await asked(origin);
      expect([status, body.error?.data?.code], origin).toEqual([403, 'forbidden']);
    }
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect((await asked(PUBLIC_URL, image)).status).toBe(403);
  });

  test('of another media type or above the size limit is refused with a JSON-RPC error', async () => {
    const form = { ...ACCEPT, 'content-type': 'text/plain' };
    const typed = await app.post<Message>('/mcp', { as: 'ada', headers: form, text: '{}' });
    expect([typed.status, typed.body.error?.data?.code]).toEqual([415, 'unsupported_media_type']);
    const long = await app.post<Message>('/mcp', {
      as: 'ada',
      headers,
      text: `"${'x'.repeat(DEFAULTS.http.bodyLimit)}"`,
    });
    expect([long.status, long.body.error?.data?.code]).toEqual([413, 'body_too_large']);
  });

  test('cannot open a subscription', async () => {
    const { status, text } = await ask(
      app,
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { as: 'ada' },
    );
    expect(status).toBe(200);
    expect(text).toContain('"resultType":"complete"');
  });
});
