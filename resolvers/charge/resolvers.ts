import { toMajorUnits } from '../../src/core/money.ts';
import { charges, chargesBefore, filteredChargesBefore } from '../../src/db/queries/charges.ts';
import { orders } from '../../src/db/queries/orders.ts';
import { refunds, refundsBefore } from '../../src/db/queries/refunds.ts';
import type { ChargeRow, IdempotencyRecordRow, RefundRow } from '../../src/db/rows.ts';
import type { QueryChargesArgs, Resolvers } from '../../src/generated/resolvers.ts';
import { orderById, wholeOrderById } from '../order/loaders.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { selects } from '../shared/loaders.ts';
import { filterId, findOwn, requireOwnId } from '../shared/lookup.ts';
import { ownPageFromNewest, pageFromNewest, pageSize } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';
import { chargeSource } from './charging.ts';
import { chargesOfOrder, isPaid, recordsOfCharge, refundsOfCharge } from './loaders.ts';
import { type RefundedCharge, refundCharge } from './refunding.ts';

export type ChargeNode = ChargeRow & Partial<Pick<RefundedCharge, 'refund'>>;
export type RefundNode = RefundRow;
export type IdempotencyRecordNode = IdempotencyRecordRow;

const moneyOf = (amount: number, currency: string) => ({ value: toMajorUnits(amount, currency), currency });

export const resolvers: Resolvers = {
  Query: {
    charge: (_root, { id }, context) => findOwn(context, id, charges),
    charges: (_root, args, context) => listCharges(context, args),
    refund: async (_root, { chargeId, refundId }, context) => {
      const charge = await findOwn(context, chargeId, charges);
      const refund = charge && (await findOwn(context, refundId, refunds));
      return refund?.chargeId === charge?.id ? refund : null;
    },
    refunds: async (_root, { chargeId, ...args }, context) => {
      const charge = await findOwn(context, chargeId, charges);
      if (!charge) return null;
      return pageFromNewest(context, ['refunds', charge.org, charge.id], args, (part, way) =>
        refundsBefore(context.database, { org: charge.org, chargeId: charge.id, ...part }, way),
      );
    },
  },
  Mutation: {
    createCharge: (_root, { input }, context) => chargeSource(context, input),
    refundCharge: (_root, args, context) => refundCharge(context, args),
  },
  Charge: {
    amount: ({ amount, currency }) => moneyOf(amount, currency),
    creator: ({ userId }, _args, context) => userById(context).load(userId),
    idempotency: ({ id }, { first }, context) =>
      recordsOfCharge(context).load({ parentId: id, size: pageSize(context, first) }),
    minorAmount: ({ amount }) => amount,
    amountRefunded: ({ amountRefunded, currency }) => moneyOf(amountRefunded, currency),
    refund: async ({ id, refund }, _args, context) =>
      refund ?? (await refundsOfCharge(context).load({ parentId: id, size: 1 }))[0] ?? null,
    refunds: ({ id }, { first }, context) =>
      refundsOfCharge(context).load({ parentId: id, size: pageSize(context, first) }),
    order: ({ orderId }, _args, context, info) => {
      const load = selects(info, 'items') ? wholeOrderById : orderById;
      return orderId === null ? null : load(context).load(orderId);
    },
  },
  Refund: {
    amount: ({ amount, currency }) => moneyOf(amount, currency),
  },
  IdempotencyRecord: {
    attempts: ({ attempt }) => attempt,
  },
  Order: {
    charges: ({ id }, { first }, context) =>
      chargesOfOrder(context).load({ parentId: id, size: pageSize(context, first) }),
    paid: ({ id }, _args, context) => isPaid(context).load(id),
  },
};

/**
 * Reads a page of the organisation's charges, of all of them or of those that pass the filters.
 *
 * @throws ApiError `invalid_cursor`, and `forbidden` or `not_found` for an order that never belonged to the organisation.
 */
async function listCharges(
  context: Context,
  { orderId: given, status = null, ...args }: QueryChargesArgs,
): Promise<Connection<ChargeRow>> {
  if (given == null && status === null) return ownPageFromNewest(context, 'charges', args, chargesBefore);
  const { database } = context;
  const { org } = callerOf(context);
  const orderId = filterId(given);
  const list = ['charges', org, orderId ?? '', status ?? ''];
  const page = await pageFromNewest(context, list, args, (part, way) =>
    filteredChargesBefore(database, { org, orderId, status, ...part }, way),
  );
  // Charges are filtered by organisation, so the order needs a check only if the page is empty. A deleted order's charges remain.
  if (given != null && page.nodes.length === 0) {
    await requireOwnId(context, given, orders, {
      path: 'orderId',
      message: 'is not an order of your organisation',
    });
  }
  return page;
}
