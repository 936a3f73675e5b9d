import type { GraphQLResolveInfo } from 'graphql';
import { toMajorUnits } from '../../src/core/money.ts';
import { type OrderSort, pageOfOrders } from '../../src/db/queries/order-lists.ts';
import { orders, type PartOfOrder, wholeOrders } from '../../src/db/queries/orders.ts';
import { users } from '../../src/db/queries/users.ts';
import type { Item, Resolvers } from '../../src/generated/resolvers.ts';
import { type ActivityNode, followLog } from '../activity/log.ts';
import { productById } from '../product/loaders.ts';
import { type Context, callerOf, imageUrl } from '../shared/context.ts';
import { selects } from '../shared/loaders.ts';
import { findOwn, noPerson, requireId, requireOwn, requireOwnId } from '../shared/lookup.ts';
import { pageSize, sliceOf } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';
import { changeOrder, placeOrder, removeOrder } from './changes.ts';
import { itemsOfOrder } from './loaders.ts';
import { listOrders, sortOf } from './organisation-list.ts';

/** An item of an order, with all fields except the product already computed. */
export type ItemNode = Omit<Item, 'product' | 'productId'> & { readonly productId: number };

export const resolvers: Resolvers = {
  Query: {
    order: (_root, { id }, context, info) =>
      findOwn(context, id, selects(info, 'items') ? wholeOrders : orders),
    orders: async (_root, { userId, status, sort, page, limit }, context, info) => {
      const number = page ?? 1;
      const size = pageSize(context, limit);
      const { rows, total } = await pageOfOrders(context.database, {
        org: callerOf(context).org,
        userId: requireId(userId, noPerson('userId')),
        status: status ?? null,
        ...sortOf<OrderSort>(sort ?? 'created_at_desc'),
        limit: size,
        offset: (number - 1) * size,
        whole: selects(info, 'nodes.items'),
      });
      // Orders are filtered by organisation, so the person needs a check only if the list is empty. A removed person's orders remain.
      if (total === 0) await requireOwnId(context, userId, users, noPerson('userId'));
      const nextPage = number * size < total ? number + 1 : null;
      return { nodes: rows, pageInfo: { page: number, limit: size, total, nextPage } };
    },
    organisationOrders: (_root, args, context, info) =>
      listOrders(context, args, selects(info, 'nodes.items') || selects(info, 'edges.node.items')),
  },
  Mutation: {
    createOrder: (_root, { input }, context) => placeOrder(context, input),
    updateOrder: (_root, args, context) => changeOrder(context, args),
    deleteOrder: (_root, args, context) => removeOrder(context, args),
  },
  Subscription: {
    orderChanged: {
      subscribe: async (_root, { id, after }, context) => {
        // A stream that continues may have missed the deletion.
        const isResumed = (context.resumeAfter ?? after) != null;
        const orderId = isResumed
          ? await requireOwnId(context, id, orders)
          : (await requireOwn(context, id, orders)).id;
        return followLog(context, after, { subject: { type: 'order', id: orderId } });
      },
      // The current order; null if it was deleted.
      resolve: async (
        { subjectId }: ActivityNode,
        _args: unknown,
        context: Context,
        info: GraphQLResolveInfo,
      ) => {
        const find = (selects(info, 'items') ? wholeOrders : orders).find;
        return (await find(context.database, callerOf(context).org, subjectId)) ?? null;
      },
    },
  },
  Order: {
    total: ({ total, currency }) => toMajorUnits(total, currency),
    user: ({ userId }, _args, context) => userById(context).load(userId),
    items: (parent, args, context) => {
      const show = (rows: readonly PartOfOrder[]) =>
        sliceOf(context, rows, args).map((row) => itemOf(row, parent.currency, context.publicUrl));
      return parent.itemRows ? show(parent.itemRows) : itemsOfOrder(context).load(parent.id).then(show);
    },
  },
  Item: {
    product: ({ productId }, _args, context) => productById(context).load(productId),
  },
};

/** Computes all fields of an item at once: a page has many items, and each resolver takes time. */
function itemOf(row: PartOfOrder, currency: string, publicUrl: string): ItemNode {
  return {
    id: row.id,
    productId: row.productId,
    name: row.name,
    qty: row.qty,
    unitPrice: toMajorUnits(row.unitPrice, currency),
    thumbnailUrl: imageUrl(publicUrl, 'product', row.productId),
  };
}
