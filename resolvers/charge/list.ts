import { chargesBefore, filteredChargesBefore } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import type { QueryChargesArgs } from '../../src/generated/resolvers.ts';
import { orders } from '../order/loaders.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { NO_ROW, parseId, requireOwnId } from '../shared/lookup.ts';
import { ownPageFromNewest, pageFromNewest } from '../shared/paging.ts';

/**
 * Reads a page of the organisation's charges, of all of them or of those that pass the filters.
 *
 * @throws ApiError `invalid_cursor`, and `forbidden` or `not_found` for an order that never belonged to the organisation.
 */
export async function listCharges(
  context: Context,
  { orderId: given, status = null, ...args }: QueryChargesArgs,
): Promise<Connection<ChargeRow>> {
  if (given == null && status === null) return ownPageFromNewest(context, 'charges', args, chargesBefore);
  const { database } = context;
  const { org } = callerOf(context);
  const orderId = given == null ? null : (parseId(given) ?? NO_ROW);
  const list = ['charges', org, orderId ?? '', status ?? ''];
  const page = await pageFromNewest(context, list, args, (fromId, limit, way) =>
    filteredChargesBefore(database, { org, orderId, status, fromId, limit }, way),
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
