/** Accepted input for each type, and the messages for other input. */
import { buildSchema, type GraphQLInputType, type GraphQLSchema, parseType, typeFromAST } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { ErrorDetail } from '../../src/core/errors.ts';
import { DateTime } from '../../src/graphql/scalars.ts';
import { type Coerce, fromJson, fromText } from '../../src/rest/handle/coercion.ts';

const schema: GraphQLSchema = buildSchema(`
  scalar DateTime
  enum Sort { id id_desc created_at created_at_desc }
  input Line { productId: ID! qty: Int! note: String unitKind: String! = "piece" }
  input Order { lines: [Line!]! at: DateTime inner: Part }
  input Part { lines: [Line!]! }
  input Tree { name: String! branches: [Tree!] }
  type Query { a(o: Order, s: Sort, t: Tree, f: Float, b: Boolean, i: ID): Int }
`);
// The scalar of the SDL gets the server's behaviour, as in makeExecutableSchema.
Object.assign(schema.getType('DateTime') ?? {}, { parseValue: DateTime.parseValue });

function typeOf(name: string): GraphQLInputType {
  const type = typeFromAST(schema, parseType(name));
  if (!type) throw new Error(`There is no type ${name}.`);
  // Only input types are named here.
  return type as GraphQLInputType;
}

function coerced(coerce: Coerce, value: unknown, path = 'x'): { value: unknown } | { problems: string[] } {
  const details: ErrorDetail[] = [];
  const result = coerce(value, path, details);
  return details.length === 0
    ? { value: result }
    : { problems: details.map(({ path: at, message }) => `${at} ${message}`) };
}

const INT = 'must be an integer';
const INT_BOUNDS = `${INT} from -2147483648 to 2147483647`;
/** Of a text, which is a number or a size of a page. */
const COUNT = 'must be an integer from 1 to 2147483647';
const ID = 'must be a positive integer';
const SORT = 'must be one of id, -id, created_at, -created_at';

describe('a value in JSON', () => {
  for (const [type, value] of [
    ['Int', 0],
    ['Int', -1],
    ['Int', 2 ** 31 - 1],
    ['Int', -(2 ** 31)],
    ['Int', 1.0],
    ['Int', null],
    ['ID', 1],
    ['ID!', Number.MAX_SAFE_INTEGER],
    ['Float', 0.1],
    ['Float', -5],
    ['String', ''],
    ['String!', 'text'],
    ['String', null],
    ['Boolean', false],
    ['Sort', 'id_desc'],
    ['DateTime', '2026-01-31T09:30:00.000Z'],
    ['[Int!]!', []],
    ['[Int!]', [1, 2]],
    ['[Int]', [1, null]],
    ['[[Int]]', [[1], []]],
  ] as const) {
    test(`${type} accepts ${JSON.stringify(value)}`, () => {
      expect(coerced(fromJson(typeOf(type)), value)).toEqual({ value });
    });
  }

  for (const [type, value, problem] of [
    ['Int', 1.5, `x ${INT}`],
    ['Int', 2 ** 31, `x ${INT_BOUNDS}`],
    ['Int', -(2 ** 31) - 1, `x ${INT_BOUNDS}`],
    ['Int', '1', `x ${INT}`],
    ['Int', true, `x ${INT}`],
    ['Int', [1], `x ${INT}`],
    ['Int', {}, `x ${INT}`],
    ['Int', Number.NaN, `x ${INT}`],
    ['Int!', null, 'x must not be null'],
    ['ID', 0, `x ${ID}`],
    ['ID', -1, `x ${ID}`],
    ['ID', 1.5, `x ${ID}`],
    ['ID', '1', `x ${ID}`],
    ['ID', 2 ** 53, `x ${ID}`],
    ['Float', '0.1', 'x must be a number'],
    ['Float', Number.POSITIVE_INFINITY, 'x must be a number'],
    ['String', 1, 'x must be a string'],
    ['String', ['a'], 'x must be a string'],
    ['Boolean', 'true', 'x must be true or false'],
    ['Boolean', 0, 'x must be true or false'],
    ['Sort', 'lost', `x ${SORT}`],
    ['Sort', 1, `x ${SORT}`],
    ['Sort', 'toString', `x ${SORT}`],
    ['DateTime', 'today', 'x must be a time as RFC 3339 writes it, such as 2026-01-31T09:30:00.000Z'],
    ['[Int]', 1, 'x must be a list'],
    ['[Int]', { 0: 1, length: 1 }, 'x must be a list'],
    ['[Int!]', [1, null], 'x.1 must not be null'],
    ['[Int]', [1, 'a', 2, 'b'], `x.1 ${INT},x.3 ${INT}`],
  ] as const) {
    test(`${type} refuses ${JSON.stringify(value)}`, () => {
      expect(coerced(fromJson(typeOf(type)), value)).toEqual({ problems: problem.split(/,(?=x)/) });
    });
  }
});

