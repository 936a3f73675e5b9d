import type { SeededIds } from './data.ts';

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
  /** Whether the hand-written route answers it too; the others are for information. */
  readonly isPaired: boolean;
  requests(ids: SeededIds): BenchRequest[];
}

/** Different requests of a case: many more than a connection sends before SQLite's page cache has turned over. */
const DISTINCT = 4096;

const ORDER_FIELDS = `id userId status total currency
  items { id productId name qty unitPrice thumbnailUrl } createdAt updatedAt`;

const ORDER_QUERY = `query Order($id: ID!) { order(id: $id) { ${ORDER_FIELDS} } }`;

const PAGE_QUERY = `query Orders($userId: ID!) {
  orders(userId: $userId, limit: 20) {
    nodes { ${ORDER_FIELDS} }
    pageInfo { page limit total nextPage }
  }
}`;

const get = (path: string): BenchRequest => ({ method: 'GET', path });

const graphql = (query: string, variables: object): BenchRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});

export const CASES: readonly Case[] = [
  {
    name: 'order',
    title: 'REST: one order with its items',
    isPaired: true,
    requests: ({ orderIds }) => spread(orderIds).map((id) => get(`/v1/orders/${id}`)),
  },
  {
    name: 'page',
    title: 'REST: a page of 20 orders with items',
    isPaired: true,
    requests: ({ userIds }) => spread(userIds).map((id) => get(`/v1/users/${id}/orders?limit=20`)),
  },
  {
    name: 'graphql-order',
    title: 'GraphQL: one order with its items',
    isPaired: false,
    requests: ({ orderIds }) => spread(orderIds).map((id) => graphql(ORDER_QUERY, { id: String(id) })),
  },
  {
    name: 'graphql-page',
    title: 'GraphQL: a page of 20 orders with items',
    isPaired: false,
    requests: ({ userIds }) =>
      spread(userIds).map((userId) => graphql(PAGE_QUERY, { userId: String(userId) })),
  },
];

export const CASE_NAMES: readonly string[] = CASES.map(({ name }) => name);

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
