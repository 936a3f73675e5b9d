import { newestChargesOfOrders, paidOrdersAmong } from '../../src/db/queries/charges.ts';
import { recordsOfSubjects } from '../../src/db/queries/idempotency.ts';
import { newestRefundsOfCharges } from '../../src/db/queries/refunds.ts';
import { declareIdLoader, declarePartLoader } from '../shared/loaders.ts';

interface FewOf {
  readonly parentId: number;
  readonly size: number;
}

const sizeOf = ({ size }: FewOf) => String(size);

/** The newest charges for an order, newest first. */
export const chargesOfOrder = declarePartLoader(
  sizeOf,
  ({ database, org }, orderIds, { size }: FewOf) => newestChargesOfOrders(database, { org, orderIds, size }),
  ({ orderId }) => orderId,
);

/** The newest refunds of a charge, newest first. */
export const refundsOfCharge = declarePartLoader(
  sizeOf,
  ({ database, org }, chargeIds, { size }: FewOf) =>
    newestRefundsOfCharges(database, { org, chargeIds, size }),
  ({ chargeId }) => chargeId,
);

/** The mutations whose idempotency records refer to a charge. Those of refunds refer to the refund. */
const CHARGING = ['createCharge'];

/** The first idempotency records of a charge. */
export const recordsOfCharge = declarePartLoader(
  sizeOf,
  ({ database, org }, subjectIds, { size: limit }: FewOf) =>
    recordsOfSubjects(database, { org, mutations: CHARGING, subjectIds, limit }),
  ({ subjectId }) => subjectId,
);

/** Whether an order is paid. */
export const isPaid = declareIdLoader(async ({ database, org }, orderIds) => {
  const paid = await paidOrdersAmong(database, org, orderIds);
  return (id) => paid.has(id);
});