describe('an object in JSON', () => {
  const order = fromJson(typeOf('Order!'));

  test('has members in snake_case for camelCase names of the schema', () => {
    expect(coerced(order, { lines: [{ product_id: 1, qty: 2 }] })).toEqual({
      value: { lines: [{ productId: 1, qty: 2 }] },
    });
  });

  test('an omitted member differs from one that is null', () => {
    const left = coerced(order, { lines: [] });
    expect(left).toEqual({ value: { lines: [] } });
    expect('value' in left && Object.keys(left.value ?? {})).toEqual(['lines']);
    expect(coerced(order, { lines: [], at: null })).toEqual({ value: { lines: [], at: null } });
  });

  for (const [given, value, problems] of [
    ['a missing member', {}, ['lines is required']],
    ['a missing nested member', { inner: {} }, ['lines is required', 'inner.lines is required']],
    [
      'a member in the spelling of the schema',
      { lines: [{ productId: 1, qty: 2 }] },
      ['lines.0.product_id is required', 'lines.0.productId is not a member of this object'],
    ],
    ['an unknown member', { lines: [], extra: 1 }, ['extra is not a member of this object']],
    [
      'a member that every object inherits',
      { lines: [], toString: 1 },
      ['toString is not a member of this object'],
    ],
    ['a null element', { lines: [null] }, ['lines.0 must not be null']],
    ['a list instead of an object', { lines: [[]] }, ['lines.0 must be an object']],
    ['a string instead of an object', { lines: ['x'] }, ['lines.0 must be an object']],
  ] satisfies [string, unknown, string[]][]) {
    test(`reports ${given}`, () => {
      const outcome = coerced(order, value, '');
      expect('problems' in outcome && outcome.problems.toSorted()).toEqual(problems.toSorted());
    });
  }

  test('a member __proto__ is unknown', () => {
    const value: unknown = JSON.parse('{"lines":[],"__proto__":{"at":"x"}}');
    expect(coerced(order, value, '')).toEqual({ problems: ['__proto__ is not a member of this object'] });
  });

  test('may contain its own kind', () => {
    const tree = fromJson(typeOf('Tree!'));
    const value = { name: 'a', branches: [{ name: 'b', branches: [] }, { name: 'c' }] };
    expect(coerced(tree, value)).toEqual({ value });
    expect(coerced(tree, { name: 'a', branches: [{ name: 'b', branches: [{}] }] }, '')).toEqual({
      problems: ['branches.0.branches.0.name is required'],
    });
  });

  test('a member is not taken from a prototype', () => {
    expect(coerced(order, Object.create({ lines: [] }), '')).toEqual({ problems: ['lines is required'] });
  });

  test('reports all faults at once', () => {
    const outcome = coerced(order, { lines: [{ qty: 'x' }, 7], at: 'y', z: 1 }, '');
    expect('problems' in outcome && outcome.problems).toHaveLength(5);
  });

  for (const value of [null, [], 'text', 7, true]) {
    test(`is not ${JSON.stringify(value)}`, () => {
      expect(coerced(order, value, 'x')).toEqual({
        problems: [expect.stringMatching(/^x must (be an object|not be null)$/)],
      });
    });
  }
});

describe('a value in a path or a query', () => {
  for (const [type, text, value] of [
    ['Int', '0', 0],
    ['Int', '-5', -5],
    ['Int', '2147483647', 2_147_483_647],
    ['ID!', '7', 7],
    ['Float', '19.99', 19.99],
    ['Float', '-1', -1],
    ['Boolean', 'true', true],
    ['Boolean', 'false', false],
    ['String', '7', '7'],
    ['String', '', ''],
    ['Sort', 'created_at', 'created_at'],
    ['Sort', '-created_at', 'created_at_desc'],
    ['DateTime', '2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
    ['[Int!]', '1', [1]],
    ['[Int!]', ['1', '2'], [1, 2]],
    ['[Sort!]', ['-id', 'id'], ['id_desc', 'id']],
  ] as const) {
    test(`${type} reads ${JSON.stringify(text)}`, () => {
      expect(coerced(fromText(typeOf(type)), text)).toEqual({ value });
    });
  }

  for (const [type, text, problem] of [
    ['Int', '', COUNT],
    ['Int', ' 1', COUNT],
    ['Int', '1 ', COUNT],
    ['Int', '+1', COUNT],
    ['Int', '1.0', COUNT],
    ['Int', '1e3', COUNT],
    ['Int', '0x1', COUNT],
    ['Int', '٣', COUNT],
    ['Int', '2147483648', COUNT],
    ['Int', '99999999999999999999', COUNT],
    ['Int', '007', COUNT],
    ['Int', '-0', COUNT],
    ['ID', '0', ID],
    ['ID', '01', ID],
    ['ID', '-1', ID],
    ['ID', 'abc', ID],
    ['ID', '9007199254740993', ID],
    ['Float', 'NaN', 'must be a number'],
    ['Float', 'Infinity', 'must be a number'],
    ['Float', '1e400', 'must be a number'],
    ['Float', '007.5', 'must be a number'],
    ['Float', '.5', 'must be a number'],
    ['Boolean', '1', 'must be true or false'],
    ['Boolean', 'TRUE', 'must be true or false'],
    ['Sort', 'created_at_desc', SORT],
    ['Sort', '--id', SORT],
    ['Sort', '-id_desc', SORT],
    ['Sort', '', SORT],
    ['Int', ['1', '2'], 'must appear only once'],
    ['String', ['a', 'b'], 'must appear only once'],
    ['[Int!]', 'x', COUNT],
  ] as const) {
    test(`${type} refuses ${JSON.stringify(text)}`, () => {
      expect(coerced(fromText(typeOf(type)), text)).toEqual({ problems: [`x ${problem}`] });
    });
  }

  test('is named by its place among repeated ones', () => {
    expect(coerced(fromText(typeOf('[Int!]')), ['1', 'x'])).toEqual({ problems: [`x.1 ${COUNT}`] });
  });
});
