import type { SeededIds } from './data.ts';
import { ORDER_DOCUMENT, USER_DOCUMENT } from './peers/documents.ts';

/** A request as the load generator sends it. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** One kind of request, asked for many different rows. */
export interface Case {
  readonly name: string;
  readonly title: string;
  requests(ids: SeededIds): BenchRequest[];
}

/** Different requests of a case: many more than a connection sends before SQLite's page cache has turned over. */
const DISTINCT = 4096;

/** Products of the demo data that are sold in one currency: an order has one. */
const PRODUCTS = 10;

const get = (path: string): BenchRequest => ({ method: 'GET', path });

const graphql = (query: string, id: number): BenchRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables: { id: String(id) } }),
});

function placeOrder(userId: number, index: number): BenchRequest {
  const items = [0, 1, 2].map((n) => ({
    product_id: 1 + ((index + n) % PRODUCTS),
    qty: 1 + ((index + n) % 9),
  }));
  return { method: 'POST', path: `/v1/users/${userId}/orders`, body: JSON.stringify({ items }) };
}

export const CASES: readonly Case[] = [
  {
    name: 'order',
    title: 'REST: one order with its items',
    requests: ({ orderIds }) => spread(orderIds).map((id) => get(`/v1/orders/${id}`)),
  },
  {
    name: 'page',
    title: 'REST: a page of 20 orders with items',
    requests: ({ userIds }) => spread(userIds).map((id) => get(`/v1/users/${id}/orders?limit=20`)),
  },
  {
    name: 'graphql-order',
    title: 'GraphQL: one order with its items',
    requests: ({ orderIds }) => spread(orderIds).map((id) => graphql(ORDER_DOCUMENT, id)),
  },
  {
    name: 'graphql-user',
    title: 'GraphQL: a user, 20 orders, their items',
    requests: ({ userIds }) => spread(userIds).map((id) => graphql(USER_DOCUMENT, id)),
  },
  {
    name: 'create-order',
    title: 'REST: placing an order of three items',
    requests: ({ userIds }) => spread(userIds).map(placeOrder),
  },
];

/**
 * Some of the ids, from all over the range and not in its order: neighbours share pages of the database. The order is
 * the same each time.
 */
function spread(ids: readonly number[]): number[] {
  const count = Math.min(DISTINCT, ids.length);
  // A step without a common factor with the length visits every id once before it repeats one.
  const step = coprime(Math.floor(ids.length * 0.618), ids.length);
  return Array.from({ length: count }, (_, n) => ids[(n * step) % ids.length] ?? 1);
}

function coprime(start: number, length: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, start);
  while (divisor(step, length) > 1) step += 1;
  return step;
}
