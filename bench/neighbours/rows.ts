/**
 * The rows of two organisations, as statements that write a table each: a large one with so much of everything that whatever reads
 * more than a page takes long, and its neighbour with as much as most have.
 */
import { LIMITS } from '../../src/core/limits.ts';

/** Of the large organisation. */
export interface Sizes {
  readonly orders: number;
  readonly events: number;
}

/** What the engines write differently. */
export interface Words {
  /** A relation with the column `n`, from 0 to below the count. */
  series(count: number): string;
  /** A point in time, from an expression in milliseconds since 1970. */
  time(milliseconds: string): string;
  /** A JSON value, from an expression of its text. */
  json(text: string): string;
}

export const SQLITE_WORDS: Words = {
  series: (count) =>
    `(with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers)`,
  time: (milliseconds) => milliseconds,
  json: (text) => text,
};

export const POSTGRES_WORDS: Words = {
  series: (count) => `generate_series(0::bigint, ${count - 1}) as numbers(n)`,
  time: (milliseconds) => `to_timestamp((${milliseconds}) / 1000.0)`,
  json: (text) => `(${text})::jsonb`,
};

/** Both are of the demo data, which brings their products and the person who signs in for the neighbour. */
export const LARGE = 'acme';
export const NEIGHBOUR = { org: 'globex', email: 'gil@globex.test', userId: 4, product: 13 };

/** Id of the first row of each table, after those of the demo data. */
export const FIRST = 1000;

const PEOPLE = 2000;
/** The first of the people. The authors come next, and then the buyer, who has half of all orders. */
export const VIEWERS = 16;
const AUTHORS = 10;
export const BUYER = FIRST + VIEWERS + AUTHORS;

const ITEMS = 3;
/** Products of the large organisation that are sold in USD: the demo data begins with them. */
const PRODUCTS = 10;

/** The first orders, which have half of all charges. */
export const CHARGED_ORDERS = 20;
/** The last documents are as long as documents may be, public, and have a tenth of the log as their history. */
const LONG_DOCUMENTS = 100;
/** One of so many of the other documents may be read by all; the rest is confidential. */
const INTERNAL = 5;

const NEIGHBOUR_ORDERS = 1000;

/** 2026-06-15, after the demo data. */
const START = 1_781_481_600_000;

const documentsOf = ({ orders }: Sizes) => LONG_DOCUMENTS + Math.ceil(orders / 25);

export const viewerEmail = (number: number): string => `viewer${number}@acme.test`;

/** Ids of orders of the neighbour. */
export const neighbourOrders = ({ orders }: Sizes): readonly number[] =>
  Array.from({ length: NEIGHBOUR_ORDERS }, (_, n) => FIRST + orders + n);

/** @param passwordHash of the password that all viewers have. */
export function statementsFor(words: Words, sizes: Sizes, passwordHash: string): readonly string[] {
  return [
    people(words, passwordHash),
    orders(words, sizes),
    items(words, sizes),
    charges(words, sizes),
    documents(words, sizes),
    shares(words, sizes),
    events(words, sizes),
    ...neighbour(words, sizes),
  ];
}

function people({ series, time }: Words, passwordHash: string): string {
  return `insert into users (id, org, email, name, role, password_hash, created_at, updated_at)
    select ${FIRST} + n, '${LARGE}',
      case when n < ${VIEWERS} then 'viewer' || n || '@acme.test' else 'person' || n || '@acme.test' end, 'Person ' || n,
      case when n < ${VIEWERS} then 'viewer' else 'editor' end,
      case when n < ${VIEWERS} then '${passwordHash}' end, ${time(`${START}`)}, ${time(`${START}`)}
    from ${series(PEOPLE)}`;
}

function orders({ series, time }: Words, sizes: Sizes): string {
  const at = time(`${START} + n * 1000`);
  return `insert into orders (id, org, user_id, status, total, currency, version, created_at, updated_at)
    select ${FIRST} + n, '${LARGE}', case when n % 2 = 0 then ${BUYER} else ${FIRST} + n % ${PEOPLE} end,
      case n % 3 when 0 then 'shipped' when 1 then 'pending' else 'cancelled' end, 1 + (n * 7919) % 1000000, 'USD', 1, ${at}, ${at}
    from ${series(sizes.orders)}`;
}

function items({ series }: Words, sizes: Sizes): string {
  return `insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
    select '${LARGE}', ${FIRST} + n / ${ITEMS}, n % ${ITEMS}, 1 + n % ${PRODUCTS}, 'Instrument ' || (n % ${PRODUCTS}), 1999, 1 + n % 9
    from ${series(sizes.orders * ITEMS)}`;
}

function charges({ series, time }: Words, sizes: Sizes): string {
  const half = Math.ceil(sizes.orders / 5);
  const at = time(`${START} + n * 1000`);
  return `insert into charges (org, user_id, order_id, amount, currency, source, status, reference, created_at, updated_at)
    select '${LARGE}', ${BUYER}, ${FIRST} + case when n < ${half} then n % ${CHARGED_ORDERS} else n end, 1999, 'USD', 'tok_****',
      'succeeded', 'bench-' || n, ${at}, ${at}
    from ${series(2 * half)}`;
}

function documents({ series, time }: Words, sizes: Sizes): string {
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

/** With people who are none of the viewers, so that there is something to look through. */
function shares({ series, time }: Words, sizes: Sizes): string {
  return `insert into shares (org, document_id, user_id, relation, created_at)
    select '${LARGE}', ${FIRST} + n / 5, ${BUYER + 1} + n % 5, 'reader', ${time(`${START}`)}
    from ${series(documentsOf(sizes) * 5)}`;
}

/** Orders, then the long documents, and at last confidential documents alone, which a viewer's feed has to pass over. */
function events({ series, time, json }: Words, sizes: Sizes): string {
  const count = documentsOf(sizes);
  const ordersEnd = Math.floor(sizes.events * 0.5);
  const longEnd = Math.floor(sizes.events * 0.6);
  // The first of each group of documents is not confidential.
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

function neighbour({ series, time, json }: Words, sizes: Sizes): readonly string[] {
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
