import { toMajorUnits } from '../../src/money.ts';
import type { ItemRow, OrderRow } from './orders.ts';

const integer = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const string = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;

const object = <T extends Record<string, object>>(properties: T) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as const;

/** What Fastify makes its serializers of. */
export const orderSchema = object({
  id: integer,
  user_id: integer,
  status: string,
  total: number,
  currency: string,
  items: {
    type: 'array',
    items: object({
      id: integer,
      product_id: integer,
      name: string,
      qty: integer,
      unit_price: number,
      thumbnail_url: string,
    }),
  },
  created_at: time,
  updated_at: time,
});

export const pageSchema = object({
  data: { type: 'array', items: orderSchema },
  pagination: object({ page: integer, limit: integer, total: integer, next: { type: ['string', 'null'] } }),
});

/** An order as clients see it. */
export function viewOf(row: OrderRow, items: readonly ItemRow[], publicUrl: string) {
  const [id, userId, status, total, currency, , createdAt, updatedAt] = row;
  return {
    id,
    user_id: userId,
    status,
    total: toMajorUnits(total, currency),
    currency,
    items: items.map(([itemId, , productId, name, qty, unitPrice]) => ({
      id: itemId,
      product_id: productId,
      name,
      qty,
      unit_price: toMajorUnits(unitPrice, currency),
      thumbnail_url: `${publicUrl}/images/product-${productId}.svg`,
    })),
    created_at: new Date(createdAt),
    updated_at: new Date(updatedAt),
  };
}
