/** mercurius with its own loaders. graphql-jit compiles each operation on its first use. */
import Fastify from 'fastify';
import mercurius, { type IResolvers, type MercuriusContext, type MercuriusLoaders } from 'mercurius';
import type { Caller } from './authentication.ts';
import { DateTime, numberOf, requireScope, typeDefs } from './graph.ts';
import type { ContestantParts, Start } from './main.ts';
import { itemNodeOf, nodeOf, type OrderNode } from './views.ts';

declare module 'mercurius' {
  interface MercuriusContext {
    readonly caller: Caller | undefined;
  }
}

type Found = { readonly id: number };

function resolversOf({ store }: ContestantParts): IResolvers {
  return {
    DateTime,
    Query: {
      async order(_root: unknown, { id }: { id: string }, { caller }: MercuriusContext) {
        const { org } = requireScope(caller, 'read:orders');
        const row = await store.orderAlone(org, numberOf(id));
        return row ? nodeOf(row) : null;
      },
      async user(_root: unknown, { id }: { id: string }, { caller }: MercuriusContext) {
        const { org } = requireScope(caller, 'read:users');
        const name = await store.nameOf(org, numberOf(id));
        return name === undefined ? null : { id: numberOf(id), name };
      },
    },
  };
}

function loadersOf({ store, publicUrl }: ContestantParts): MercuriusLoaders {
  return {
    User: {
      orders(queries: { obj: Found; params: { last: number } }[], { caller }: MercuriusContext) {
        const { org } = requireScope(caller, 'read:orders');
        return Promise.all(
          queries.map(async ({ obj, params }) =>
            (await store.newestOrders(org, obj.id, Math.min(params.last, 100))).map(nodeOf),
          ),
        );
      },
    },
    Order: {
      async items(queries: { obj: OrderNode }[]) {
        const orders = queries.map(({ obj }) => obj);
        const items = await store.itemsOf(orders.map(({ id }) => id));
        const itemsOf = Map.groupBy(items, ([, orderId]) => orderId);
        return orders.map(({ id, currency }) =>
          (itemsOf.get(id) ?? []).map((item) => itemNodeOf(item, currency, publicUrl)),
        );
      },
    },
  };
}

export const startMercurius: Start = async (parts, port) => {
  const app = Fastify();
  await app.register(mercurius, {
    schema: typeDefs,
    resolvers: resolversOf(parts),
    loaders: loadersOf(parts),
    context: async ({ headers }) => ({
      caller: await parts.authenticate(headers.authorization),
    }),
    jit: 1,
  });
  await app.listen({ host: '127.0.0.1', port });
  return () => app.close();
};
