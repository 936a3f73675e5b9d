/** The Model Context Protocol at /mcp: authentication, the tools that callers see, and refusals. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { api } from '../support/api.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import type { Sender } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { ask, callTool, failureIn, type ListedTool, pointsLeft, REVISIONS } from '../support/mcp.ts';
import { DEFAULTS } from '../support/settings.ts';
import { scriptedLoad } from '../support/test-doubles.ts';

const MCP = `${PUBLIC_URL}/mcp`;
const METADATA = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;

const GUIDE = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

/** The tools of which the guide says that all callers see them. */
const LISTED_FOR_ALL = /such as `(\w+)` and `(\w+)`, are listed for all/.exec(GUIDE)?.slice(1) ?? ['none'];

/** The first message of a client, by revision. */
const HELLO = {
  '2026-07-28': ['server/discover', {}],
  '2025-11-25': ['initialize', hello('2025-11-25')],
  '2025-06-18': ['initialize', hello('2025-06-18')],
} as const;

function hello(protocolVersion: string) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
}

describeEachEngine('an agent', (engine) => {
  const app = startApp(engine);

  const namesFor = async (as: Sender): Promise<string[]> => {
    const { body } = await ask<{ tools: readonly ListedTool[] }>(app, 'tools/list', {}, { as });
    return (body.result?.tools ?? []).map(({ name }) => name);
  };

  describe.each(REVISIONS)('of %s', (revision) => {
    const [method, params] = HELLO[revision];

    test('receives the name of the server and its own identity', async () => {
      const { status, body } = await ask(app, method, params, { as: 'ed', revision });
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        capabilities: { tools: {} },
        instructions: expect.stringMatching(/user_id 2 in the organisation "acme", with the role editor/),
        ...(revision === '2026-07-28' ? { supportedVersions: [revision] } : { protocolVersion: revision }),
      });
    });

    test.each([
      ['no credentials', {}, /^Bearer realm="portico", resource_metadata="[^"]+", scope="[^"]+", ApiKey/],
      ['invalid ones', { authorization: 'Bearer none' }, /^Bearer .*error="invalid_token"/],
    ])(
      'with %s is referred to the authorization server, whatever the message',
      async (_title, headers, challenge) => {
        const messages = [
          [method, params],
          ['tools/list', {}],
          ['tools/call', { name: 'get_order', arguments: {} }],
        ];
        for (const [sent, given] of [...messages, ['tools/call', { name: 'nope' }], ['nope', {}]] as const) {
          const answer = await ask(app, String(sent), given as Readonly<Record<string, unknown>>, {
            headers,
            revision,
          });
          expect(answer.status).toBe(401);
          expect(answer.headers.get('www-authenticate')).toMatch(challenge);
          expect(answer.headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`);
          expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32000 } });
          expect(answer.body).not.toHaveProperty('result');
        }
      },
    );

    test('calls tools without a session', async () => {
      const called = { as: 'ed', revision } as const;
      const { body, headers } = await callTool(app, 'get_product', { product_id: 1 }, called);
      expect(body.result?.structuredContent).toMatchObject({ id: 1 });
      expect(headers.has('mcp-session-id')).toBe(false);
      expect(headers.has('ratelimit')).toBe(true);
      const unknown = await callTool(app, 'nope', {}, called);
      expect([unknown.status, unknown.body.error]).toEqual([
        200,
        { code: -32602, message: 'Unknown tool: nope' },
      ]);
      const failed = await callTool(app, 'get_order', { order_id: 999_999 }, called);
      expect([failed.status, failureIn(failed)?.code]).toEqual([200, 'not_found']);
      expect(failed.body.result).not.toHaveProperty('structuredContent');
    });
  });

  test('finds the same authorization server as for the API', async () => {
    const { body } = await app.get<object>(METADATA.slice(PUBLIC_URL.length));
    const ofApi = await app.get<object>('/.well-known/oauth-protected-resource');
    expect(body).toEqual({ ...ofApi.body, resource: MCP, scopes_supported: expect.any(Array) });
  });

  test('receives the scopes of the tools, all of them and no other, in the challenge and in the metadata', async () => {
    const { headers } = await ask(app, 'tools/list');
    const [, scope = ''] = /\bscope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const { body } = await app.get<{ scopes_supported: string[] }>(METADATA.slice(PUBLIC_URL.length));
    expect(body.scopes_supported).toEqual(scope.split(' '));
    const all = await namesFor('ada');
    expect(await namesFor(await app.signIn('ada', scope.split(' ')))).toEqual(all);
    for (const left of scope.split(' ')) {
      const others = scope.split(' ').filter((each) => each !== left);
      expect((await namesFor(await app.signIn('ada', others))).length, left).toBeLessThan(all.length);
    }
    // The API as a whole has no such list: a request has one operation, which may require nothing.
    expect((await app.get('/v1/orders/1')).headers.get('www-authenticate')).not.toContain('scope=');
  });

  test('sees only the tools that its scopes and role permit', async () => {
    const all = await namesFor('ada');
    const editor = await namesFor('ed');
    const viewer = await namesFor('vic');
    const narrowed = await namesFor(await app.signIn('ada', ['read:orders']));
    expect(all).toEqual(
      expect.arrayContaining(['list_api_keys', 'delete_document', 'create_order', 'get_order']),
    );
    expect(editor).toEqual(expect.arrayContaining(['create_order', 'get_order']));
    expect(editor).not.toContain('list_api_keys');
    expect(editor).not.toContain('delete_document');
    expect(viewer).toContain('get_order');
    expect(viewer).not.toContain('create_order');
    // Some require no scope: their rules depend on the row.
    const open = api.tools.filter(({ scopes }) => scopes.every((scope) => scope === 'read:orders'));
    expect(narrowed).toEqual(open.map(({ name }) => name));
    expect(narrowed).toEqual(
      expect.arrayContaining([
        'list_user_orders',
        'list_orders',
        'get_product',
        'revoke_grant',
        ...LISTED_FOR_ALL,
      ]),
    );
    expect(narrowed).not.toContain('create_order');
    for (const some of [editor, viewer, narrowed]) expect(all).toEqual(expect.arrayContaining(some));
  });

  test('without a scope gets 403 with the missing scope', async () => {
    const as = await app.signIn('ada', ['read:orders']);
    const { status, headers, body } = await callTool(app, 'delete_order', { order_id: 1 }, { as });
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="portico", resource_metadata="${METADATA}", error="insufficient_scope", scope="write:orders"`,
    );
    expect(body).toMatchObject({ id: 1, error: { code: -32000, data: { code: 'insufficient_scope' } } });
    expect((await app.get('/v1/orders/1', { as: 'ada' })).status).toBe(200);
  });

  test('without a role gets the refusal as a result', async () => {
    const answer = await callTool(app, 'delete_document', { org: 'acme', doc_id: 1 }, { as: 'ed' });
    expect([answer.status, failureIn(answer)]).toEqual([
      200,
      { code: 'insufficient_role', message: expect.stringContaining('"admin"') },
    ]);
  });

  test('gets all problems of its arguments at once', async () => {
    const args = { user_id: 1, items: [{ product_id: 'lamp', qty: 0, colour: 'red' }], note: 'x' };
    expect(failureIn(await callTool(app, 'create_order', args, { as: 'ada' }))).toMatchObject({
      code: 'validation_failed',
      details: [
        { path: 'items.0.product_id', message: 'must be a positive integer' },
        { path: 'items.0.colour', message: expect.any(String) },
        { path: 'note', message: expect.any(String) },
        { path: 'items.0.qty', message: 'must be at least 1' },
      ],
    });
    const limit = { limit: { gt: 1 } };
    expect(failureIn(await callTool(app, 'list_products', limit, { as: 'ada' }))).toMatchObject({
      code: 'invalid_parameter',
      details: [{ path: 'limit', message: 'must be a string, a number, true or false' }],
    });
    expect(failureIn(await callTool(app, 'list_products', { colour: 'red' }, { as: 'ada' }))?.code).toBe(
      'unknown_parameter',
    );
    expect(failureIn(await callTool(app, 'get_order', {}, { as: 'ada' }))?.code).toBe('invalid_parameter');
  });

  test('can call many tools concurrently', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => (index % 12) + 1);
    const answers = await Promise.all(
      ids.map((id) => callTool(app, 'get_product', { product_id: id }, { as: 'ada' })),
    );
    expect(answers.map(({ body }) => body.result?.structuredContent)).toEqual(
      ids.map((id) => expect.objectContaining({ id })),
    );
  });

  test('is refused a result whose value and text together are too large', async () => {
    const body = { title: 'Long', body: 'x'.repeat(95_000) };
    const count = Math.ceil(DEFAULTS.http.responseLimit / 3 / body.body.length);
    for (let made = 0; made < count; made += 1) await app.post('/v1/orgs/globex/docs', { as: 'gil', body });
    const list = { org: 'globex', limit: 100 };
    expect(failureIn(await callTool(app, 'list_documents', list, { as: 'gil' }))?.code).toBe(
      'response_too_large',
    );
    const { body: fewer } = await callTool(app, 'list_documents', { ...list, limit: 5 }, { as: 'gil' });
    expect(fewer.result?.structuredContent).toMatchObject({ data: { length: 5 } });
  });
});

