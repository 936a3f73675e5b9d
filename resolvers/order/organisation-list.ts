import { ApiError, type ErrorDetail, invalidValue } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { problemWithCurrency, toMinorUnits } from '../../src/core/money.ts';
import { isEmptyRange } from '../../src/core/time-range.ts';
import {
  loadOrders,
  type OrderFilters,
  type OrderPlace,
  type OrderPosition,
  type OrganisationSort,
  placesOfOrders,
} from '../../src/db/queries/organisation-orders.ts';
import { products } from '../../src/db/queries/products.ts';
import { users } from '../../src/db/queries/users.ts';
import type { QueryOrganisationOrdersArgs } from '../../src/generated/resolvers.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { filterId, noPerson, requireOwnId } from '../shared/lookup.ts';
import { connectionOf, withRows } from '../shared/paging.ts';
import type { OrderNode } from './loaders.ts';

/**
 * Reads a page of the organisation's orders.
 *
 * @param whole whether to load the items as well.
 * @throws ApiError `validation_failed`, `invalid_cursor`, and `forbidden` or `not_found` for a person or a product that never
 *   belonged to the organisation.
 */
export async function listOrders(
  context: Context,
  args: QueryOrganisationOrdersArgs,
  whole: boolean,
): Promise<Connection<OrderNode & OrderPlace>> {
  const { org } = callerOf(context);
  const filters = readFilters(args);
  const asked = args.sort ?? 'created_at_desc';
  const { sort, descending } = sortOf<OrganisationSort>(asked);
  if (filters.productId !== null && sort === 'total') {
    throw invalidValue('sort', 'must be a sort order by time for the orders of one product');
  }
  const found = await connectionOf<OrderPlace>(context, args, {
    list: ['organisationOrders', org, asked, JSON.stringify(filters)],
    positionOf: ({ position }) => position,
    read: (from, limit, way) =>
      placesOfOrders(context.database, {
        org,
        filters,
        sort,
        descending: descending !== (way === 'backwards'),
        // Cursors of this list contain the result of `positionOf`.
        from: from as OrderPosition | undefined,
        limit,
      }),
    skippedPerPoint: LIMITS.ordersSkippedPerPoint,
  });
  const page = await withRows<OrderPlace, OrderNode>(found, (ids) =>
    loadOrders(context.database, org, ids, whole),
  );
  // Orders are filtered by organisation, so the person and the product need a check only if the page is empty. A removed person's
  // orders remain.
  if (page.nodes.length === 0) {
    if (args.userId != null) await requireOwnId(context, args.userId, users, noPerson('userId'));
    if (args.productId != null) {
      await requireOwnId(context, args.productId, products, {
        path: 'productId',
        message: 'is not a product of your organisation',
      });
    }
  }
  return page;
}

/** Reads the filters. @throws ApiError `validation_failed` with every invalid filter. */
function readFilters(args: QueryOrganisationOrdersArgs): OrderFilters {
  const { status, userId, productId, currency = null, createdAfter = null, createdBefore = null } = args;
  const details: ErrorDetail[] = [];
  if (status?.length === 0) {
    details.push({ path: 'status', message: 'must have at least one element, or be omitted' });
  }
  if (createdAfter && createdBefore && isEmptyRange(createdAfter, createdBefore)) {
    details.push({ path: 'createdBefore', message: 'must be the later of the two times' });
  }
  const problem = currency === null ? undefined : problemWithCurrency(currency);
  if (problem !== undefined) details.push({ path: 'currency', message: problem });
  const total = (path: 'minTotal' | 'maxTotal'): number | null => {
    const value = args[path];
    if (value == null || problem !== undefined) return null;
    if (currency === null) {
      details.push({ path, message: 'requires a currency' });
      return null;
    }
    const read = toMinorUnits(value, currency, { mayBeWithdrawn: true });
    if ('minorUnits' in read) return read.minorUnits;
    details.push({ path, message: read.problem });
    return null;
  };
  const [minTotal, maxTotal] = [total('minTotal'), total('maxTotal')];
  if (minTotal !== null && maxTotal !== null && minTotal > maxTotal) {
    details.push({ path: 'maxTotal', message: 'must not be less than the minimum' });
  }
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return {
    statuses: status ? [...new Set(status)].sort() : null,
    userId: filterId(userId),
    productId: filterId(productId),
    currency,
    createdAfter,
    createdBefore,
    minTotal,
    maxTotal,
  };
}

/** Separates a sort order into its key and its direction. */
export function sortOf<Key extends string>(sort: Key | `${Key}_desc`): { sort: Key; descending: boolean } {
  const descending = sort.endsWith('_desc');
  // Without the suffix of its type, a sort order is a key.
  return { sort: (descending ? sort.slice(0, -'_desc'.length) : sort) as Key, descending };
}
