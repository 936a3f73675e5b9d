/**
 * Consistency of client caches. Clients store objects by type and id, and merge all responses. So each field
 * without arguments must have one value, on every path through the schema that leads to its object, streams
 * and the results of mutations included.
 * The operations are generated from the schema, so new types, fields and paths are covered automatically.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getNamedType, isNonNullType, isObjectType, parse } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import type { Field } from '../../src/graphql/field.ts';
import { nodeIdOf } from '../../src/graphql/nodes.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { GRAPH_CALLS } from '../access/shared/rules.ts';
import { type RootField, rootFields } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { grow } from '../support/fixtures/table-rows.ts';
import { ROOT, waitUntil } from '../support/process.ts';
import { eventsIn, openEventStream } from '../support/raw-clients.ts';
import { NormalisingCache, selectionAlong, type Way, waysFrom } from './normalising-cache.ts';

/**
 * Fields from the root down: a page, its nodes, an object beside each, and one beside that. `LENGTH=6` takes
 * a minute. Paths do not depend on the engine, so PostgreSQL runs the shorter ones.
 */
const LENGTH = { sqlite: Number(process.env['LENGTH'] ?? 4), postgres: 3 };

/** The values of arguments by name: ids of the demo data, and those that `grow` creates. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '2', '3', '100001'],
  org: ['"acme"'],
  userId: ['1', '2'],
  documentId: ['1', '100001'],
  webhookId: ['100001'],
  chargeId: ['100001'],
  refundId: ['100001'],
  deliveryId: ['100001'],
  token: ['"unknown"'],
};

/** The required arguments of a root field, in every combination of their values. */
function argumentsOf({ name, field }: RootField): string[] {
  const required = field.args.filter(({ type }) => isNonNullType(type));
  return required.reduce<string[]>(
    (lists, argument) => {
      const values = ARGUMENTS[argument.name];
      if (!values) throw new Error(`Add a value for ${name}(${argument.name}:) to ARGUMENTS.`);
      return lists.flatMap((list) =>
        values.map((value) => `${list}${list && ', '}${argument.name}: ${value}`),
      );
    },
    [''],
  );
}

/** The types of the demo data, of the rows from `grow`, and of the rows created here. */
const TYPES = [
  ...[
    'Activity',
    'Actor',
    'ApiKey',
    'App',
    'Charge',
    'Document',
    'Installation',
    'Item',
    'Order',
    'Product',
    'User',
  ],
  ...[
    'Webhook',
    'WebhookDelivery',
    'WebhookAttempt',
    'AppSubject',
    'DocumentSubject',
    'OrderSubject',
    'UserSubject',
    'ApiKeyCredentials',
    'SessionCredentials',
    'Share',
  ],
];

/** The type of the object whose id a mutation returns, for those that return nothing else. */
const TYPES_OF_IDS: Readonly<Record<string, string>> = {
  revokeApiKey: 'ApiKey',
  deleteApp: 'App',
  revokeClientCertificate: 'ClientCertificate',
  deleteDocument: 'Document',
  deleteShare: 'User',
  revokeGrant: 'Grant',
  deleteInstallation: 'Installation',
  revokeInvitation: 'Invitation',
  deleteMember: 'User',
  deleteOrder: 'Order',
  endSession: 'ActiveSession',
  deleteWebhook: 'Webhook',
};

/** The mutations after which an object is still found, according to the guide. */
const KEEPING = (() => {
  const guide = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const [paragraph = ''] = /^A mutation that only returns an `id`.*?\n\n/ms.exec(guide) ?? [];
  return [...paragraph.matchAll(/`((?:revoke|delete|end)\w+)`/g)].flatMap(([, name]) => name ?? []);
})();

/** Replaces the selection of an operation with one field. */
function withSelection(document: string, selection: string): string {
  const [operation] = parse(document).definitions;
  const [field] = operation && 'selectionSet' in operation ? (operation.selectionSet?.selections ?? []) : [];
  const former = field && 'selectionSet' in field ? field.selectionSet?.loc : undefined;
  if (!former) throw new Error(`The field of ${document} has no selection.`);
  return document.slice(0, former.start) + selection + document.slice(former.end);
}

