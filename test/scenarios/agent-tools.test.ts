/** The tools of agents: their descriptions, and that a call returns the same as the route of the tool. */
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RouteCall } from '../access/shared/calls.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { ROUTE_CALLS } from '../access/shared/rules.ts';
import { api, distinctRoutes, routeName } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { Person } from '../support/client.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { ask, callTool, failureIn, type ListedTool } from '../support/mcp.ts';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
// Internationalized email addresses (RFC 6531), which ajv-formats does not support.
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/u);

const snake = (name: string) => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();

/** Each tool with its route and a call that succeeds. */
const tools = api.tools.map((tool) => {
  const route = distinctRoutes.find(({ document }) => snake(document.name) === tool.name);
  const make = route && ROUTE_CALLS[routeName(route)];
  if (!route || !make) throw new Error(`Write a call for the route of ${tool.name}.`);
  return { name: tool.name, tool, route, make };
});

/** Values that an argument of any type may refuse, and that none may fail on. */
const STRANGE: readonly unknown[] = [1e30, 0.5, -1, '', 'x\u0000', '../x', true, null, {}, [], [[1]]];

/** The number of these values for each argument. Arguments of the same type are validated alike, and get different values. */
const VALUES = Number(process.env['VALUES'] ?? 4);

/** Returns the arguments of a tool that correspond to a request for its route. */
const argumentsOf = ({ params, body, headers }: RouteCall, own: readonly string[]) => ({
  ...params,
  ...(body as object | undefined),
  ...(headers?.['idempotency-key'] !== undefined && { idempotency_key: headers['idempotency-key'] }),
  // Required by some tools, and allowed by these.
  ...(own.includes('idempotency_key') &&
    !headers?.['idempotency-key'] && { idempotency_key: crypto.randomUUID() }),
});

describe('the tools', () => {
  test('are the current routes that require a caller, neither take nor return a credential, and do not change who has access', () => {
    const missing = distinctRoutes.filter((route) => !tools.some((each) => each.route === route));
    expect(missing.map(({ document }) => document.name).toSorted()).toEqual(
      [
        // Require no caller.
        ...['Login', 'RefreshSession', 'Logout', 'RequestPasswordReset', 'ResetPassword'],
        ...['GetReceivedInvitation', 'AcceptInvitation', 'RecordPaymentEvent', 'RecordStripeEvent'],
        // Take or return a credential.
        ...['ChangePassword', 'CreateMember', 'CreateApiKey', 'CreateApp', 'CreateAppSecret'],
        ...['CreateWebhook', 'CreateWebhookSecret'],
        // Change members, invitations, keys, certificates, apps or the receivers of webhooks.
        ...['UpdateMember', 'DeleteMember', 'CreateInvitation', 'RevokeInvitation'],
        ...['CreateClientCertificate', 'RevokeClientCertificate', 'RevokeApiKey', 'UpdateApp', 'DeleteApp'],
        ...['CreateInstallation', 'DeleteInstallation', 'UpdateWebhook', 'DeleteWebhook'],
        ...['CreateWebhookTest', 'CreateWebhookAttempt'],

        // Are deprecated.
        ...['CreateChargeV1', 'GetChargeV1'],
      ].toSorted(),
    );
  });

  test.each(tools)(
    '$name has a description and schemas that are valid and say what its inputs are',
    ({ tool }) => {
      expect(tool.name).toMatch(/^[a-z][a-z_]{2,63}$/);
      expect(tool.description).toMatch(/^[A-Z].{10,}/s);
      expect(ajv.validateSchema(tool.inputSchema), ajv.errorsText()).toBe(true);
      expect(tool.outputSchema === undefined || ajv.validateSchema(tool.outputSchema), ajv.errorsText()).toBe(
        true,
      );
      expect(JSON.stringify(tool.inputSchema)).not.toContain('$ref');
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect(schema.description, name).toMatch(/\w{3}/);
      }
    },
  );

  test('have hints about their effect on existing data', () => {
    const hints = Object.fromEntries(
      api.tools.map(({ name, isReadOnly, isDestructive, isIdempotent }) => [
        name,
        [isReadOnly && 'reads', isDestructive && 'destroys', isIdempotent && 'repeats']
          .filter(Boolean)
          .join(' '),
      ]),
    );
    expect(hints).toMatchObject({
      get_order: 'reads repeats',
      create_order: '',
      update_order: 'destroys',
      replace_order: 'destroys repeats',
      delete_order: 'destroys repeats',
      create_charge: 'repeats',
    });
  });
});

