import pg from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { toMajorUnits } from '../../../src/core/money.ts';
import {
  type ItemRow,
  type OrderRow,
  type OrderRows,
  type PageQuery,
  type PricedOrder,
  type ProductRow,
  priced,
  SORTS,
  type Store,
} from './store.ts';

const ORDER_NAMES = ['id', 'user_id', 'status', 'total', 'currency', 'version', 'created_at', 'updated_at'];
const ORDER = ORDER_NAMES.join(', ');
const WHOLE_ORDER = ORDER_NAMES.map((name) => `o.${name}`).join(', ');
const ITEM = 'i.id, i.order_id, i.product_id, i.name, i.qty, i.unit_price';
const ITEM_END = ORDER_NAMES.length + 6;

/** An order joined with one of its items, followed by any extra column. The item's columns are null for an order without items. */
type JoinedRow = [...OrderRow, ...ItemRow, extra?: unknown];

interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

const WHOLE: NamedStatement = {
  name: 'whole',
  text: `select ${WHOLE_ORDER}, ${ITEM} from orders o left join order_items i on i.order_id = o.id
    where o.id = $1 and o.org = $2 and o.deleted_at is null order by i.position`,
};
const ALONE: NamedStatement = {
  name: 'alone',
  text: `select ${ORDER} from orders where id = $1 and org = $2 and deleted_at is null`,
};
const ITEMS: NamedStatement = {
  name: 'items',
  text: `select ${ITEM} from order_items i where order_id = any($1::bigint[]) order by order_id, position`,
};
const NAME: NamedStatement = {
  name: 'name',
  text: 'select name from users where id = $1 and org = $2 and removed_at is null',
};
const NEWEST: NamedStatement = {
  name: 'newest',
  text: `select ${ORDER} from orders where org = $1 and user_id = $2 and deleted_at is null
    order by created_at desc, id desc limit $3`,
};
const PERSON: NamedStatement = {
  name: 'person',
  text: `select ${WHOLE_ORDER}, ${ITEM}, u.name from users u
    left join lateral (
      select ${ORDER} from orders where org = u.org and user_id = u.id and deleted_at is null
      order by created_at desc, id desc limit $3) o on true
    left join order_items i on i.order_id = o.id
    where u.id = $1 and u.org = $2 and u.removed_at is null order by o.created_at, o.id, i.position`,
};
const PRICES: NamedStatement = {
  name: 'prices',
  text: `select id, name, unit_price, currency, (select org from users where id = $3 and removed_at is null)
    from products where id = any($1::bigint[]) and org = $2`,
};
const INSERT_ORDER: NamedStatement = {
  name: 'insert order',
  text: `insert into orders (org, user_id, status, total, currency, created_at, updated_at)
    values ($1, $2, 'pending', $3, $4, $5, $5) returning id`,
};
const INSERT_ITEMS: NamedStatement = {
  name: 'insert items',
  text: `insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
    select $6, $1, line.number - 1, line.product_id, line.name, line.unit_price, line.qty
    from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) with ordinality
      as line (product_id, name, unit_price, qty, number)
    returning $1::bigint, id`,
};
/** The lock makes events visible in the order of their ids, as in Portico. */
const INSERT_EVENT: NamedStatement = {
  name: 'insert event',
  text: `insert into events (id, org, type, actor_id, subject_type, subject_id, data, created_at)
    select (select nextval(pg_get_serial_sequence('events', 'id')) from pg_advisory_xact_lock(1, hashtext($1))),
      $1, 'order.created', $2, 'order', $3, $4, $5`,
};
/** Writes an order with one statement: one transaction and one round trip. */
const PLACE: NamedStatement = {
  name: 'place',
  text: `with o as (
      insert into orders (org, user_id, status, total, currency, created_at, updated_at)
      values ($1, $2, 'pending', $3, $4, $5, $5) returning id),
    i as (
      insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
      select $1, o.id, line.number - 1, line.product_id, line.name, line.unit_price, line.qty
      from o, unnest($6::bigint[], $7::text[], $8::bigint[], $9::bigint[]) with ordinality
        as line (product_id, name, unit_price, qty, number)
      returning id, position),
    e as (
      insert into events (id, org, type, actor_id, subject_type, subject_id, data, created_at)
      select (select nextval(pg_get_serial_sequence('events', 'id')) from pg_advisory_xact_lock(1, hashtext($1))),
        $1, 'order.created', $10, 'order', o.id, $11, $5 from o)
    select o.id, i.id from o, i order by i.position`,
};

const INT8 = 20;

/** Uses named statements over a pool: each connection prepares a statement once, and each call is one round trip. */
export function openPostgresStore(url: string, inOneStatement: boolean): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: loadConfig({}).database.pool,
    options: '-c timezone=UTC -c jit=off',
    // Ids and amounts fit into a number; the driver returns int8 as text by default.
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    } as pg.CustomTypesConfig,
  });
  pool.on('error', () => {});
  const run = async <Row extends unknown[]>(statement: NamedStatement, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ ...statement, values, rowMode: 'array' })).rows;
  const orgOf = async (table: 'orders' | 'users', id: number) => {
    const text = `select org from ${table} where id = $1`;
    return (await run<[string]>({ name: `org of ${table}`, text }, [id]))[0]?.[0];
  };

  return {
    order: async (org, id) => grouped(await run<JoinedRow>(WHOLE, [id, org]))[0],
    page: (query) => pageOf(run, query),
    async person(org, id, count) {
      const rows = await run<JoinedRow>(PERSON, [id, org, count]);
      const [first] = rows;
      return first && { name: String(first[ITEM_END]), orders: first[0] === null ? [] : grouped(rows) };
    },
    place: (order) => place(run, inOneStatement ? write(run) : transact(pool), order),
    orderAlone: async (org, id) => (await run<OrderRow>(ALONE, [id, org]))[0],
    itemsOf: (ids) => run<ItemRow>(ITEMS, [ids]),
    nameOf: async (org, id) => (await run<[string]>(NAME, [id, org]))[0]?.[0],
    newestOrders: async (org, userId, count) => (await run<OrderRow>(NEWEST, [org, userId, count])).reverse(),
    orgOfOrder: (id) => orgOf('orders', id),
    orgOfUser: (id) => orgOf('users', id),
    close: () => pool.end(),
  };
}

