import Client from 'better-sqlite3';
import { toMajorUnits } from '../../../src/core/money.ts';
import { type Commit, commitEach, commitTogether } from './group-commit.ts';
import {
  type ItemRow,
  type NewOrder,
  type OrderRow,
  type OrderRows,
  type PageQuery,
  type PricedOrder,
  type ProductRow,
  priced,
  type Refusal,
  SORTS,
  type Store,
  withItems,
} from './store.ts';

const ORDER = 'id, user_id, status, total, currency, version, created_at, updated_at';
const ITEM = 'i.id, i.order_id, i.product_id, i.name, i.qty, i.unit_price';
const ORDER_COLUMNS = 8;
const LIST = 'from orders where org = +:org and user_id = +:userId and deleted_at is null';

type JoinedRow = [...OrderRow, ...(ItemRow | [null, ...unknown[]])];

/**
 * Prepares every statement once. Without the plus signs, this build of SQLite would prepare a statement with `order by` or `limit`
 * again for each bound value, in case another plan is better for that value.
 */
export function openSqliteStore(file: string, grouped: boolean): Store {
  const reader = new Client(file, { readonly: true });
  const writer = new Client(file);
  // As in Portico: commits survive a power failure.
  writer.pragma('journal_mode = wal');
  writer.pragma('synchronous = full');
  writer.pragma('foreign_keys = on');
  const lists = new Map(
    Object.entries(SORTS).flatMap(([sort, by]) =>
      [false, true].map((filtered) => [listName(sort, filtered), prepareList(reader, by, filtered)]),
    ),
  );
  const whole = reader
    .prepare<[number, string], JoinedRow>(
      `select ${ORDER.replaceAll(/\w+/g, 'o.$&')}, ${ITEM} from orders o left join order_items i on i.order_id = o.id
        where o.id = +? and o.org = +? and o.deleted_at is null order by i.position`,
    )
    .raw();
  const order = reader
    .prepare<[number, string], OrderRow>(
      `select ${ORDER} from orders where id = ? and org = ? and deleted_at is null`,
    )
    .raw();
  const items = reader
    .prepare<[string], ItemRow>(
      `select ${ITEM} from order_items i where order_id in (select value from json_each(?)) order by order_id, position`,
    )
    .raw();
  const name = reader
    .prepare<[number, string], string>(
      'select name from users where id = ? and org = ? and removed_at is null',
    )
    .pluck();
  const orgOfOrder = reader.prepare<[number], string>('select org from orders where id = ?').pluck();
  const orgOfUser = reader.prepare<[number], string>('select org from users where id = ?').pluck();

  const listOf = (query: PageQuery) => {
    const list = lists.get(listName(query.sort, query.status !== undefined));
    if (!list) throw new Error(`There is no list sorted by ${query.sort}.`);
    return list;
  };
  const newest = (org: string, userId: number, count: number): PageQuery => ({
    org,
    userId,
    status: undefined,
    sort: '-created_at',
    limit: count,
    offset: 0,
  });

  return {
    order(org, id) {
      const rows = whole.all(id, org);
      const [first] = rows;
      if (first === undefined) return undefined;
      // The columns of an order are followed by those of an item, which are null for an order without items.
      return {
        order: first as unknown as OrderRow,
        items:
          first[ORDER_COLUMNS] === null
            ? []
            : rows.map((row) => row.slice(ORDER_COLUMNS) as unknown as ItemRow),
      };
    },
    page(query) {
      const list = listOf(query);
      const total = list.count.get(query) ?? 0;
      return { orders: withItems(list.page.all(query), list.items.all(query)), total };
    },
    person(org, id, count) {
      const found = name.get(id, org);
      if (found === undefined) return undefined;
      const query = newest(org, id, count);
      const list = listOf(query);
      return { name: found, orders: withItems(list.page.all(query).reverse(), list.items.all(query)) };
    },
    place: placer(reader, writer, (grouped ? commitTogether : commitEach)(writer)),
    orderAlone: (org, id) => order.get(id, org),
    itemsOf: (ids) => items.all(JSON.stringify(ids)),
    nameOf: (org, id) => name.get(id, org),
    newestOrders(org, userId, count) {
      const query = newest(org, userId, count);
      return listOf(query).page.all(query).reverse();
    },
    orgOfOrder: (id) => orgOfOrder.get(id),
    orgOfUser: (id) => orgOfUser.get(id),
    close() {
      reader.close();
      writer.close();
    },
  };
}