describeEachEngine('a call of', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);
  let listed: readonly ListedTool[];

  beforeAll(async () => {
    const { body } = await ask<{ tools: readonly ListedTool[] }>(app, 'tools/list', {}, { as: 'ada' });
    listed = body.result?.tools ?? [];
  });

  test('a listed tool has a name, a title, schemas and annotations', () => {
    expect(listed.map(({ name }) => name)).toEqual(api.tools.map(({ name }) => name));
    const reading = listed.find(({ name }) => name === 'get_order');
    expect(reading).toMatchObject({
      title: 'Get order',
      description: 'One order of your organisation.',
      inputSchema: { type: 'object', required: ['order_id'], additionalProperties: false },
      annotations: { title: 'Get order', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    });
  });

  test.each(tools)('$name returns the same as its route', async ({ name, route, make }) => {
    const call = await make(fixtures);
    const described = listed.find((each) => each.name === name);
    const args = argumentsOf(call, Object.keys(described?.inputSchema.properties ?? {}));
    const isInput = ajv.compile(described?.inputSchema ?? {});
    expect(isInput(args), ajv.errorsText(isInput.errors)).toBe(true);
    // The session of this call belongs to ed.
    const as: Person = name === 'end_session' ? 'ed' : 'ada';
    const answer = await callTool(app, name, args, { as });
    expect(failureIn(answer)).toBeUndefined();
    expect(answer.status).toBe(200);
    const { structuredContent, content } = answer.body.result ?? { content: [] };
    if (route.status === 204) {
      expect([structuredContent, content]).toEqual([undefined, [{ type: 'text', text: 'Done.' }]]);
      return;
    }
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    const isOutput = ajv.compile(described?.outputSchema ?? false);
    expect(isOutput(structuredContent), ajv.errorsText(isOutput.errors)).toBe(true);
    if (route.method !== 'GET') return;
    const path = route.path.replace(/\{(\w+)\}/g, (_, variable: string) => String(call.params?.[variable]));
    expect(structuredContent).toEqual((await app.get(path, { as })).body);
  });

  /** The number of strange values that were sent. */
  let sent = 0;

  test.each(runsAllCases(engine) ? tools : [])(
    '$name fails on no argument without a reason',
    async ({ name, tool, make }) => {
      const args = argumentsOf(await make(fixtures), []);
      for (const argument of Object.keys(tool.inputSchema.properties ?? {})) {
        for (let count = 0; count < VALUES; count += 1) {
          const value = STRANGE[sent % STRANGE.length];
          sent += 1;
          const answer = await callTool(app, name, { ...args, [argument]: value }, { as: 'ada' });
          expect(answer.status, `${argument}: ${JSON.stringify(value)}`).toBeLessThan(500);
          expect(failureIn(answer)?.code).not.toBe('internal_error');
        }
      }
    },
  );

  const lists = tools.flatMap(({ tool, ...rest }) =>
    Object.entries(tool.inputSchema.properties ?? {})
      .filter(([, { type }]) => type === 'array')
      .map(([argument]) => ({ ...rest, tool, argument })),
  );

  test.each(lists)(
    '$name refuses an empty $argument only if its schema does',
    async ({ name, tool, make, argument }) => {
      const args = { ...argumentsOf(await make(fixtures), Object.keys(tool.inputSchema.properties ?? {})) };
      const input = { ...args, [argument]: [] };
      const failure = failureIn(await callTool(app, name, input, { as: 'ada' }));
      const isRefused = (failure?.details ?? []).some(({ path }) => path === argument);
      expect(ajv.validate(tool.inputSchema, input), JSON.stringify(failure)).toBe(!isRefused);
    },
  );

  test('a list supports the parameters of its route', async () => {
    const args = { user_id: 1, status: 'pending', sort: '-total', limit: 2 };
    const { body } = await callTool(app, 'list_user_orders', args, { as: 'ada' });
    const route = await app.get('/v1/users/1/orders?status=pending&sort=-total&limit=2', { as: 'ada' });
    expect(body.result?.structuredContent).toEqual(route.body);
    expect(body.result?.structuredContent).toMatchObject({
      pagination: { next: expect.stringContaining('page=2') },
    });

    const types = { type: ['order.created', 'order.cancelled'], limit: 3, cursor: null };
    const feed = await callTool(app, 'get_feed', types, { as: 'ada' });
    const read = await app.get('/feed?type=order.created&type=order.cancelled&limit=3', { as: 'ada' });
    expect(feed.body.result?.structuredContent).toEqual(read.body);
  });

  test('a change applies only to the version in if_match', async () => {
    const order = await fixtures.order();
    const read = await callTool(app, 'get_order', { order_id: order }, { as: 'ada' });
    const etag = read.body.result?._meta?.['portico/etag'];
    expect(etag).toBe((await app.get(`/v1/orders/${order}`, { as: 'ada' })).headers.get('etag'));
    const cancel = { order_id: order, status: 'cancelled' };
    const stale = await callTool(app, 'update_order', { ...cancel, if_match: '"v9"' }, { as: 'ada' });
    expect(failureIn(stale)?.code).toBe('precondition_failed');
    const changed = await callTool(app, 'update_order', { ...cancel, if_match: etag }, { as: 'ada' });
    expect(changed.body.result?.structuredContent).toMatchObject({ id: order, status: 'cancelled' });
  });

  test('a repeated change returns the first outcome, also through REST', async () => {
    const key = fixtures.key();
    const args = { user_id: 1, items: [{ product_id: 1, qty: 2 }], idempotency_key: key };
    const before = await app.fingerprint();
    const first = await callTool(app, 'create_order', args, { as: 'ada' });
    const again = await callTool(app, 'create_order', args, { as: 'ada' });
    expect(again.body.result).toMatchObject({
      structuredContent: first.body.result?.structuredContent,
      _meta: { 'portico/idempotent-replayed': true },
    });
    expect(first.body.result?._meta).not.toHaveProperty('portico/idempotent-replayed');
    const route = await app.post('/v1/users/1/orders', {
      as: 'ada',
      body: { items: args.items },
      headers: { 'idempotency-key': key },
    });
    expect([route.headers.get('idempotent-replayed'), route.body]).toEqual([
      'true',
      first.body.result?.structuredContent,
    ]);
    const after = await app.fingerprint();
    expect(after.orders.rows - before.orders.rows).toBe(1);
    const other = { ...args, items: [{ product_id: 2, qty: 2 }] };
    expect(failureIn(await callTool(app, 'create_order', other, { as: 'ada' }))?.code).toBe(
      'idempotency_key_reused',
    );
    const charge = { amount: { value: 5, currency: 'USD' }, source: 'tok_visa' };
    expect(failureIn(await callTool(app, 'create_charge', charge, { as: 'ada' }))?.code).toBe(
      'idempotency_key_required',
    );
  });

  test('a tool neither reads nor changes data of another organisation', async () => {
    const before = await app.fingerprint();
    for (const [name, args] of [
      ['get_order', { order_id: 1 }],
      ['update_order', { order_id: 1, status: 'cancelled' }],
      ['list_documents', { org: 'acme' }],
      ['list_user_orders', { user_id: 1 }],
    ] as const) {
      expect(failureIn(await callTool(app, name, args, { as: 'gil' }))?.code, name).toBe('forbidden');
    }
    const orders = await callTool(app, 'list_orders', {}, { as: 'gil' });
    const route = await app.get('/v1/orders', { as: 'gil' });
    expect(orders.body.result?.structuredContent).toEqual(route.body);
    expect(await app.fingerprint()).toEqual(before);
  });

  test('a tool is counted as a use of its operation through this door', async () => {
    await callTool(app, 'get_product', { product_id: 1 }, { as: 'ada' });
    await app.usage.write();
    const { body } = await app.get<{ data: object[] }>('/v1/operation-uses?limit=100', { as: 'ada' });
    expect(body.data).toContainEqual(expect.objectContaining({ door: 'mcp', operation: 'GetProduct' }));
  });
});
