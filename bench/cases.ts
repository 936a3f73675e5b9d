import type { SeededIds } from './data.ts';
import { ORDER_DOCUMENT, USER_DOCUMENT } from './peers/documents.ts';

/** A request as the load generator sends it. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** One kind of request, sent for many different rows. */
export interface Case {
  readonly name: string;
  readonly title: string;
  requests(ids: SeededIds): BenchRequest[];
}

/** The number of different requests of a case: many more than a connection sends before SQLite has replaced its page cache. */
const DISTINCT = 4096;

/** The number of products in the demo data that are sold in the same currency, since an order has one currency. */
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
 * Selects ids from the whole range, out of order, since adjacent rows share database pages. The order is the same in each
 * run.
 */
function spread(ids: readonly number[]): number[] {
  const count = Math.min(DISTINCT, ids.length);
  // A step that is coprime to the length visits every id once before it repeats one.
  const step = coprime(Math.floor(ids.length * 0.618), ids.length);
  return Array.from({ length: count }, (_, n) => ids[(n * step) % ids.length] ?? 1);
}

function coprime(start: number, length: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, start);
  while (divisor(step, length) > 1) step += 1;
  return step;
}