type Run = <Row extends unknown[]>(statement: NamedStatement, values: unknown[]) => Promise<Row[]>;

/** Groups joined rows, which are sorted by order. The rows of an order only differ in the item. */
function grouped(rows: readonly JoinedRow[]): OrderRows[] {
  const orders: { order: OrderRow; items: ItemRow[] }[] = [];
  let current: { order: OrderRow; items: ItemRow[] } | undefined;
  for (const row of rows) {
    if (current?.order[0] !== row[0]) {
      // The columns of the order come first, so the row is also an `OrderRow`.
      current = { order: row as unknown as OrderRow, items: [] };
      orders.push(current);
    }
    if (row[ORDER_NAMES.length] !== null) {
      current?.items.push(row.slice(ORDER_NAMES.length, ITEM_END) as ItemRow);
    }
  }
  return orders;
}

async function pageOf(run: Run, { org, userId, status, sort, limit, offset }: PageQuery) {
  const filter = status === undefined ? '' : 'and status = $5';
  const where = `from orders where org = $1 and user_id = $2 and deleted_at is null ${filter}`;
  const by = SORTS[sort];
  const values = [org, userId, limit, offset, ...(status === undefined ? [] : [status])];
  const rows = await run<JoinedRow>(
    {
      name: `page ${sort} ${filter}`,
      text: `select ${WHOLE_ORDER}, ${ITEM}, (select count(*) ${where})
        from (select ${ORDER} ${where} order by ${by} limit $3 offset $4) o
        left join order_items i on i.order_id = o.id
        order by ${by.replaceAll(/\w+ (asc|desc)/g, 'o.$&')}, i.position`,
    },
    values,
  );
  const [first] = rows;
  if (first) return { orders: grouped(rows), total: Number(first[ITEM_END]) };
  // A page after the end has no row to contain the total.
  const count = `select count(*) from orders where org = $1 and user_id = $2 and deleted_at is null ${filter.replace('$5', '$3')}`;
  const [counted] = await run<[number]>({ name: `count ${filter}`, text: count }, [
    org,
    userId,
    ...(status === undefined ? [] : [status]),
  ]);
  return { orders: [], total: counted?.[0] ?? 0 };
}

type Ids = [orderId: number, itemId: number];

/** Writes an order, its items and its event. @returns the ids of the order and of each item. */
type Write = (ordered: PricedOrder, now: Date) => Promise<Ids[]>;

async function place(
  run: Run,
  write: Write,
  order: Parameters<Store['place']>[0],
): Promise<Awaited<ReturnType<Store['place']>>> {
  const ids = order.lines.map(({ product_id }) => product_id);
  const found = await run<[...ProductRow, owner: string]>(PRICES, [ids, order.org, order.userId]);
  if (found[0] && found[0][4] !== order.org) return 'unknown_user';
  const ordered = priced(order, found as unknown as ProductRow[]);
  if (typeof ordered === 'string') return ordered;
  const now = new Date();
  return placed(ordered, await write(ordered, now), now);
}

const columnsOf = ({ products, lines }: PricedOrder) => [
  products.map(([id]) => id),
  products.map(([, name]) => name),
  products.map(([, , unitPrice]) => unitPrice),
  lines.map(({ qty }) => qty),
];

const eventOf = ({ userId, total, currency }: PricedOrder) =>
  JSON.stringify({ user_id: userId, status: 'pending', total: toMajorUnits(total, currency), currency });

/** Writes an order with separate statements between `begin` and `commit`. */
function transact(pool: pg.Pool): Write {
  return async (ordered, now) => {
    const { org, userId, actorId, total, currency } = ordered;
    const client = await pool.connect();
    const run: Run = async <Row extends unknown[]>(statement: NamedStatement, values: unknown[]) =>
      (await client.query<Row>({ ...statement, values, rowMode: 'array' })).rows;
    try {
      await client.query('begin');
      const [row] = await run<[number]>(INSERT_ORDER, [org, userId, total, currency, now]);
      const id = row?.[0];
      const ids = await run<Ids>(INSERT_ITEMS, [id, ...columnsOf(ordered), org]);
      await run(INSERT_EVENT, [org, actorId, id, eventOf(ordered), now]);
      await client.query('commit');
      return ids;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
}

function write(run: Run): Write {
  return (ordered, now) => {
    const { org, userId, actorId, total, currency } = ordered;
    const lines = columnsOf(ordered);
    return run<Ids>(PLACE, [org, userId, total, currency, now, ...lines, actorId, eventOf(ordered)]);
  };
}

function placed(ordered: PricedOrder, rows: readonly Ids[], now: Date): OrderRows {
  const { userId, lines, products, total, currency } = ordered;
  const id = rows[0]?.[0] ?? 0;
  return {
    order: [id, userId, 'pending', total, currency, 1, now, now],
    items: rows.map(([, itemId], position): ItemRow => {
      const [productId, name, unitPrice] = products[position] ?? [0, '', 0];
      return [itemId, id, productId, name, lines[position]?.qty ?? 0, unitPrice];
    }),
  };
}