interface Shown {
  readonly nodeId: string;
  readonly __typename: string;
}

const placeOf = ({ fields }: Way) => fields.map(({ name }) => name).join('.');

const queries = rootFields.filter(({ operation }) => operation === 'query');
/** Whether a field returns an object which can be read by its `nodeId`. */
function isNode({ type }: Field): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && 'nodeId' in named.getFields();
}

/** The mutations that return such an object, or one with it as a member, such as a new webhook beside its secret. */
const mutations = rootFields.flatMap(({ name, operation, field }) => {
  if (operation !== 'mutation') return [];
  const type = getNamedType(field.type);
  if (isNode(field)) return [{ name, field, shown: field }];
  const members = isObjectType(type) ? Object.values(type.getFields()) : [];
  const member = members.find((each) => isNonNullType(each.type) && isNode(each));
  return member ? [{ name, field, shown: member }] : [];
});
const removals = rootFields.filter(
  ({ operation, field }) => operation === 'mutation' && getNamedType(field.type).name === 'ID',
);
const subscriptions = rootFields.filter(({ operation }) => operation === 'subscription');

describeEachEngine('the cache of a client', (engine) => {
  const app = startApp(engine, { operations: { cost: 1_000_000 } });
  const fixtures = createFixtures(app, engine);
  const cache = new NormalisingCache();
  let start = '';
  let orderId = 0;

  beforeAll(async () => {
    // A session and an API key with the same id, both in the audit log. The ids of later rows are those of `grow`.
    const newKey = { name: 'ci', scopes: ['read:orders', 'write:orders'] };
    const { body: key } = await app.post<{ id: number; key: string }>('/v1/api-keys', {
      as: 'ada',
      body: newKey,
    });
    await app.post('/v1/users/1/orders', {
      headers: { authorization: `ApiKey ${key.key}` },
      body: { items: [{ product_id: 1, qty: 1 }] },
    });
    await grow(engine, 0, 20);
    const { body } = await app.graphql<{ feed: { nodes: { cursor: string }[] } }>(
      '{ feed(first: 1) { nodes { cursor } } }',
      {},
      { as: 'ada' },
    );
    start = body.data?.feed.nodes[0]?.cursor ?? '';
    orderId = (await placeOrder(app)).id;
    await app.patch(`/v1/orders/${orderId}`, { as: 'ada', body: { status: 'shipped' } });
    // Subjects of several kinds with the same id, whose events are in the feed, in histories and in streams.
    await app.patch('/v1/orders/1', { as: 'ada', body: { status: 'cancelled' } });
    await app.patch('/v1/orgs/acme/docs/1', { as: 'ada', body: { title: 'Changed' } });
    const newApp = { name: 'Sync', type: 'service', scopes: ['read:orders'] };
    expect((await app.post('/v1/apps', { as: 'ada', body: newApp })).status).toBe(201);
    await app.patch('/v1/users/1', { as: 'ada', body: { name: 'Ada Changed' } });
  });

  /** Runs an operation and stores its response in the cache. */
  async function read(way: Way, size: number | undefined, given: string): Promise<void> {
    const document = `{ ${selectionAlong(way, size, given)} }`;
    const { body, text } = await app.graphql<Record<string, unknown>>(document, {}, { as: 'ada' });
    // A row of another organisation, or a missing one.
    const codes = (body.errors ?? []).map(({ extensions: { code } }) => code);
    expect(
      codes.filter((code) => code !== 'forbidden' && code !== 'not_found'),
      `${document}\n${text}`,
    ).toEqual([]);
    cache.add(body.data, placeOf(way), size === undefined ? '' : `(${size})`);
  }

  test.each(queries)(
    '$name',
    async (query) => {
      for (const given of argumentsOf(query)) {
        for (const way of waysFrom(query.field, LENGTH[engine.name])) {
          for (const size of [undefined, 2]) await read(way, size, given);
        }
      }
      expect(cache.conflicts.slice(0, 10)).toEqual([]);
    },
    180_000,
  );

  test.each(subscriptions)('$name', async ({ field }) => {
    const required = field.args.some(({ name }) => name === 'id') ? `id: ${orderId}, ` : '';
    const { token } = await app.signIn('ada');
    for (const way of waysFrom(field, LENGTH[engine.name])) {
      const document = `subscription { ${selectionAlong(way, undefined, `${required}after: "${start}"`)} }`;
      const stream = await openEventStream(`${app.url}/graphql`, token, {}, document);
      await waitUntil(() => eventsIn(stream.text).length >= 2, 'both events of the order');
      stream.stop();
      for (const { data } of eventsIn(stream.text)) cache.add(JSON.parse(data).data, placeOf(way));
    }
    expect(cache.conflicts.slice(0, 10)).toEqual([]);
  });

  /** A type without rows would not be covered. */
  test('has objects of every type with rows in this suite', () => {
    expect([...cache.types]).toEqual(expect.arrayContaining([...TYPES]));
  });

  test.each(removals)(
    '$name returns the id of an object to evict, or to read again',
    async ({ name, field }) => {
      const call = await GRAPH_CALLS[name]?.(fixtures);
      const type = TYPES_OF_IDS[field.name];
      if (!call || type === undefined)
        throw new Error(`Add ${field.name} to TYPES_OF_IDS, and to test/access/.`);
      const removed = await app.graphql<Record<string, string>>(
        call.document,
        { ...call.variables },
        { as: 'ada' },
      );
      const id = removed.body.data?.[field.name] ?? '';
      const { body } = await app.graphql<{ node: { id: string } | null }>(
        `{ node(id: "${nodeIdOf(type, id)}") { id } }`,
        {},
        { as: 'ada' },
      );
      expect(body).toMatchObject({ data: { node: KEEPING.includes(field.name) ? { id } : null } });
    },
  );

  // Last, since they change what the other operations have read.
  test.each(mutations)('$name', async ({ name, field, shown }) => {
    const cacheOfResult = new NormalisingCache();
    for (const way of waysFrom(shown, 2)) {
      const call = await GRAPH_CALLS[name]?.(fixtures);
      if (!call) throw new Error(`There is no request for ${name} in test/access/.`);
      const selection = selectionAlong(way, undefined).replace(shown.name, '');
      const document = withSelection(
        call.document,
        shown === field ? selection : `{ ${shown.name} ${selection} }`,
      );
      const changed = await app.graphql<Record<string, Shown & Readonly<Record<string, Shown>>>>(
        document,
        { ...call.variables },
        { as: 'ada' },
      );
      expect(changed.body.errors, document).toBeUndefined();
      cacheOfResult.add(changed.body.data, name);
      const result = changed.body.data?.[field.name];
      const { nodeId, __typename: type } = (shown === field ? result : result?.[shown.name]) ?? {};
      const read = await app.graphql(
        `{ node(id: "${nodeId}") { ... on ${type} ${selection} } }`,
        {},
        { as: 'ada' },
      );
      expect(read.body.errors).toBeUndefined();
      cacheOfResult.add(read.body.data, 'node');
    }
    expect(cacheOfResult.conflicts).toEqual([]);
  });
});

test('a field with different values in two places is detected', () => {
  const cache = new NormalisingCache();
  cache.add({ user: { __typename: 'User', id: '1', name: 'Ada' } }, 'here');
  cache.add({ author: { __typename: 'User', id: '1', name: 'Ed' } }, 'there');
  cache.add({ actor: { __typename: 'Actor', id: '1', name: 'Ed' } }, 'there');
  expect(cache.conflicts).toEqual(['User:1.name: "Ada" by here; "Ed" by there']);
});
