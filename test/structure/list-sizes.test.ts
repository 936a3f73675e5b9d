/** Every list of objects declares its maximum length, so that the size of a result is estimated before it runs. */
import {
  type GraphQLField,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { Prices } from '../../src/pipeline/price/prices.ts';
import { factsOf } from '../access/shared/rules.ts';
import { DEFAULTS } from '../support/settings.ts';

/**
 * Lists that may be longer than estimated, each with its maximum: a page of orders would cost ten times as
 * much if each were assumed to have the maximum number of items. Additional objects are charged afterwards.
 */
const ESTIMATED_BY_USUAL_LENGTH = factsOf('lists');

const schema = buildSchema();
const prices = new Prices(schema);

interface Listed {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
}

const fields: readonly Listed[] = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    (isObjectType(type) ? Object.values(type.getFields()) : []).map((field) => ({ type, field })),
  )
  .map(({ type, field }) => ({ name: `${type.name}.${field.name}`, field }));

const listsObjects = ({ field }: Listed) =>
  isListType(getNullableType(field.type)) && !isLeafType(getNamedType(field.type));
const sizeOf = ({ field }: Listed) => prices.of(field, false).size;

/** The lists in the type of a field, such as the nodes of a page. */
const listsWithin = ({ field }: Listed) => {
  const type = getNamedType(field.type);
  return isObjectType(type) && /(Page|Connection)$/.test(type.name)
    ? fields.filter((each) => each.name.startsWith(`${type.name}.`) && listsObjects(each))
    : [];
};

const pages = fields.filter((each) => listsWithin(each).length > 0);
const ofPages = pages.flatMap(listsWithin).map(({ name }) => name);
const lists = fields.filter((each) => listsObjects(each) && !ofPages.includes(each.name));

test('the schema has lists of each kind', () => {
  expect(pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Query.feed', 'Query.charges', 'Query.webhookDeliveries', 'Document.history']),
  );
  expect(lists.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Order.items', 'Order.charges', 'User.orders']),
  );
});

describe.each(pages)('$name', (page) => {
  test('declares the size of all its lists', () => {
    const sized = sizeOf(page)?.sizedFields;
    const unsized = listsWithin(page).filter(({ field }) => !sized?.has(field.name));
    expect(unsized.map(({ name }) => name)).toEqual([]);
  });
});

describe.each([...pages, ...lists])('$name', (listed) => {
  const size = sizeOf(listed);
  const slicing = (size?.slicing ?? []).flat();

  test('declares its maximum length', () => {
    expect(size).toBeDefined();
  });

  test('is sliced by its length arguments and no others', () => {
    const lengths = listed.field.args
      .map(({ name }) => name)
      .filter((name) => /^(first|last|limit)$/.test(name));
    expect(slicing).toEqual(lengths);
  });

  test('is by default no longer than its cost assumes', () => {
    const most = ESTIMATED_BY_USUAL_LENGTH[listed.name];
    // Only prices of pages are reduced by PAGE_MAX.
    expect(size?.isPage).toBe(most === undefined);
    if (most === undefined) {
      // Resolvers return a page of this size.
      expect(size?.assumed).toBe(LIMITS.pageDefault);
      expect(slicing).not.toEqual([]);
    } else {
      expect(size?.assumed).toBeGreaterThan(0);
      // One page of it is the maximum debt.
      expect(most).toBeLessThanOrEqual(DEFAULTS.operations.pageMax);
    }
    for (const { name, defaultValue } of listed.field.args) {
      if (slicing.includes(name) && defaultValue !== undefined) expect(defaultValue).toBe(size?.assumed);
    }
  });
});
