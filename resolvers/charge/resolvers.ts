import { toMajorUnits } from '../../src/core/money.ts';
import { chargesBefore, findCharge, orgOfCharge } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/caller.ts';
import { pageSize } from '../shared/lists.ts';
import { findOwn, type Lookup } from '../shared/lookup.ts';
import { cursorPage } from '../shared/pages.ts';
import { chargeSource } from './charging.ts';
import { refundCharge } from './refunding.ts';

export const charges: Lookup<ChargeRow> = { find: findCharge, orgOf: orgOfCharge };

/** Above every id: where a list that begins with the newest starts. */
const NEWEST = Number.MAX_SAFE_INTEGER;

export const charge: Resolvers = {
  Query: {
    charge: (_root, { id }, context) => findOwn(context, id, charges),
    charges: async (_root, { first, after }, context) => {
      const { org } = callerOf(context);
      const list = ['charges', org];
      const [beforeId] = after == null ? [NEWEST] : context.cursors.open(list, after);
      const size = pageSize(first);
      const rows = await chargesBefore(context.database, org, Number(beforeId), size + 1);
      return cursorPage(rows, size, ({ id }) => context.cursors.seal(list, [id]));
    },
  },
  Mutation: {
    createCharge: (_root, { input }, context) => chargeSource(context, input),
    refundCharge: (_root, { id }, context) => refundCharge(context, id),
  },
  Charge: {
    amount: ({ amount, currency }) => ({ value: toMajorUnits(amount, currency), currency }),
    minorAmount: ({ amount }) => amount,
    order: ({ orderId }, _args, { loaders }) => (orderId === null ? null : loaders.order.load(orderId)),
  },
  Order: {
    charges: ({ id }, { first }, { loaders }) =>
      loaders.charges.ofOrder.load({ orderId: id, size: pageSize(first) }),
    paid: async ({ id, total }, _args, { loaders }) => (await loaders.charges.paidForOrder.load(id)) >= total,
  },
};