describeOnSqlite('on an overloaded server', (engine) => {
  const load = scriptedLoad();
  const app = startApp(engine, { scheduling: load.scheduling });

  test('listing the tools is refused without a charge', async () => {
    const first = await ask(app, 'nope', {}, { as: 'ada' });
    load.overload();
    const { status, headers, body } = await ask(app, 'tools/list', {}, { as: 'ada' });
    expect([status, body.error?.data?.code]).toEqual([503, 'overloaded']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    load.calm();
    const last = await ask(app, 'nope', {}, { as: 'ada' });
    expect(pointsLeft(first) - pointsLeft(last)).toBe(LIMITS.refusalCost);
  });
});

describeOnSqlite('without points', (engine) => {
  const app = startApp(engine, { budget: { points: 100, perSecond: 1 } });

  test('listing the tools is refused', async () => {
    const first = await ask<{ tools: readonly ListedTool[] }>(app, 'tools/list', {}, { as: 'ada' });
    const count = first.body.result?.tools.length ?? 0;
    // One point for each tool.
    expect(first.headers.get('ratelimit')).toContain(`;r=${100 - count}`);
    const again = await ask(app, 'tools/list', {}, { as: 'ada' });
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(again.body).toMatchObject({ id: 1, error: { data: { code: 'rate_limited' } } });
  });

  test('a call fails with the delay after which to retry', async () => {
    let answer = await callTool(app, 'get_product', { product_id: 1 }, { as: 'ed' });
    while (!failureIn(answer)) answer = await callTool(app, 'get_product', { product_id: 1 }, { as: 'ed' });
    expect(failureIn(answer)).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) });
  });
});

describeOnSqlite('with a budget below the price of the list of tools', (engine) => {
  const app = startApp(engine, { budget: { points: 20, perSecond: 1 } });

  test('the list costs the whole budget', async () => {
    const { status, headers } = await ask(app, 'tools/list', {}, { as: 'ada' });
    expect([status, pointsLeft({ headers })]).toEqual([200, 0]);
  });
});
