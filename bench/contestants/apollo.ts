/** Apollo Server with its standalone HTTP server, as in its documentation, with dataloader. */
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import DataLoader from 'dataloader';
import type { Caller } from './authentication.ts';
import { DateTime, numberOf, requireScope, typeDefs } from './graph.ts';
import type { ContestantParts, Start } from './main.ts';
import type { ItemRow } from './store/store.ts';
import { itemNodeOf, nodeOf, type OrderNode } from './views.ts';

interface Context {
  readonly caller: Caller | undefined;
  readonly items: DataLoader<number, readonly ItemRow[]>;
}

function resolversOf({ store, publicUrl }: ContestantParts) {
  return {
    DateTime,
    Query: {
      async order(_root: unknown, { id }: { id: string }, { caller }: Context) {
        const { org } = requireScope(caller, 'read:orders');
        const row = await store.orderAlone(org, numberOf(id));
        return row ? nodeOf(row) : null;
      },
      async user(_root: unknown, { id }: { id: string }, { caller }: Context) {
        const { org } = requireScope(caller, 'read:users');
        const name = await store.nameOf(org, numberOf(id));
        return name === undefined ? null : { id: numberOf(id), name };
      },
    },
    User: {
      async orders({ id }: { id: number }, { last }: { last: number }, { caller }: Context) {
        const { org } = requireScope(caller, 'read:orders');
        return (await store.newestOrders(org, id, Math.min(last, 100))).map(nodeOf);
      },
    },
    Order: {
      async items({ id, currency }: OrderNode, _args: unknown, { items }: Context) {
        return (await items.load(id)).map((item) => itemNodeOf(item, currency, publicUrl));
      },
    },
  };
}

const loaderOf = ({ store }: ContestantParts) =>
  new DataLoader<number, readonly ItemRow[]>(async (ids) => {
    const itemsOf = Map.groupBy(await store.itemsOf(ids), ([, orderId]) => orderId);
    return ids.map((id) => itemsOf.get(id) ?? []);
  });

export const startApollo: Start = async (parts, port) => {
  const server = new ApolloServer<Context>({
    typeDefs,
    resolvers: resolversOf(parts),
    introspection: false,
    // The plugin would wrap every resolver, and nothing here uses cache control.
    plugins: [ApolloServerPluginCacheControlDisabled()],
  });
  await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port },
    context: async ({ req }) => ({
      caller: await parts.authenticate(req.headers.authorization),
      items: loaderOf(parts),
    }),
  });
  return () => server.stop();
};
