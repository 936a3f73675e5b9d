/** Rows loaded for one field of a mutation are not reused for the next one. */
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, test } from 'vitest';
import { declareLoader, Loaders } from '../../resolvers/shared/loaders.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { rootFields } from '../support/api.ts';

const mutations = rootFields.filter(({ operation }) => operation === 'mutation');

const example = declareLoader(() => new DataLoader(async (keys: readonly number[]) => keys));

test('a request creates each loader once', () => {
  const context = { loaders: new Loaders({} as Database, null) };
  expect(example(context)).toBe(example(context));
  expect(example(context)).not.toBe(example({ loaders: new Loaders({} as Database, null) }));
});

describe('a mutation resets all loaders:', () => {
  test.each(mutations.map(({ name, field }) => [name, field] as const))('%s', async (_, { resolve }) => {
    // The mutations are refused or fail for lack of services, which must make no difference.
    const context = { principal: null, loaders: new Loaders({} as Database, null) } as Context;
    const before = example(context);
    await expect(
      Promise.resolve(resolve?.(undefined, {}, context, {} as GraphQLResolveInfo)),
    ).rejects.toBeInstanceOf(Error);
    expect(example(context)).not.toBe(before);
  });
});