const listName = (sort: string, filtered: boolean) => sort + (filtered ? ' filtered' : '');

/** Prepares the statements of a list: its orders, their items and the total. */
function prepareList(db: Client.Database, by: string, filtered: boolean) {
  const where = `${LIST} ${filtered ? 'and status = +:status' : ''}`;
  const end = `order by ${by} limit +:limit offset +:offset`;
  return {
    page: db.prepare<[PageQuery], OrderRow>(`select ${ORDER} ${where} ${end}`).raw(),
    items: db
      .prepare<[PageQuery], ItemRow>(
        // `cross join` makes SQLite read the orders first.
        `select ${ITEM} from (select id ${where} ${end}) o cross join order_items i on i.order_id = o.id order by i.order_id, i.position`,
      )
      .raw(),
    count: db.prepare<[PageQuery], number>(`select count(*) ${where}`).pluck(),
  };
}

/** Reads the prices before the transaction. The transaction writes the order, its items in one statement, and the event. */
function placer(reader: Client.Database, writer: Client.Database, commit: Commit): Store['place'] {
  const owner = reader
    .prepare<[number], string>('select org from users where id = ? and removed_at is null')
    .pluck();
  const products = reader
    .prepare<[string, string], ProductRow>(
      `select id, name, unit_price, currency from products where id in (select value from json_each(?)) and org = ?`,
    )
    .raw();
  const insertOrder = writer.prepare(
    `insert into orders (org, user_id, status, total, currency, created_at, updated_at) values (?, ?, 'pending', ?, ?, ?, ?)`,
  );
  const insertEvent = writer.prepare(
    `insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      values (?, 'order.created', ?, 'order', ?, ?, ?)`,
  );
  const insertItems = perSize((size) =>
    writer.prepare(
      `insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
        values ${Array(size).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    ),
  );
  const write = (ordered: PricedOrder): OrderRows => {
    const { org, userId, actorId, lines, total, currency } = ordered;
    const now = Date.now();
    const id = Number(insertOrder.run(org, userId, total, currency, now, now).lastInsertRowid);
    const values = ordered.products.flatMap(([productId, name, unitPrice], position) => [
      org,
      id,
      position,
      productId,
      name,
      unitPrice,
      lines[position]?.qty,
    ]);
    // The ids from one statement are consecutive, since no other connection writes.
    const lastItem = Number(insertItems(lines.length).run(values).lastInsertRowid);
    const data = { user_id: userId, status: 'pending', total: toMajorUnits(total, currency), currency };
    insertEvent.run(org, actorId, id, JSON.stringify(data), now);
    return {
      order: [id, userId, 'pending', total, currency, 1, now, now],
      items: ordered.products.map(([productId, name, unitPrice], position) => [
        lastItem - lines.length + 1 + position,
        id,
        productId,
        name,
        lines[position]?.qty ?? 0,
        unitPrice,
      ]),
    };
  };
  return (order: NewOrder): ReturnType<Store['place']> => {
    if (owner.get(order.userId) !== order.org) return 'unknown_user' satisfies Refusal;
    const ids = JSON.stringify(order.lines.map(({ product_id }) => product_id));
    const ordered = priced(order, products.all(ids, order.org));
    return typeof ordered === 'string' ? ordered : commit(() => write(ordered));
  };
}

function perSize<T>(make: (size: number) => T): (size: number) => T {
  const made = new Map<number, T>();
  return (size) => {
    const known = made.get(size);
    if (known) return known;
    const one = make(size);
    made.set(size, one);
    return one;
  };
}
