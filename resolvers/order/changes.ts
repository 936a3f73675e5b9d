import { recordChange } from '../../src/auth/changes.ts';
import { ApiError } from '../../src/core/errors.ts';
import { toMajorUnits } from '../../src/core/money.ts';
import { settleAll } from '../../src/core/promises.ts';
import { isOfVersion, type Versions } from '../../src/core/versions.ts';
import type { Runner, Transaction } from '../../src/db/database.ts';
import { changeOrderCounts } from '../../src/db/queries/order-counts.ts';
import { insertOrderItems } from '../../src/db/queries/order-items.ts';
import {
  deleteOrder,
  findBeforePlacing,
  insertOrder,
  orders,
  ownerOfOrder,
  replaceOrderItems,
  transitionOrder,
  wholeOrders,
} from '../../src/db/queries/orders.ts';
import { findProducts } from '../../src/db/queries/products.ts';
import { users } from '../../src/db/queries/users.ts';
import type { ListedOrder, OrderRow, OrderStatus } from '../../src/db/rows.ts';
import { ORDER_STATUSES } from '../../src/db/tables/orders.ts';
import type { EventType } from '../../src/events/catalogue.ts';
import type {
  CreateOrderInput,
  MutationDeleteOrderArgs,
  MutationUpdateOrderArgs,
  OrderItemInput,
} from '../../src/generated/resolvers.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { absence, noPerson, parseId, requireDeleted, requireId } from '../shared/lookup.ts';
import type { OrderNode } from './loaders.ts';
import { priceItems, productIdsOf } from './pricing.ts';

/** Creates an order with its items, and records the event. */
export async function placeOrder(context: Context, input: CreateOrderInput): Promise<OrderNode> {
  const caller = callerOf(context);
  const { org } = caller;
  const userId = requireId(input.userId, noPerson('input.userId'));
  const productIds = productIdsOf(input.items);
  return context.work.commit(async (tx) => {
    const { products, personId, orderId: id } = await findBeforePlacing(tx, { org, userId, productIds });
    // Checked before the items, so that a person of another organisation is 403 whatever was sent.
    if (personId === null) throw await absence(tx, org, userId, users, noPerson('input.userId'));
    const { items, total, currency } = priceItems(input.items, products);
    const order = { id, org, userId, status: 'pending', total, currency } as const;
    // Four statements: the order, its items, its event and the counts.
    const [inserted, itemRows] = await tx.last(4, () =>
      settleAll([
        insertOrder(tx, { ...order, now: context.clock() }),
        insertOrderItems(tx, org, id, items),
        recordEvent(tx, context, 'order.created', order),
      ]),
    );
    return { ...inserted, itemRows };
  });
}

/**
 * Changes a pending order. The guard is in the `where` of each statement, so that only one of two concurrent changes succeeds. If
 * a statement matches no row, the reason is determined afterwards.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`, `invalid_transition`, and as {@link priceItems}.
 */
export async function changeOrder(
  context: Context,
  { id, input: { status, items }, ifVersion: versions = null }: MutationUpdateOrderArgs,
): Promise<OrderNode> {
  const { org } = callerOf(context);
  const guard = { org, id: requireId(id), versions };
  const write = async (tx: Transaction): Promise<OrderNode> => {
    const order = items && (await replaceItems(tx, context, guard, items));
    if (!status) return order ?? unchanged(tx, guard);
    // An order with these items already was not locked, and may have changed since.
    const left = order ? { ...guard, versions: [order.version] } : guard;
    const moved =
      status === 'pending' ? undefined : await transitionOrder(tx, { ...left, status, now: context.clock() });
    if (!moved && order && status !== 'pending') return write(tx);
    if (!moved) throw await refusalOf(tx, left);
    await recordEvent(tx, context, `order.${moved.status === 'shipped' ? 'shipped' : 'cancelled'}`, moved);
    return { ...moved, ...(order?.itemRows && { itemRows: order.itemRows }) };
  };
  return context.database.transaction(write);
}

/**
 * Replaces the items of an order at current prices, and records the event. An order that has exactly these items stays as it is, even if
 * products have changed or were archived since, so that a replacement can be repeated.
 */
