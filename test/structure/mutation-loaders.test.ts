/** What one field of a mutation has loaded is not shown by the next one. */
import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, test } from 'vitest';
import { Loaders } from '../../resolvers/shared/loaders.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { rootFields } from '../support/operations.ts';

const mutations = rootFields.filter(({ operation }) => operation === 'mutation');

/** Every loader, made by being looked at. Nothing is asked of the database. */
const loadersOf = (loaders: Loaders) => [
  loaders.user,
  loaders.product,
  loaders.itemsOfOrder,
  loaders.ordersOfUser,
  loaders.charges,
];

describe('after a mutation all loaders are new:', () => {
  test.each(mutations.map(({ name, field }) => [name, field] as const))('%s', async (_, { resolve }) => {
    // The mutations are refused or break off for want of services, which must make no difference.
    const context = { principal: null, loaders: new Loaders({} as Database, null) } as Context;
    const before = loadersOf(context.loaders);
    await expect(
      Promise.resolve(resolve?.(undefined, {}, context, {} as GraphQLResolveInfo)),
    ).rejects.toBeInstanceOf(Error);
    for (const [index, loader] of loadersOf(context.loaders).entries()) {
      expect(loader).not.toBe(before[index]);
    }
  });
});
