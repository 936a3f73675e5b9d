/** The representations of orders, and their JSON schemas, from which fast-json-stringify compiles serializers. */
import { toMajorUnits } from '../../src/core/money.ts';
import type { ItemRow, OrderRow, OrderRows } from './store/store.ts';

const integer = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const string = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;

export const object = <T extends Record<string, object>>(properties: T) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as const;

export const list = <T extends object>(items: T) => ({ type: 'array', items }) as const;

/** The schema of an order in REST. */
export const orderSchema = object({
  id: integer,
  user_id: integer,
  status: string,
  total: number,
  currency: string,
  items: list(
    object({
      id: integer,
      product_id: integer,
      name: string,
      qty: integer,
      unit_price: number,
      thumbnail_url: string,
    }),
  ),
  created_at: time,
  updated_at: time,
});

export const pageSchema = object({
  data: list(orderSchema),
  pagination: object({ page: integer, limit: integer, total: integer, next: { type: ['string', 'null'] } }),
});

/** The schema of an order in GraphQL, with the fields that the documents select. Ids are strings in GraphQL. */
export const orderNodeSchema = object({
  id: string,
  userId: string,
  status: string,
  total: number,
  currency: string,
  items: list(
    object({
      id: string,
      productId: string,
      name: string,
      qty: integer,
      unitPrice: number,
      thumbnailUrl: string,
    }),
  ),
  createdAt: time,
  updatedAt: time,
});

export const userNodeSchema = object({ id: string, name: string, orders: list(orderNodeSchema) });

const thumbnailOf = (publicUrl: string, productId: number) => `${publicUrl}/images/product-${productId}.svg`;

/** Returns an order for {@link orderSchema}. */
export function viewOf({ order, items }: OrderRows, publicUrl: string) {
  const [id, userId, status, total, currency, , createdAt, updatedAt] = order;
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
      thumbnail_url: thumbnailOf(publicUrl, productId),
    })),
    created_at: new Date(createdAt),
    updated_at: new Date(updatedAt),
  };
}

/** Returns an order without its items, for {@link orderNodeSchema} and for resolvers. */
export function nodeOf([id, userId, status, total, currency, , createdAt, updatedAt]: OrderRow) {
  return {
    id,
    userId,
    status,
    total: toMajorUnits(total, currency),
    currency,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

export type OrderNode = ReturnType<typeof nodeOf>;

export function itemNodeOf(
  [id, , productId, name, qty, unitPrice]: ItemRow,
  currency: string,
  publicUrl: string,
) {
  return {
    id,
    productId,
    name,
    qty,
    unitPrice: toMajorUnits(unitPrice, currency),
    thumbnailUrl: thumbnailOf(publicUrl, productId),
  };
}

export type ItemNode = ReturnType<typeof itemNodeOf>;

/** Returns an order with its items, for {@link orderNodeSchema}. */
export function wholeNodeOf({ order, items }: OrderRows, publicUrl: string) {
  const currency = order[4];
  return { ...nodeOf(order), items: items.map((item) => itemNodeOf(item, currency, publicUrl)) };
}
