/**
 * The cost of operations: every form of a page size, and the rule that a response has no more objects than
 * its price.
 */
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createPricing, requireAllowed } from '../../src/pipeline/price/pricing.ts';
import { expandOperation } from '../../src/pipeline/response-fields.ts';
import { DEFAULTS } from '../support/settings.ts';

const schema = buildSchema();

function priceIn(
  of: GraphQLSchema,
  query: string,
  variables: Record<string, unknown> = {},
  pageMax = DEFAULTS.operations.pageMax,
): number {
  const document = parse(query);
  expect(validate(of, document)).toEqual([]);
  const [operation] = document.definitions;
  if (operation?.kind !== 'OperationDefinition') throw new Error('The document has no operation.');
  return createPricing(of, { pageMax, cost: Number.POSITIVE_INFINITY })
    .of(expandOperation(document, operation))
    .requested(variables);
}

const price = (query: string, variables?: Record<string, unknown>) => priceIn(schema, query, variables);

describe('the cost of an operation', () => {
  test.each([
    ['only a leaf', '{ __typename }', 1],
    ['an object', '{ me { id name } }', 1],
    ['an object in an object', '{ order(id: 1) { id user { id } } }', 2],
    ['one order with its items', '{ order(id: 1) { id items { id name } } }', 6],
    ['a page', '{ products { nodes { id } } }', 21],
    ['a page of size 0', '{ products { endCursor } }', 1],
    ['a page with fields beside its nodes', '{ orders(userId: 1) { nodes { id } pageInfo { total } } }', 22],
    [
      'lists within lists',
      '{ user(id: 1) { orders(last: 10) { items(first: 3) { product { id } } } } }',
      1 + 10 * (1 + 3 * 2),
    ],
    [
      'a fragment, at each use',
      '{ a: me { ...F } b: me { ...F ...F } } fragment F on User { orders(first: 2) { id } }',
      1 + 2 + 1 + 4,
    ],
    [
      'an inline fragment',
      '{ ... on Query { products(first: 3) { ... { nodes { ... on Product { id } } } } } }',
      4,
    ],
    ['a fragment of a page', '{ products(first: 3) { ...P } } fragment P on ProductPage { nodes { id } }', 4],
    ['a mutation', 'mutation { deleteOrder(id: 1) }', 10],
    ['a mutation with its object', 'mutation { updateOrder(id: 1, input: {}) { id items { id } } }', 16],
    ['two mutations', 'mutation { a: deleteOrder(id: 1) b: deleteOrder(id: 2) }', 20],
    ['the schema', '{ __schema { types { name } } }', 100],
    ['a type of the schema', '{ __type(name: "Order") { name } }', 10],
  ])('%s', (_name, query, points) => {
    expect(price(query)).toBe(points);
  });
});

/** Each of them selects products, and costs 1 for the page and 1 for each product. */
describe('the size of a page', () => {
  const QUERY = 'query($n: Int) { products(first: $n) { nodes { id } } }';
  const WITH_DEFAULT = 'query($n: Int = 7) { products(first: $n) { nodes { id } } }';

  test.each<[string, string, Record<string, unknown>, number]>([
    ['absent: the default', '{ products { nodes { id } } }', {}, 21],
    ['null: the default', '{ products(first: null) { nodes { id } } }', {}, 21],
    ['a number', '{ products(first: 3) { nodes { id } } }', {}, 4],
    ['0', '{ products(first: 0) { nodes { id } } }', {}, 1],
    ['-1 does not reduce the cost', '{ products(first: -1) { nodes { id } } }', {}, 1],
    [
      '-1000 beside others does not reduce the cost',
      '{ products(first: -1000) { nodes { id } } me { id } }',
      {},
      2,
    ],
    ['101 is 100', '{ products(first: 101) { nodes { id } } }', {}, 101],
    ['2^31-1 is 100', '{ products(first: 2147483647) { nodes { id } } }', {}, 101],
    ['a variable', QUERY, { n: 3 }, 4],
    ['an absent variable', QUERY, {}, 21],
    ['a null variable', QUERY, { n: null }, 21],
    ['a variable of -1', QUERY, { n: -1 }, 1],
    ['a variable of 101', QUERY, { n: 101 }, 101],
    ['a variable of 2^31, which the executor refuses', QUERY, { n: 2 ** 31 }, 1],
    ['a variable of "3", which the executor refuses', QUERY, { n: '3' }, 1],
    ["a variable's default", WITH_DEFAULT, {}, 8],
    ["a variable's default and a value", WITH_DEFAULT, { n: 3 }, 4],
    ["a variable's default and null", WITH_DEFAULT, { n: null }, 21],
    [
      'both ends, which the resolver refuses: the larger one',
      '{ user(id: 1) { orders(first: 2, last: 9) { id } } }',
      {},
      10,
    ],
  ])('%s', (_name, query, variables, points) => {
    expect(price(query, variables)).toBe(points);
  });

  const CONDITIONS =
    'query($v: Boolean!, $n: Int) { a: me { id } products(first: $n) @DIRECTIVE(if: $v) { nodes { id } } }';
  test.each<[string, string, boolean, number]>([
    ['@skip of true omits it', 'skip', true, 1],
    ['@skip of false does not', 'skip', false, 5],
    ['@include of false omits it', 'include', false, 1],
    ['@include of true does not', 'include', true, 5],
  ])('%s', (_name, directive, v, points) => {
    expect(price(CONDITIONS.replace('DIRECTIVE', directive), { v, n: 3 })).toBe(points);
  });

  test.each([
    ['@skip(if: true) omits it', '@skip(if: true)', 1],
    ['@skip(if: false) does not', '@skip(if: false)', 5],
    ['@include(if: false) omits it', '@include(if: false)', 1],
    ['@include(if: true) does not', '@include(if: true)', 5],
    ['one of two omits it', '@include(if: true) @skip(if: true)', 1],
    ['a literal omits it beside a variable that does not', '@include(if: $v) @skip(if: true)', 1],
    ['a variable omits it beside a literal that does not', '@include(if: true) @skip(if: $v)', 1],
  ])('%s', (_name, directives, points) => {
    const query = `query($v: Boolean = true) { me @include(if: $v) { id } products(first: 3) ${directives} { nodes { id } } }`;
    expect(price(query)).toBe(points);
  });

  test('the default of a condition applies', () => {
    const query =
      'query($v: Boolean = true) { me { id } ...F @skip(if: $v) } fragment F on Query { products { nodes { id } } }';
    expect(price(query)).toBe(1);
    expect(price(query, { v: false })).toBe(22);
  });
});

