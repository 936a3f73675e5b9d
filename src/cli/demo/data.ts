/**
 * The demo data: the same rows with the same ids and times on every machine and every engine, so that examples,
 * tests and bug reports can refer to order 7. Everything is derived from the constants; nothing is random. The types are inferred, since
 * `install.ts` inserts all rows: a new column that may be null or has a default needs no change here.
 */

import { DAY, HOUR, MINUTE } from '../../core/limits.ts';
import { toMajorUnits } from '../../core/money.ts';
import type { DocumentRow, OrderRow, UserRow } from '../../db/rows.ts';

const at = (time: string) => new Date(time);

export const organisations = [
  { id: 'acme', name: 'Acme Instruments', createdAt: at('2026-01-01T08:00:00Z') },
  { id: 'globex', name: 'Globex Trading', createdAt: at('2026-01-01T08:30:00Z') },
];

const person = (id: number, org: string, email: string, name: string, role: UserRow['role']) => {
  const createdAt = new Date(at('2026-01-02T09:00:00Z').getTime() + id * HOUR);
  return { id, org, email, name, role, createdAt, updatedAt: createdAt };
};

/** All users have the password `DEMO_PASSWORD`. */
export const users = [
  person(1, 'acme', 'ada@acme.test', 'Ada Brandt', 'admin'),
  person(2, 'acme', 'ed@acme.test', 'Ed Okafor', 'editor'),
  person(3, 'acme', 'vic@acme.test', 'Vic Lindqvist', 'viewer'),
  person(4, 'globex', 'gil@globex.test', 'Gil Moreau', 'admin'),
];

export const DEMO_PASSWORD = 'portico-demo';

const product = (id: number, org: string, name: string, unitPrice: number, currency = 'USD') => {
  const createdAt = new Date(at('2026-01-03T09:00:00Z').getTime() + id * MINUTE);
  return { id, org, name, unitPrice, currency, version: 1, createdAt, updatedAt: createdAt };
};

/** Prices in minor units; one product in a currency without decimals, one in a currency with three. */
export const products = [
  product(1, 'acme', 'Desk lamp', 1999),
  product(2, 'acme', 'Folding rule', 1250),
  product(3, 'acme', 'Spirit level', 3400),
  product(4, 'acme', 'Caliper', 8995),
  product(5, 'acme', 'Drawing board', 12_900),
  product(6, 'acme', 'Compass set', 4550),
  product(7, 'acme', 'Tripod', 21_999),
  product(8, 'acme', 'Theodolite', 149_900),
  product(9, 'acme', 'Graph paper', 695),
  product(10, 'acme', 'Pencil', 5),
  product(11, 'acme', 'Washi tape', 480, 'JPY'),
  product(12, 'acme', 'Pearl gauge', 12_375, 'BHD'),
  product(13, 'globex', 'Shipping crate', 7500),
  product(14, 'globex', 'Pallet', 2225),
  product(15, 'globex', 'Strapping', 1180),
];

const FIRST_ORDER = at('2026-01-05T10:00:00Z').getTime();

/** The owners of acme's 60 orders in turn: ada owns 30, ed 20 and vic 10. */
const ACME_OWNERS = [1, 2, 1, 2, 1, 3] as const;
const STATUSES = ['pending', 'shipped', 'pending', 'cancelled', 'pending', 'pending', 'shipped'] as const;

/** A viewer cannot place orders, so the admin is the actor. */
const VIEWER = 3;
const ADMIN = 1;

/** Remainders (id modulo 15) of the orders in other currencies: 4 of acme's 60 orders for each currency. */
const IN_YEN = 7;
const IN_DINAR = 12;

function productIdsOf(id: number, org: string): number[] {
  if (org === 'globex') return [13, 14, 15].slice(0, 1 + (id % 3));
  if (id % 15 === IN_YEN) return [11];
  if (id % 15 === IN_DINAR) return [12];
  // A step of 3 visits all ten products before it repeats one, so no order has a product twice.
  return Array.from({ length: 1 + (id % 4) }, (_, position) => 1 + ((id + 3 * position) % 10));
}

function itemsOf(orderId: number, org: string) {
  return productIdsOf(orderId, org).map((productId, position) => {
    const ordered = products.find((candidate) => candidate.id === productId);
    if (!ordered) throw new Error(`The demo has no product ${productId}.`);
    const { name, unitPrice } = ordered;
    return { org, orderId, position, productId, name, unitPrice, qty: 1 + ((orderId + position) % 5) };
  });
}

