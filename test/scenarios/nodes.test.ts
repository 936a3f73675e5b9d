/**
 * `node(id:)` returns the same as the field of the object's type, for every caller. The types are derived
 * from the schema.
 */
import { getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeIdOf } from '../../src/graphql/nodes.ts';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addRowOfEachTable, type ForeignRows, tableNamed } from '../support/fixtures/table-rows.ts';

const interfaceOfNodes = schema.getType('Node');
const types = isInterfaceType(interfaceOfNodes) ? schema.getPossibleTypes(interfaceOfNodes) : [];

/** The fields of `Query` that return one object by its id. */
const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
  ({ name, args, type }) =>
    name !== 'node' && isObjectType(type) && args.some((argument) => argument.name === 'id'),
);

test('exactly the types with a lookup field are nodes', () => {
  const names = roots.map(({ type }) => getNamedType(type).name);
  expect(types.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(['Order', 'Document', 'Activity', 'User']));
});

interface Found {
  readonly __typename: string;
  readonly id: string;
  readonly nodeId: string;
}

const OBJECT = '__typename id nodeId';

describeEachEngine('a node', (engine) => {
  const app = startApp(engine);
  let rows: readonly ForeignRows[] = [];

  beforeAll(async () => {
    const acme = await addRowOfEachTable(engine.database, { org: 'acme', firstId: 10_000_000, word: 'ours' });
    const globex = await addRowOfEachTable(engine.database, {
      org: 'globex',
      firstId: 20_000_000,
      word: 'theirs',
    });
    rows = [acme, globex];
  });

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const CALLERS: Readonly<Record<string, () => Promise<{ headers?: Record<string, string> }>>> = {
    admin: async () => bearer((await app.signIn('ada')).token),
    editor: async () => bearer((await app.signIn('ed')).token),
    viewer: async () => bearer((await app.signIn('vic')).token),
    'another organisation': async () => bearer((await app.signIn('gil')).token),
    'a token with one scope': async () => bearer((await app.signIn('ada', ['read:orders'])).token),
    anonymous: async () => ({}),
  };

  async function ask(call: string, selection: string, caller: { headers?: Record<string, string> }) {
    const response = await app.graphql<{ it: Found | null }>(`{ it: ${call} { ${selection} } }`, {}, caller);
    const { requestedQueryCost, actualQueryCost } = response.cost ?? {};
    const found = { it: response.body.data?.it ?? null, codes: codesOf(response) };
    return { found, points: [requestedQueryCost, actualQueryCost] };
  }

  describe.each(roots)('of Query.$name', ({ name, args, type }) => {
    const typeName = getNamedType(type).name;
    const rootCall = (id: number) =>
      `${name}(${args.some((argument) => argument.name === 'org') ? 'org: "acme", ' : ''}id: ${id})`;
    const nodeCall = (id: number) => `node(id: "${nodeIdOf(typeName, id)}")`;

    test.each(Object.keys(CALLERS))('for %s', async (kind) => {
      const caller = (await CALLERS[kind]?.()) ?? {};
      for (const id of [...rows.map(({ ids }) => ids.get(tableNamed(name) ?? '') ?? 0), 999_999_999]) {
        const { found: byNode } = await ask(nodeCall(id), OBJECT, caller);
        const { found: byType } = await ask(rootCall(id), OBJECT, caller);
        // A caller of another organisation would name its own organisation, and be refused for that.
        if (kind === 'another organisation' && rootCall(id).includes('org:')) {
          expect(byNode.it?.id ?? null).not.toBe(String(rows[0]?.ids.get(tableNamed(name) ?? '')));
          continue;
        }
        expect(byNode).toEqual(byType);
        if (byNode.it)
          expect(byNode.it).toEqual({ __typename: typeName, id: String(id), nodeId: nodeIdOf(typeName, id) });
      }
    });

    test('is found by an administrator', async () => {
      const id = rows[0]?.ids.get(tableNamed(name) ?? '') ?? 0;
      const { found } = await ask(nodeCall(id), OBJECT, bearer((await app.signIn('ada')).token));
      expect(found.it?.id).toBe(String(id));
    });
  });

  test.each([
    [
      'Order',
      'order(id: 1)',
      'status items { id product { name } } history(first: 3) { nodes { id actor { name } } }',
    ],
    ['Document', 'document(org: "acme", id: 1)', 'title body author { name orders(last: 2) { id } }'],
    ['User', 'user(id: 1)', 'name unreadNotifications orders(first: 4) { id items { id } }'],
  ])('%s costs the same as through its own field', async (typeName, call, selection) => {
    const caller = bearer((await app.signIn('ada')).token);
    const byType = await ask(call, selection, caller);
    const byNode = await ask(
      `node(id: "${nodeIdOf(typeName, 1)}")`,
      `... on ${typeName} { ${selection} }`,
      caller,
    );
    expect(byNode).toEqual(byType);
    expect(byNode.found.it).not.toBeNull();
  });

  test('has the fields of its own type, with errors at their paths', async () => {
    const { token } = await app.signIn('ada', ['read:orders']);
    const document = `query ($order: ID!, $product: ID!) {
      order: node(id: $order) { ...Shown } product: node(id: $product) { ...Shown }
    }
    fragment Shown on Node { nodeId ... on Order { user { name } items(first: 1) { qty } } ... on Product { name } }`;
    const variables = { order: nodeIdOf('Order', 1), product: nodeIdOf('Product', 1) };
    const { body } = await app.graphql<{ order: unknown; product: unknown }>(
      document,
      variables,
      bearer(token),
    );
    expect(body.data?.product).toEqual({ nodeId: variables.product, name: 'Desk lamp' });
    expect(body.data?.order).toBeNull();
    expect(body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['order', 'user'], 'insufficient_scope'],
    ]);
  });

  test.each([
    '',
    'x',
    '1',
    'Order:1',
    `${nodeIdOf('Order', 1)}=`,
    `${nodeIdOf('Order', 1)} `,
    nodeIdOf('Order', '01'),
    nodeIdOf('Order', '1.0'),
    nodeIdOf('Order', '-1'),
    nodeIdOf('Order', '99999999999999999999'),
    nodeIdOf('order', 1),
    nodeIdOf('Query', 1),
    nodeIdOf('Item', 1),
    nodeIdOf('__proto__', 1),
    nodeIdOf('constructor', 1),
    'T3JkZXI6MQ'.repeat(10_000),
  ])('is null for %o', async (id) => {
    const response = await app.graphql('query ($id: ID!) { node(id: $id) { id } }', { id }, { as: 'ada' });
    expect(response.body).toMatchObject({ data: { node: null } });
    expect(response.body.errors).toBeUndefined();
  });
});
