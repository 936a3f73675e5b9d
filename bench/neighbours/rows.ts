/**
 * The rows of two organisations, as one statement per table: a large one with so many rows that every scan beyond a page is slow, and
 * its neighbour of ordinary size.
 */
import { LIMITS } from '../../src/core/limits.ts';

/** The number of rows of the large organisation. */
export interface Sizes {
  readonly orders: number;
  readonly events: number;
}

/** The differences between the SQL of the engines. */
export interface Dialect {
  /** A relation with the column `n`, from 0 to `count - 1`. */
  series(count: number): string;
  /** A timestamp. @param milliseconds an expression for milliseconds since the epoch. */
  time(milliseconds: string): string;
  /** A JSON value. @param text an expression for its text. */
  json(text: string): string;
}

export const SQLITE_DIALECT: Dialect = {
  series: (count) =>
    `(with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers)`,
  time: (milliseconds) => milliseconds,
  json: (text) => text,
};

export const POSTGRES_DIALECT: Dialect = {
  series: (count) => `generate_series(0::bigint, ${count - 1}) as numbers(n)`,
  time: (milliseconds) => `to_timestamp((${milliseconds}) / 1000.0)`,
  json: (text) => `(${text})::jsonb`,
};

/** Both organisations are in the demo data, with their products and the neighbour's user. */
export const LARGE = 'acme';
export const NEIGHBOUR = { org: 'globex', email: 'gil@globex.test', userId: 4, product: 13 };

/** The id of the first row in each table, after those of the demo data. */
export const FIRST = 1000;

const PEOPLE = 2000;
/** The first users are the viewers, followed by the authors and by the buyer, who has half of all orders. */
export const VIEWERS = 16;
const AUTHORS = 10;
export const BUYER = FIRST + VIEWERS + AUTHORS;

const ITEMS = 3;
/** The number of the large organisation's products in USD, which are the first in the demo data. */
const PRODUCTS = 10;

/** The number of first orders that share half of all charges. */
export const CHARGED_ORDERS = 20;
/** The number of last documents, which are public, have the maximum length, and have a tenth of the log as their history. */
const LONG_DOCUMENTS = 100;
/** One in this number of the other documents is internal; the others are confidential. */
const INTERNAL = 5;

const NEIGHBOUR_ORDERS = 1000;

/** 2026-06-15, after the demo data. */
const START = 1_781_481_600_000;

const documentsOf = ({ orders }: Sizes) => LONG_DOCUMENTS + Math.ceil(orders / 25);

export const viewerEmail = (number: number): string => `viewer${number}@acme.test`;

/** The ids of the neighbour's orders. */
export const neighbourOrders = ({ orders }: Sizes): readonly number[] =>
  Array.from({ length: NEIGHBOUR_ORDERS }, (_, n) => FIRST + orders + n);

/** @param passwordHash the hash of the viewers' password. */
export function statementsFor(dialect: Dialect, sizes: Sizes, passwordHash: string): readonly string[] {
  return [
    people(dialect, passwordHash),
    orders(dialect, sizes),
    items(dialect, sizes),
    charges(dialect, sizes),
    documents(dialect, sizes),
    shares(dialect, sizes),
    events(dialect, sizes),
    ...neighbour(dialect, sizes),
  ];
}

function people({ series, time }: Dialect, passwordHash: string): string {
  return `insert into users (id, org, email, name, role, password_hash, created_at, updated_at)
    select ${FIRST} + n, '${LARGE}',
      case when n < ${VIEWERS} then 'viewer' || n || '@acme.test' else 'person' || n || '@acme.test' end, 'Person ' || n,
      case when n < ${VIEWERS} then 'viewer' else 'editor' end,
      case when n < ${VIEWERS} then '${passwordHash}' end, ${time(`${START}`)}, ${time(`${START}`)}
    from ${series(PEOPLE)}`;
}

function orders({ series, time }: Dialect, sizes: Sizes): string {
  const at = time(`${START} + n * 1000`);
  return `insert into orders (id, org, user_id, status, total, currency, version, created_at, updated_at)
    select ${FIRST} + n, '${LARGE}', case when n % 2 = 0 then ${BUYER} else ${FIRST} + n % ${PEOPLE} end,
      case n % 3 when 0 then 'shipped' when 1 then 'pending' else 'cancelled' end, 1 + (n * 7919) % 1000000, 'USD', 1, ${at}, ${at}
    from ${series(sizes.orders)}`;
}

