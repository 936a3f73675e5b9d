/** Every text that may be long has a price: each use of it, under any alias, is charged. */
import { type GraphQLField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { Prices } from '../../src/pipeline/price/prices.ts';
import { factsOf } from '../access/shared/rules.ts';

const schema = buildSchema();
const prices = new Prices(schema);

/** Characters per point of a long text: reading, writing and sending this many takes about as long as an object. */
const CHARACTERS_PER_POINT = 20_000;

/**
 * The maximum length of texts that no argument limits, by the names of their fields: the server generates
 * them, or all their values are known.
 */
const MADE_BY_THE_SERVER: Readonly<Record<string, number>> = {
  ...factsOf('lengths'),
  endCursor: 512,
  startCursor: 512,
  nextCursor: 512,
  streamCursor: 512,
  org: 100,
};

interface Text {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
}

const texts: readonly Text[] = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {}).map((field) => ({
      name: `${type.name}.${field.name}`,
      field,
    })),
  )
  .filter(({ field }) => ['String', 'JSON'].includes(getNamedType(field.type).name));

/** Every argument and input field of a text, by name, with its maximum length. */
const taken = new Map<string, number>();
function note(name: string, definition: Parameters<typeof constraintOf>[1], typeName: string): void {
  if (typeName !== 'String' && typeName !== 'JSON') return;
  const most = constraintOf(schema, definition)?.maxLength ?? Number.POSITIVE_INFINITY;
  taken.set(name, Math.max(most, taken.get(name) ?? 0));
}
for (const type of Object.values(schema.getTypeMap())) {
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields()))
      note(field.name, field, getNamedType(field.type).name);
  } else if (type === schema.getMutationType()) {
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      for (const argument of field.args) note(argument.name, argument, getNamedType(argument.type).name);
    }
  }
}

const longest = ({ field: { name } }: Text): number =>
  MADE_BY_THE_SERVER[name] ?? taken.get(name) ?? Number.POSITIVE_INFINITY;

test('the text of a document counts as long', () => {
  expect(texts.filter((text) => longest(text) > LIMITS.freeTextLength).map(({ name }) => name)).toContain(
    'Document.body',
  );
});

test('every exemption names an existing field without a bounding argument', () => {
  const names = new Set(texts.map(({ field }) => field.name));
  for (const name of Object.keys(MADE_BY_THE_SERVER)) {
    expect(names, name).toContain(name);
    expect(taken.get(name) ?? Number.POSITIVE_INFINITY, name).toBe(Number.POSITIVE_INFINITY);
  }
});

describe.each(texts)('$name', (text) => {
  test('is short or priced by its length', () => {
    const most = longest(text);
    const { weight } = prices.of(text.field, false);
    // A text without a maximum length has no sufficient price.
    const advice = 'limit it with an argument, or declare it in `lengths` of test/access/<resource>.ts';
    expect(most, advice).toBeLessThan(Number.POSITIVE_INFINITY);
    if (most > LIMITS.freeTextLength) expect(weight).toBeGreaterThanOrEqual(most / CHARACTERS_PER_POINT);
    else expect(weight).toBe(0);
  });
});
