import Client from 'better-sqlite3';

/** Rows come as lists of values: better-sqlite3 makes those faster than objects. Moments are milliseconds. */
export type OrderRow = [
  id: number,
  userId: number,
  status: string,
  total: number,
  currency: string,
  version: number,
  createdAt: number,
  updatedAt: number,
];

export type ItemRow = [
  id: number,
  orderId: number,
  productId: number,
  name: string,
  qty: number,
  unitPrice: number,
];

export interface PageQuery {
  readonly org: string;
  readonly userId: number;
  readonly status: string | undefined;
  readonly sort: string;
  readonly limit: number;
  readonly offset: number;
}

/** The values of `sort`, and what they mean in SQL. */
export const SORTS = {
  id: 'id asc',
  '-id': 'id desc',
  created_at: 'created_at asc, id asc',
  '-created_at': 'created_at desc, id desc',
  total: 'total asc, id asc',
  '-total': 'total desc, id desc',
} as const;

const ORDER = 'id, user_id, status, total, currency, version, created_at, updated_at';
const ITEM = 'id, order_id, product_id, name, qty, unit_price';
const LIST = 'from orders where org = +:org and user_id = +:userId and deleted_at is null';

/**
 * Every statement of the routes, prepared once. The plus signs keep SQLite, as it is compiled here, from preparing a statement
 * with `order by` or `limit` anew whenever a value is bound, in case another plan suits that value.
 */
export function createOrders(file: string) {
  const db = new Client(file, { readonly: true });
  const order = db
    .prepare<[number, string], OrderRow>(
      `select ${ORDER} from orders where id = ? and org = ? and deleted_at is null`,
    )
    .raw();
  const itemsOfOrder = db
    .prepare<[number], ItemRow>(`select ${ITEM} from order_items where order_id = +? order by position`)
    .raw();
  const itemsOfOrders = db
    .prepare<[string], ItemRow>(
      `select ${ITEM} from order_items where order_id in (select value from json_each(?))
        order by order_id, position`,
    )
    .raw();
  const orgOfOrder = db.prepare<[number], string>('select org from orders where id = ?').pluck();
  const orgOfUser = db.prepare<[number], string>('select org from users where id = ?').pluck();
  const lists = new Map(
    Object.entries(SORTS).flatMap(([sort, by]) =>
      ['', 'and status = +:status'].map((filter) => [
        sort + (filter && ' filtered'),
        {
          page: db
            .prepare<[PageQuery], OrderRow>(
              `select ${ORDER} ${LIST} ${filter} order by ${by} limit +:limit offset +:offset`,
            )
            .raw(),
          count: db.prepare<[PageQuery], number>(`select count(*) ${LIST} ${filter}`).pluck(),
        },
      ]),
    ),
  );

  return {
    find: (org: string, id: number) => order.get(id, org),
    itemsOf: (id: number) => itemsOfOrder.all(id),
    itemsOfAll: (ids: readonly number[]) => itemsOfOrders.all(JSON.stringify(ids)),
    orgOfOrder: (id: number) => orgOfOrder.get(id),
    orgOfUser: (id: number) => orgOfUser.get(id),
    page(query: PageQuery) {
      const list = lists.get(query.sort + (query.status === undefined ? '' : ' filtered'));
      if (!list) throw new Error(`No list is sorted by ${query.sort}.`);
      return { rows: list.page.all(query), total: list.count.get(query) ?? 0 };
    },
    close: () => db.close(),
  };
}
