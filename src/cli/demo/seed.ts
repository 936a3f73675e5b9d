/** Creates any number of orders for measurements. Like the demo data, each is derived from its number; nothing is random. */

import { LIMITS } from '../../core/limits.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { changeOrderCounts } from '../../db/queries/order-counts.ts';
import { activeProducts } from '../../db/queries/products.ts';
import { loadRows } from '../../db/queries/shared/loading.ts';
import { newestUserId } from '../../db/queries/users.ts';
import type { OrderRow, ProductRow, UserRow } from '../../db/rows.ts';
import { orderEvent } from './data.ts';

const ORG = 'acme';
const CURRENCY = 'USD';

const ORDERS_PER_USER = 100;
const ITEMS_PER_ORDER = 3;

/**
 * Number of orders per transaction: few enough for their items to fit into one statement, and for other writers of SQLite,
 * which has only one at a time, to wait unnoticeably.
 */
const CHUNK = 500;

const FIRST_ORDER = new Date('2026-02-01T00:00:00Z').getTime();
const STEP = 60_000;

const STATUSES: readonly OrderRow['status'][] = ['pending', 'shipped', 'pending', 'cancelled', 'pending'];

interface SeedOptions {
  readonly database: Database;
  /** Number of orders to add, each with 3 items and its events. A new user is added for every 100 orders. */
  readonly orders: number;
  /** Called after each transaction with the number of orders added so far. */
  readonly onProgress?: (orders: number) => void;
}

/** Adds orders. @throws Error if the organisation acme has no products in USD, which the demo data contains. */
export async function seed({ database, orders, onProgress }: SeedOptions): Promise<void> {
  const products = (
    await activeProducts.after(database, { org: ORG, fromId: 0, limit: LIMITS.commandPage })
  ).filter((product) => product.currency === CURRENCY);
  if (products.length === 0)
    throw new Error(`The organisation "${ORG}" has no products in ${CURRENCY} to order.`);
  for (let done = 0; done < orders; ) {
    const size = Math.min(CHUNK, orders - done);
    await database.transaction((tx) => addChunk(tx, products, done, size));
    done += size;
    onProgress?.(done);
  }
}

async function addChunk(
  tx: Transaction,
  products: readonly ProductRow[],
  start: number,
  size: number,
): Promise<void> {
  const users = await addUsers(tx, Math.ceil(size / ORDERS_PER_USER));
  const orders = Array.from({ length: size }, (_, n) => orderOf(start + n, userOf(users, n), products));
  const rows = await loadRows(tx, 'orders', orders);
  const items = rows.flatMap((order) => itemsOf(order, products));
  await loadRows(tx, 'orderItems', items);
  const created = rows.map((order) => orderEvent('order.created', { ...order, status: 'pending' }));
  await loadRows(tx, 'events', created);
  const settled = rows
    .filter(({ status }) => status !== 'pending')
    .map((order) => orderEvent(`order.${order.status}`, order));
  await loadRows(tx, 'events', settled);
  const counted = rows.map(({ org, userId, status }) => ({ org, userId, status, by: 1 }));
  await changeOrderCounts(tx, counted);
}

/** Adds users. Their addresses continue from the largest id, so that seeding can be repeated. */
async function addUsers(tx: Transaction, count: number): Promise<readonly UserRow[]> {
  const base = await newestUserId(tx);
  const createdAt = new Date(FIRST_ORDER);
  const users = Array.from({ length: count }, (_, n) => ({
    org: ORG,
    email: `seed-${base + n + 1}@acme.test`,
    name: `Seed ${base + n + 1}`,
    role: 'editor' as const,
    passwordHash: null,
    createdAt,
    updatedAt: createdAt,
  }));
  return loadRows(tx, 'users', users);
}

function userOf(users: readonly UserRow[], n: number): number {
  const user = users[Math.floor(n / ORDERS_PER_USER)];
  if (!user) throw new RangeError(`No user was made for order ${n} of the chunk.`);
  return user.id;
}

/** Derives the items of an order from its time, since an insert returns rows in no particular order. */
function linesOf(createdAt: Date, products: readonly ProductRow[]) {
  const number = (createdAt.getTime() - FIRST_ORDER) / STEP;
  return Array.from({ length: ITEMS_PER_ORDER }, (_, position) => {
    const product = products[(number + position) % products.length];
    if (!product) throw new RangeError('A non-empty list has an element at every remainder.');
    const { id: productId, name, unitPrice } = product;
    return { position, productId, name, unitPrice, qty: 1 + ((number + position) % 9) };
  });
}

function orderOf(number: number, userId: number, products: readonly ProductRow[]) {
  const createdAt = new Date(FIRST_ORDER + number * STEP);
  const status = STATUSES[number % STATUSES.length] ?? 'pending';
  return {
    org: ORG,
    userId,
    status,
    total: linesOf(createdAt, products).reduce((sum, line) => sum + line.unitPrice * line.qty, 0),
    currency: CURRENCY,
    version: status === 'pending' ? 1 : 2,
    createdAt,
    updatedAt: createdAt,
  };
}

function itemsOf(order: OrderRow, products: readonly ProductRow[]) {
  return linesOf(order.createdAt, products).map((line) => ({ org: order.org, orderId: order.id, ...line }));
}