async function replaceItems(
  tx: Transaction,
  context: Context,
  guard: OrderGuard,
  lines: readonly OrderItemInput[],
): Promise<OrderNode> {
  const { org, id, versions } = guard;
  const present = await wholeOrders.find(tx, org, id);
  // Checked before the items, so that an order of another organisation is 403, and a missing one 404, whatever was sent.
  if (!present) throw await absence(tx, org, id, orders);
  const isChangeable = isOfVersion(present, versions) && present.status === 'pending';
  if (isChangeable && hasItems(present, lines)) return present;
  const { items, total, currency } = priceItems(
    lines,
    await findProducts(tx, { org, ids: productIdsOf(lines) }),
  );
  if (!isChangeable) throw refusal(present, versions);
  const change = { org, id, versions: [present.version], total, currency, now: context.clock() };
  const replaced = await replaceOrderItems(tx, change, items);
  // The order has changed since it was read: try again.
  if (!replaced) return replaceItems(tx, context, guard, lines);
  await recordEvent(tx, context, 'order.updated', replaced.order);
  return { ...replaced.order, itemRows: replaced.items };
}

/** Whether an order consists of exactly these lines, in this order. */
const hasItems = ({ itemRows }: OrderNode, lines: readonly OrderItemInput[]): boolean =>
  itemRows?.length === lines.length &&
  itemRows.every(({ productId, qty }, index) => {
    const line = lines[index];
    return line?.qty === qty && parseId(line.productId) === productId;
  });

/**
 * Deletes an order in any state. Idempotent: a repetition writes no second event.
 *
 * @throws ApiError `not_found` for an order that never existed, `forbidden`, `precondition_failed`.
 */
export async function removeOrder(
  context: Context,
  { id, ifVersion: versions = null }: MutationDeleteOrderArgs,
): Promise<number> {
  const { org } = callerOf(context);
  const orderId = requireId(id);
  await context.database.transaction(async (tx) => {
    const order = await deleteOrder(tx, { org, id: orderId, versions, now: context.clock() });
    if (order) {
      await recordEvent(tx, context, 'order.deleted', order);
      return;
    }
    requireDeleted(org, await ownerOfOrder(tx, { id: orderId }));
  });
  return orderId;
}

/** An order of an organisation, and the versions of it that may be changed. */
interface OrderGuard {
  readonly org: string;
  readonly id: number;
  readonly versions: Versions;
}

async function unchanged(db: Runner, guard: OrderGuard): Promise<OrderNode> {
  const { org, id, versions } = guard;
  const order = await wholeOrders.find(db, org, id);
  if (!order || !isOfVersion(order, versions)) throw await refusalOf(db, guard);
  return order;
}

/** The error for a guarded change that matched no order. */
async function refusalOf(db: Runner, { org, id, versions }: OrderGuard): Promise<ApiError> {
  const order = await orders.find(db, org, id);
  return order ? refusal(order, versions) : absence(db, org, id, orders);
}

/** The error for a change that an order does not allow. */
function refusal(order: ListedOrder, versions: Versions): ApiError {
  if (!isOfVersion(order, versions)) return new ApiError('precondition_failed');
  const { status } = order;
  return new ApiError('invalid_transition', {
    message:
      status === 'pending'
        ? 'The order is already pending.'
        : `The order is ${status}. Only a pending order can be changed, cancelled or shipped.`,
  });
}

type OrderEvent = Extract<EventType, `order.${string}`>;

/** How events change the number of orders per state. A deletion depends on the state of the order. */
const COUNT_CHANGES: Readonly<Partial<Record<OrderEvent, Partial<Record<OrderStatus, number>>>>> = {
  'order.created': { pending: 1 },
  'order.cancelled': { pending: -1, cancelled: 1 },
  'order.shipped': { pending: -1, shipped: 1 },
};

/** Records the event of a changed order, and updates the number of orders that the person has in each state. */
async function recordEvent(
  tx: Transaction,
  context: Context,
  type: OrderEvent,
  order: Pick<OrderRow, 'id' | 'userId' | 'status' | 'total' | 'currency'>,
): Promise<void> {
  const caller = callerOf(context);
  const { org } = caller;
  const { id, userId, status, total, currency } = order;
  const data = { user_id: userId, status, total: toMajorUnits(total, currency), currency };
  const deltas = type === 'order.deleted' ? { [status]: -1 } : (COUNT_CHANGES[type] ?? {});
  const changes = ORDER_STATUSES.map((each) => ({ org, userId, status: each, by: deltas[each] ?? 0 }));
  await settleAll([
    recordChange(tx, caller, { org, type, subjectId: id, data }, context.clock),
    changeOrderCounts(tx, changes),
  ]);
}
