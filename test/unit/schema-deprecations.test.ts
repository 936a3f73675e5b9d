/** Deprecations in the schema, and the operations that use them. */
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, Kind, parse, Source, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { deprecationsUsedBy, readSunsets, shownDeprecation } from '../../src/graphql/deprecations.ts';
import { expandOperation } from '../../src/pipeline/response-fields.ts';

const BASE = readFileSync(new URL('../../schema/base.graphql', import.meta.url), 'utf8');

function schemaOf(sdl: string): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: [
      parse(BASE),
      parse(
        new Source(
          `${sdl}\nextend type Mutation { change: Int } enum Role { ADMIN }`,
          'schema/thing.graphql',
        ),
      ),
    ],
  });
  readSunsets(schema);
  return schema;
}

const GONE = '@deprecated(reason: "Use something else.") @sunset(since: "2026-11-01")';

const SCHEMA = schemaOf(`
extend type Query {
  thing(id: ID!, number: Int ${GONE}): Thing
  things(filter: Filter, filters: [Filter!], unit: Unit): [Thing!]
  oldThing: Thing ${GONE}
  plain(size: Size, lines: [Line!], nested: Nested): Int
}

interface Named {
  name: String
  title: String ${GONE}
}

type Thing implements Named {
  name: String
  title: String
  cents: Int @deprecated(reason: "Use amount.") @sunset(since: "2026-11-01", on: "2027-03-01", successor: "Thing.amount")
  amount: Int
  parts(first: Int): [Thing!]
  named: Named
}

input Filter {
  text: String
  cents: Int ${GONE}
  unit: Unit
  all: [Filter!]
}

input Line { text: String, size: Size }
input Nested { text: String, nested: Nested }

enum Unit { KILO POUND ${GONE} }
enum Size { SMALL LARGE }
`);