describe('PAGE_MAX', () => {
  test.each([
    ['limits the default size of a page', '{ products { nodes { id } } }', 2],
    ['limits the default size of a nested page', '{ me { orders { id } } }', 2],
    ['limits a requested size', '{ order(id: 1) { items(first: 3) { id } } }', 2],
    ['does not limit a list that is not a page', '{ order(id: 1) { items { id } } }', 6],
    [
      'does not limit a list without arguments',
      '{ document(org: "acme", id: 1) { shares { relation } } }',
      6,
    ],
  ])('%s', (_name, query, points) => {
    expect(priceIn(schema, query, {}, 1)).toBe(points);
  });
});

describe('the cost directives in the SDL', () => {
  const DIRECTIVES = `
    directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean! = false) on FIELD_DEFINITION`;
  const own = makeExecutableSchema({
    typeDefs: `${DIRECTIVES}
    type Thing @cost(weight: "5") { id: ID parts: [Thing!]! grid: [[Thing]] hard: Int @cost(weight: "3") }
    input Page { first: Int = 4 after: String }
    interface Named { name: String things: [Thing] }
    type One implements Named { name: String things: [Thing] own: Thing }
    type Query {
      thing: Thing @cost(weight: "2")
      some(page: Page): [Thing] @listSize(slicingArguments: ["page.first"], assumedSize: 9)
      few(first: Int = 3, last: Int): [Thing] @listSize(slicingArguments: ["first", "last"], assumedSize: 9)
      one(first: Int, last: Int): [Thing] @listSize(slicingArguments: ["first", "last"], requireOneSlicingArgument: true)
      named: Named
    }`,
  });

  test.each<[string, string, Record<string, unknown>, number]>([
    ['weights of a field and of a type', '{ thing { id } }', {}, 7],
    ['the weight of a leaf', '{ thing { hard } }', {}, 10],
    ['a list without a length is assumed to have 100', '{ thing { parts { id } } }', {}, 507],
    ['a list of lists', '{ thing { grid { id } } }', {}, 50_007],
    ['a member of an input object', '{ some(page: { first: 2 }) { id } }', {}, 10],
    ['an input object without the member', '{ some(page: { after: "a" }) { id } }', {}, 45],
    ['no input object', '{ some { id } }', {}, 45],
    ['an input object as a variable', 'query($p: Page) { some(page: $p) { id } }', { p: { first: 3 } }, 15],
    [
      "an input object as a variable, with its member's default",
      'query($p: Page) { some(page: $p) { id } }',
      { p: {} },
      20,
    ],
    ['a variable inside an input object', 'query($n: Int) { some(page: { first: $n }) { id } }', { n: 1 }, 5],
    ["an argument's default, instead of the assumed length", '{ few { id } }', {}, 15],
    ["an argument's default does not count beside another", '{ few(last: 2) { id } }', {}, 10],
    ['exactly one slicing argument', '{ one(last: 2) { id } }', {}, 10],
    [
      'a field of an interface, through one of its types',
      '{ named { name ... on One { own { id } } } }',
      {},
      6,
    ],
  ])('%s', (_name, query, variables, points) => {
    expect(priceIn(own, query, variables)).toBe(points);
  });

  test.each(['{ one { id } }', '{ one(first: 1, last: 1) { id } }'])('%s is refused', (query) => {
    expect(() => priceIn(own, query)).toThrow('one needs exactly one of first, last.');
  });
});

test('a cost above the limit is refused', () => {
  const document = parse('{ user(id: 1) { orders(first: 100) { items(first: 100) { id } } } }');
  const [operation] = document.definitions;
  if (operation?.kind !== 'OperationDefinition') throw new Error('The document has no operation.');
  const price = createPricing(schema, DEFAULTS.operations).of(expandOperation(document, operation));
  expect(() => requireAllowed(price, price.requested({}))).toThrow('costs up to 10101 points');
});
