/** Every list by cursor is a connection as in Relay's specification, with additional fields. */
import {
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { Prices } from '../../src/pipeline/price/prices.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { schema } from '../support/api.ts';
import { DEFAULTS } from '../support/settings.ts';

const prices = new Prices(schema);
const pricing = createPricing(schema, { ...DEFAULTS.operations, cost: Number.MAX_SAFE_INTEGER });

const types = Object.values(schema.getTypeMap()).filter(
  (type) => isObjectType(type) || isInterfaceType(type),
);
const fields = types.flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));

/** Lists with a cursor argument, whatever the names of their types. */
const lists = fields
  .filter(({ field }) => field.args.some(({ name }) => name === 'after'))
  .filter(({ type }) => type !== schema.getSubscriptionType())
  .map(({ type, field }) => ({ name: `${type.name}.${field.name}`, field }));

const typesOf = (name: string) => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is not an object type.`);
  return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, String(field.type)]));
};

test('the schema has lists of each kind', () => {
  expect(lists.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Query.feed', 'Query.products', 'Query.organisationOrders', 'Charge.history']),
  );
});

test('PageInfo has the fields of the connection specification', () => {
  expect(typesOf('PageInfo')).toEqual({
    hasNextPage: 'Boolean!',
    hasPreviousPage: 'Boolean!',
    startCursor: 'String',
    endCursor: 'String',
  });
});

describe.each(lists)('$name', ({ field }) => {
  const page = typesOf(getNamedType(field.type).name);
  const listed = page['nodes']?.replace(/\W/g, '') ?? '';

  test('is a connection', () => {
    expect(page).toMatchObject({
      nodes: `[${listed}!]!`,
      edges: `[${listed}Edge!]!`,
      pageInfo: 'PageInfo!',
      endCursor: 'String',
      hasNextPage: 'Boolean!',
      nextCursor: 'String',
    });
    expect(typesOf(`${listed}Edge`)).toEqual({ cursor: 'String!', node: `${listed}!` });
  });

  test('takes the arguments of the connection specification', () => {
    const args = Object.fromEntries(field.args.map(({ name, type }) => [name, String(type)]));
    expect(args).toMatchObject({ first: 'Int', after: 'String' });
  });

  test('has as many edges as nodes', () => {
    expect([...(prices.of(field, false).size?.sizedFields ?? [])]).toEqual(['nodes', 'edges']);
  });
});

/** The maximum cost of an operation, and its actual cost for a page of this length. */
function pricesOf(call: string, selection: string, page: object): readonly [number, number] {
  const document = parse(`{ page: ${call} ${selection} }`);
  // The text is a single operation without fragments.
  const price = pricing.of(document.definitions[0] as OperationDefinitionNode);
  return [price.requested({}), price.actual({ page })];
}

const GIVEN: Readonly<Record<string, string>> = { org: '"acme"', webhookId: '1', chargeId: '1' };

describe.each(lists.filter(({ name }) => name.startsWith('Query.')))('$name', ({ field }) => {
  test('costs the same by its edges as by its nodes, plus a point for their cursors', () => {
    const required = field.args.filter(({ type }) => isNonNullType(type));
    const given = ['first: 7', ...required.map(({ name }) => `${name}: ${GIVEN[name]}`)];
    const call = `${field.name}(${given.join(', ')})`;
    const nodes = Array.from({ length: 7 }, () => ({ __typename: '' }));
    const edges = nodes.map((node) => ({ cursor: '', node }));
    expect(pricesOf(call, '{ nodes { __typename } }', { nodes })).toEqual([8, 8]);
    expect(pricesOf(call, '{ edges { cursor node { __typename } } }', { edges })).toEqual([9, 9]);
  });
});