/** The coordinates of the deprecated parts that an operation uses. */
function used(text: string, variables: Readonly<Record<string, unknown>> = {}, name?: string): string[] {
  const document = parse(text);
  expect(validate(SCHEMA, document)).toEqual([]);
  const operation = document.definitions.find(
    (node) => node.kind === Kind.OPERATION_DEFINITION && (name === undefined || node.name?.value === name),
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation.');
  const deprecations = deprecationsUsedBy(SCHEMA, expandOperation(document, operation));
  const once = deprecations(variables);
  // The uses of an operation are cached.
  expect(deprecations(variables)).toEqual(once);
  return once.map(({ coordinate }) => coordinate);
}

describe('an operation uses', () => {
  test.each([
    { title: 'nothing', query: '{ thing(id: 1) { name amount } }', uses: [] },
    { title: 'a field', query: '{ thing(id: 1) { cents } }', uses: ['Thing.cents'] },
    {
      title: 'a field under an alias',
      query: '{ thing(id: 1) { amount: cents } }',
      uses: ['Thing.cents'],
    },
    {
      title: 'no field whose name is an alias of another one',
      query: '{ thing(id: 1) { cents: amount } }',
      uses: [],
    },
    { title: 'a root field', query: '{ oldThing { name } }', uses: ['Query.oldThing'] },
    {
      title: 'several, each once and in their order',
      query: '{ b: oldThing { cents parts { cents } } a: oldThing { name } }',
      uses: ['Query.oldThing', 'Thing.cents'],
    },
    { title: 'an argument', query: '{ thing(id: 1, number: 2) { name } }', uses: ['Query.thing(number:)'] },
    {
      title: 'an argument set by a variable',
      query: 'query ($n: Int) { thing(id: 1, number: $n) { name } }',
      uses: ['Query.thing(number:)'],
    },
    {
      title: 'a field in a fragment, also in a nested one',
      query: '{ thing(id: 1) { ...A } } fragment A on Thing { parts { ...B } } fragment B on Thing { cents }',
      uses: ['Thing.cents'],
    },
    {
      title: 'a field in an inline fragment',
      query: '{ thing(id: 1) { ... on Thing { cents } } }',
      uses: ['Thing.cents'],
    },
    {
      title: 'a field that this request skips',
      query: '{ thing(id: 1) { name cents @skip(if: true) } }',
      uses: ['Thing.cents'],
    },
    {
      title: 'a field of an interface',
      query: '{ thing(id: 1) { named { title } } }',
      uses: ['Named.title'],
    },
    {
      title: 'no field that is deprecated only in an interface',
      query: '{ thing(id: 1) { title } }',
      uses: [],
    },
    { title: 'an input field', query: '{ things(filter: { cents: 1 }) { name } }', uses: ['Filter.cents'] },
    {
      title: 'a nested input field in lists',
      query: '{ things(filters: [{ all: [{ cents: 1 }] }]) { name } }',
      uses: ['Filter.cents'],
    },
    { title: 'an enum value', query: '{ things(unit: POUND) { name } }', uses: ['Unit.POUND'] },
    { title: 'no other value of an enum', query: '{ things(unit: KILO) { name } }', uses: [] },
    {
      title: 'an input field in a variable',
      query: 'query ($f: Filter) { things(filter: $f) { name } }',
      variables: { f: { text: 'x', all: [{ cents: 1 }] } },
      uses: ['Filter.cents'],
    },
    {
      title: 'an input field in a variable, also as null',
      query: 'query ($f: Filter) { things(filter: $f) { name } }',
      variables: { f: { cents: null } },
      uses: ['Filter.cents'],
    },
    {
      title: 'an enum value in a variable, also as a single value for a list',
      query: 'query ($f: [Filter!]) { things(filters: $f) { name } }',
      variables: { f: { unit: 'POUND' } },
      uses: ['Unit.POUND'],
    },
    {
      title: 'nothing in a variable without deprecated parts',
      query: 'query ($f: Filter) { things(filter: $f) { name } }',
      variables: { f: { text: 'POUND', unit: 'KILO' } },
      uses: [],
    },
    {
      title: 'an enum value as the default of a variable',
      query: 'query ($u: Unit = POUND) { things(unit: $u) { name } }',
      uses: ['Unit.POUND'],
    },
    {
      title: 'nothing in variables of other types',
      query: 'query ($s: Size, $l: [Line!], $n: Nested) { plain(size: $s, lines: $l, nested: $n) }',
      variables: { s: 'SMALL', l: [{ size: 'LARGE' }], n: { nested: { text: 'POUND' } } },
      uses: [],
    },
    {
      title: 'nothing in invalid variables',
      query: 'query ($f: Filter, $u: Unit) { things(filter: $f, unit: $u) { name } }',
      variables: { f: 'cents', u: { POUND: 1 } },
      uses: [],
    },
    {
      title: 'nothing that only another operation of the document uses',
      query:
        'query A { thing(id: 1) { name } } query B { thing(id: 1) { ...Old } } fragment Old on Thing { cents }',
      name: 'A',
      uses: [],
    },
  ])('$title', ({ query, variables, name, uses }) => {
    expect(used(query, variables, name)).toEqual(uses);
  });
});

test('clients see the coordinate, the reason, both dates and the replacement', () => {
  const document = parse('{ thing(id: 1) { cents } oldThing { name } }');
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation.');
  expect(deprecationsUsedBy(SCHEMA, operation)({}).map(shownDeprecation)).toEqual([
    {
      coordinate: 'Thing.cents',
      reason: 'Use amount.',
      deprecatedAt: '2026-11-01T00:00:00.000Z',
      sunsetAt: '2027-03-01T00:00:00.000Z',
      successor: 'Thing.amount',
    },
    {
      coordinate: 'Query.oldThing',
      reason: 'Use something else.',
      deprecatedAt: '2026-11-01T00:00:00.000Z',
      sunsetAt: '2027-11-01T00:00:00.000Z',
    },
  ]);
});

describe('the start fails and reports the place and the reason for', () => {
  test.each([
    {
      title: '@deprecated alone',
      directives: '@deprecated(reason: "Old.")',
      message: 'is @deprecated without @sunset: add it, with the date and the successor',
    },
    {
      title: '@sunset alone',
      directives: '@sunset(since: "2026-11-01")',
      message: 'has @sunset without @deprecated: add it, with the reason',
    },
    {
      title: 'a day that does not exist',
      directives: '@deprecated @sunset(since: "2026-02-30")',
      message: 'has invalid dates: "2026-02-30" is not a day such as 2026-11-01.',
    },
    {
      title: 'an end before the announcement',
      directives: '@deprecated @sunset(since: "2026-11-01", on: "2026-10-01")',
      message: 'has invalid dates: The sunset 2026-10-01 is before 2026-11-01, when the deprecation begins.',
    },
    ...['Thing.nothing', 'Nothing.at(all:)', 'not a coordinate'].map((successor) => ({
      title: `a successor that does not exist: ${successor}`,
      directives: `@deprecated @sunset(since: "2026-11-01", successor: "${successor}")`,
      message: `has the successor ${successor}, which is not in the schema`,
    })),
  ])('$title', ({ directives, message }) => {
    const parts = [
      ['Thing.old', `type Thing {\n name: String\n old: String ${directives} }`, 4],
      ['Thing.name(old:)', `type Thing {\n name(old: Int ${directives}): String }`, 3],
      ['Filter.old', `input Filter {\n old: String ${directives} }`, 3],
      ['Unit.OLD', `enum Unit {\n NEW\n OLD ${directives} }`, 4],
    ] as const;
    for (const [coordinate, sdl, line] of parts) {
      expect(() => schemaOf(`extend type Query { thing: Int }\n${sdl}`)).toThrow(
        new Error(`schema/thing.graphql:${line}: ${coordinate} ${message}`),
      );
    }
  });
});
