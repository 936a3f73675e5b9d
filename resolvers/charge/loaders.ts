import DataLoader from 'dataloader';
import { amountsPaidForOrders, newestChargesOfOrders } from '../../src/db/queries/charges.ts';
import { recordsOfSubjects } from '../../src/db/queries/idempotency.ts';
import { newestRefundsOfCharges } from '../../src/db/queries/refunds.ts';
import type { ChargeRow, IdempotencyRecordRow, RefundRow } from '../../src/db/rows.ts';
import { declareLoader, inGroups } from '../shared/loaders.ts';

interface ChargesOfOrder {
  readonly orderId: number;
  readonly size: number;
}

interface RecordsOfCharge {
  readonly chargeId: number;
  readonly size: number;
}

/** The newest charges for an order, newest first. One statement per size. */
export const chargesOfOrder = declareLoader<ChargesOfOrder, readonly ChargeRow[], string>(
  ({ database, org }) => {
    const load = async (group: readonly ChargesOfOrder[], { size }: ChargesOfOrder) => {
      const orderIds = group.map(({ orderId }) => orderId);
      const rows = await newestChargesOfOrders(database, org, orderIds, size);
      const rowsOf = Map.groupBy(rows, (row) => row.orderId);
      return orderIds.map((id) => rowsOf.get(id) ?? []);
    };
    return new DataLoader((wanted) => inGroups(wanted, ({ size }) => String(size), load), {
      cacheKeyFn: ({ orderId, size }) => `${orderId}:${size}`,
    });
  },
);

interface RefundsOfCharge {
  readonly chargeId: number;
  readonly size: number;
}

/** The newest refunds of a charge, newest first. One statement per size. */
export const refundsOfCharge = declareLoader<RefundsOfCharge, readonly RefundRow[], string>(
  ({ database, org }) => {
    const load = async (group: readonly RefundsOfCharge[], { size }: RefundsOfCharge) => {
      const chargeIds = group.map(({ chargeId }) => chargeId);
      const rows = await newestRefundsOfCharges(database, org, chargeIds, size);
      const rowsOf = Map.groupBy(rows, (row) => row.chargeId);
      return chargeIds.map((id) => rowsOf.get(id) ?? []);
    };
    return new DataLoader((wanted) => inGroups(wanted, ({ size }) => String(size), load), {
      cacheKeyFn: ({ chargeId, size }) => `${chargeId}:${size}`,
    });
  },
);

/** The mutations whose idempotency records refer to a charge. Those of refunds refer to the refund. */
const CHARGING = ['createCharge'];

/** The first idempotency records of a charge. One statement per size. */
export const recordsOfCharge = declareLoader<RecordsOfCharge, readonly IdempotencyRecordRow[], string>(
  ({ database, org }) => {
    const load = async (group: readonly RecordsOfCharge[], { size: limit }: RecordsOfCharge) => {
      const subjectIds = group.map(({ chargeId }) => chargeId);
      const rows = await recordsOfSubjects(database, { org, mutations: CHARGING, subjectIds, limit });
      const rowsOf = Map.groupBy(rows, (row) => row.subjectId);
      return subjectIds.map((id) => rowsOf.get(id) ?? []);
    };
    return new DataLoader((wanted) => inGroups(wanted, ({ size }) => String(size), load), {
      cacheKeyFn: ({ chargeId, size }) => `${chargeId}:${size}`,
    });
  },
);

/** The amount paid for an order minus refunds, in minor units. */
export const paidForOrder = declareLoader<number, number>(
  ({ database, org }) =>
    new DataLoader(async (orderIds) => {
      const paid = await amountsPaidForOrders(database, org, orderIds);
      return orderIds.map((id) => paid.get(id) ?? 0);
    }),
);