const currencyOf = (productId: number | undefined) =>
  products.find((candidate) => candidate.id === productId)?.currency ?? 'USD';

/** About 50 hours apart; every tenth order has the same time as the previous one, so that lists have ties to break. */
function createdAtOf(id: number): Date {
  const step = id % 10 === 0 ? id - 1 : id;
  return new Date(FIRST_ORDER + step * (2 * DAY + 2 * HOUR + 17 * MINUTE));
}

function orderOf(id: number, org: string, userId: number, status: OrderRow['status']) {
  const items = itemsOf(id, org);
  const createdAt = createdAtOf(id);
  const settled = status !== 'pending';
  return {
    id,
    org,
    userId,
    status,
    total: items.reduce((sum, item) => sum + item.unitPrice * item.qty, 0),
    currency: currencyOf(items[0]?.productId),
    version: settled ? 2 : 1,
    createdAt,
    updatedAt: settled ? new Date(createdAt.getTime() + 20 * HOUR) : createdAt,
  };
}

const pick = <T>(list: readonly [T, ...T[]], index: number): T => list[index % list.length] ?? list[0];

export const orders = [
  ...Array.from({ length: 60 }, (_, n) => orderOf(n + 1, 'acme', pick(ACME_OWNERS, n), pick(STATUSES, n))),
  ...Array.from({ length: 5 }, (_, n) => orderOf(n + 61, 'globex', 4, pick(STATUSES, n))),
];

export const orderItems = orders
  .flatMap((order) => itemsOf(order.id, order.org))
  .map((item, index) => ({ ...item, id: index + 1 }));

/** After the last change of an order, so that the documents' events are the newest. */
const FIRST_DOCUMENT = at('2026-06-01T09:00:00Z').getTime();

const texts: readonly Pick<DocumentRow, 'org' | 'authorId' | 'classification' | 'title' | 'body'>[] = [
  {
    org: 'acme',
    authorId: 1,
    classification: 'public',
    title: 'Returns',
    body: 'Instruments come back within 30 days of delivery, calibrated or not.\nPostage is on us.',
  },
  {
    org: 'acme',
    authorId: 1,
    classification: 'internal',
    title: 'How we calibrate',
    body: 'Warm the bench to 20 °C.\nMeasure three times, and write down all three.',
  },
  {
    org: 'acme',
    authorId: 1,
    classification: 'confidential',
    title: 'Plans for next year',
    body: 'A theodolite of our own, and a second workshop.',
  },
  {
    org: 'globex',
    authorId: 4,
    classification: 'internal',
    title: 'Customs forms',
    body: 'Three copies for each pallet, the third on green paper.',
  },
];

/** One of each classification, and one of the other organisation. */
export const documents = texts.map((text, index) => {
  const id = index + 1;
  const createdAt = new Date(FIRST_DOCUMENT + id * DAY);
  return { id, ...text, version: 1, createdAt, updatedAt: createdAt };
});

/** The log as the server would have written it: one event for each order placed, and one for each later change of status. */
const orderEvents = orders
  .flatMap((order) => {
    const created = { ...order, status: 'pending' as const };
    const first = { type: 'order.created', order: created, createdAt: order.createdAt };
    if (order.status === 'pending') return [first];
    return [first, { type: `order.${order.status}`, order, createdAt: order.updatedAt }];
  })
  .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.order.id - b.order.id)
  .map(({ type, order, createdAt }, index) => ({
    id: index + 1,
    ...orderEvent(type, order),
    actorId: order.userId === VIEWER ? ADMIN : order.userId,
    createdAt,
  }));

/** The events of orders, followed by the creation of each document. */
export const events = [
  ...orderEvents,
  ...documents.map(({ id, org, authorId, title, classification, createdAt }) => ({
    id: orderEvents.length + id,
    org,
    type: 'document.created',
    actorId: authorId,
    subjectType: 'document',
    subjectId: id,
    // As the mutations write it: the log keeps no title of a confidential document.
    data: { ...(classification !== 'confidential' && { title }), classification },
    createdAt,
  })),
];

/** Returns the event of an order by its owner, at the time of the order, as the mutations write it. */
export function orderEvent(
  type: string,
  order: Pick<OrderRow, 'id' | 'org' | 'userId' | 'status' | 'total' | 'currency' | 'createdAt'>,
) {
  const { id, org, userId, status, total, currency, createdAt } = order;
  const data = { user_id: userId, status, total: toMajorUnits(total, currency), currency };
  return { org, type, actorId: userId, subjectType: 'order', subjectId: id, data, createdAt };
}
