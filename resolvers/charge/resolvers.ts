import { toMajorUnits } from '../../src/core/money.ts';
import { chargesBefore, findCharge, orgOfCharge } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { orderById } from '../order/loaders.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, type Lookup } from '../shared/lookup.ts';
import { pageFromNewest, pageSize } from '../shared/paging.ts';
import { chargeSource } from './charging.ts';
import { chargesOfOrder, paidForOrder } from './loaders.ts';
import { refundCharge } from './refunding.ts';

export type ChargeNode = ChargeRow;

export const charges: Lookup<ChargeRow> = { find: findCharge, orgOf: orgOfCharge };

export const resolvers: Resolvers = {
  Query: {
    charge: (_root, { id }, context) => findOwn(context, id, charges),
    charges: (_root, args, context) => {
      const { org } = callerOf(context);
      return pageFromNewest(context, ['charges', org], args, (beforeId, limit) =>
        chargesBefore(context.database, org, beforeId, limit),
      );
    },
  },
  Mutation: {
    createCharge: (_root, { input }, context) => chargeSource(context, input),
    refundCharge: (_root, { id }, context) => refundCharge(context, id),
  },
  Charge: {
    amount: ({ amount, currency }) => ({ value: toMajorUnits(amount, currency), currency }),
    minorAmount: ({ amount }) => amount,
    order: ({ orderId }, _args, context) => (orderId === null ? null : orderById(context).load(orderId)),
  },
  Order: {
    charges: ({ id }, { first }, context) =>
      chargesOfOrder(context).load({ orderId: id, size: pageSize(first) }),
    paid: async ({ id, total }, _args, context) => (await paidForOrder(context).load(id)) >= total,
  },
};