function items({ series }: Dialect, sizes: Sizes): string {
  return `insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
    select '${LARGE}', ${FIRST} + n / ${ITEMS}, n % ${ITEMS}, 1 + n % ${PRODUCTS}, 'Instrument ' || (n % ${PRODUCTS}), 1999, 1 + n % 9
    from ${series(sizes.orders * ITEMS)}`;
}

function charges({ series, time }: Dialect, sizes: Sizes): string {
  const half = Math.ceil(sizes.orders / 5);
  const at = time(`${START} + n * 1000`);
  return `insert into charges (org, user_id, order_id, amount, currency, source, status, reference, created_at, updated_at)
    select '${LARGE}', ${BUYER}, ${FIRST} + case when n < ${half} then n % ${CHARGED_ORDERS} else n end, 1999, 'USD', 'tok_****',
      'succeeded', 'bench-' || n, ${at}, ${at}
    from ${series(2 * half)}`;
}

function documents({ series, time }: Dialect, sizes: Sizes): string {
  const count = documentsOf(sizes);
  const isLong = `n >= ${count - LONG_DOCUMENTS}`;
  const line = 'Measure three times, and write down all three. ';
  const body = line.repeat(LIMITS.documentBodyLength / line.length);
  return `insert into documents (id, org, author_id, title, body, classification, created_at, updated_at)
    select ${FIRST} + n, '${LARGE}', ${FIRST + VIEWERS} + n % ${AUTHORS}, 'Document ' || n,
      case when ${isLong} then '${body}' else '${line}' end,
      case when ${isLong} then 'public' when n % ${INTERNAL} = 0 then 'internal' else 'confidential' end,
      ${time(`${START} + n * 1000`)}, ${time(`${START} + n * 1000`)}
    from ${series(count)}`;
}

/** Shares documents with users who are not viewers, so that a viewer's query scans rows that do not match. */
function shares({ series, time }: Dialect, sizes: Sizes): string {
  return `insert into shares (org, document_id, user_id, relation, created_at)
    select '${LARGE}', ${FIRST} + n / 5, ${BUYER + 1} + n % 5, 'reader', ${time(`${START}`)}
    from ${series(documentsOf(sizes) * 5)}`;
}

/** Events of orders, then of the long documents, and finally of confidential documents, which a viewer's feed has to skip. */
function events({ series, time, json }: Dialect, sizes: Sizes): string {
  const count = documentsOf(sizes);
  const ordersEnd = Math.floor(sizes.events * 0.5);
  const longEnd = Math.floor(sizes.events * 0.6);
  // Skips the first document of each group, which is internal.
  const confidential = `n / ${INTERNAL} % ${Math.floor((count - LONG_DOCUMENTS) / INTERNAL)} * ${INTERNAL} + 1 + n % ${INTERNAL - 1}`;
  return `insert into events (id, org, type, actor_id, subject_type, subject_id, data, created_at)
    select ${FIRST} + n, '${LARGE}',
      case when n < ${ordersEnd} then 'order.updated' when n < ${longEnd} then 'document.created' else 'document.updated' end,
      ${BUYER}, case when n < ${ordersEnd} then 'order' else 'document' end,
      ${FIRST} + case when n < ${ordersEnd} then n % ${sizes.orders}
        when n < ${longEnd} then ${count - LONG_DOCUMENTS} + n % ${LONG_DOCUMENTS}
        else ${confidential} end,
      ${json(`'{"changed":["status"],"number":' || n || '}'`)}, ${time(`${START} + n * 100`)}
    from ${series(sizes.events)}`;
}

function neighbour({ series, time, json }: Dialect, sizes: Sizes): readonly string[] {
  const { org, userId, product } = NEIGHBOUR;
  const firstOrder = FIRST + sizes.orders;
  const at = time(`${START} + n * 1000`);
  return [
    `insert into orders (id, org, user_id, status, total, currency, version, created_at, updated_at)
      select ${firstOrder} + n, '${org}', ${userId}, 'pending', 5997, 'USD', 1, ${at}, ${at}
      from ${series(NEIGHBOUR_ORDERS)}`,
    `insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
      select '${org}', ${firstOrder} + n / ${ITEMS}, n % ${ITEMS}, ${product} + n % ${ITEMS}, 'Crate', 1999, 1
      from ${series(NEIGHBOUR_ORDERS * ITEMS)}`,
    `insert into events (id, org, type, actor_id, subject_type, subject_id, data, created_at)
      select ${FIRST + sizes.events} + n, '${org}', 'order.created', ${userId}, 'order', ${firstOrder} + n, ${json(`'{}'`)}, ${at}
      from ${series(NEIGHBOUR_ORDERS)}`,
  ];
}
