/** The orders of an organisation: filters, sort orders and pages, through both doors. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import type { CursorPage, Order } from '../support/response-bodies.ts';

type Page = CursorPage<Order>;

describeEachEngine('the orders of an organisation', (engine) => {
  const app = startApp(engine);
  const get = (query: string) => app.get<Page>(`/v1/orders?${query}`, { as: 'vic' });
  let all: readonly Order[] = [];

  async function everything(query: string): Promise<Order[]> {
    const orders: Order[] = [];
    let cursor: string | null = '';
    do {
      const { body }: { body: Page } = await get(`${query}${cursor && `&cursor=${cursor}`}`);
      orders.push(...body.data);
      cursor = body.next_cursor;
    } while (cursor !== null);
    return orders;
  }

  beforeAll(async () => {
    await placeOrder(app, [{ product_id: 11, qty: 3 }]);
    await placeOrder(app, [{ product_id: 12, qty: 1 }], { userId: 2 });
    const sample = { name: 'Fabric sample', unit_price: 0, currency: 'USD' };
    const { body: free } = await app.post<{ id: number }>('/v1/products', { as: 'ada', body: sample });
    await placeOrder(app, [{ product_id: free.id, qty: 1 }]);
    all = await everything('limit=100');
  });

  test('are listed completely, newest first, without those of another organisation', () => {
    expect(all).toHaveLength(63);
    const keys = all.map(({ created_at, id }) => [created_at, id] as const);
    expect(keys).toEqual(keys.toSorted(([a, x], [b, y]) => (a === b ? y - x : a < b ? 1 : -1)));
  });

  const time = (order: Order) => Date.parse(order.created_at);
  const hasProduct = (id: number) => (order: Order) =>
    order.items.some(({ product_id }) => product_id === id);
  const middle = '2026-03-01T00:00:00.000Z';
  const FILTERS: readonly [query: string, holds: (order: Order) => boolean][] = [
    ['status=pending', ({ status }) => status === 'pending'],
    ['status=pending&status=shipped', ({ status }) => status !== 'cancelled'],
    ['user_id=2', ({ user_id }) => user_id === 2],
    ['user_id=2&status=shipped', ({ user_id, status }) => user_id === 2 && status === 'shipped'],
    ['currency=JPY', ({ currency }) => currency === 'JPY'],
    [`created_after=${middle}`, (order) => time(order) > Date.parse(middle)],
    [`created_before=${middle}`, (order) => time(order) < Date.parse(middle)],
    ['currency=USD&min_total=100', ({ currency, total }) => currency === 'USD' && total >= 100],
    ['currency=USD&max_total=100', ({ currency, total }) => currency === 'USD' && total <= 100],
    [
      'currency=USD&min_total=50&max_total=500',
      ({ currency, total }) => currency === 'USD' && total >= 50 && total <= 500,
    ],
    ['currency=USD&max_total=0', ({ currency, total }) => currency === 'USD' && total === 0],
    ['currency=USD&max_total=-0.01', () => false],
    ['currency=USD&min_total=-0.01', ({ currency }) => currency === 'USD'],
    ['currency=EUR', () => false],
    [
      'currency=BHD&min_total=12.375&max_total=37.125',
      ({ currency, total }) => currency === 'BHD' && total >= 12.375 && total <= 37.125,
    ],
    [
      'user_id=1&currency=JPY&min_total=1440',
      ({ user_id, currency, total }) => user_id === 1 && currency === 'JPY' && total >= 1440,
    ],
  ];
  const SORTS: Readonly<Record<string, (a: Order, b: Order) => number>> = {
    created_at: (a, b) => time(a) - time(b) || a.id - b.id,
    '-created_at': (a, b) => time(b) - time(a) || b.id - a.id,
    total: (a, b) => a.total - b.total || a.id - b.id,
    '-total': (a, b) => b.total - a.total || b.id - a.id,
  };

  describe.each(Object.entries(SORTS))('sorted by %s', (sort, compare) => {
    test.each(FILTERS)('%s', async (query, holds) => {
      const expected = all
        .filter(holds)
        .toSorted(compare)
        .map(({ id }) => id);
      expect((await everything(`${query}&sort=${sort}&limit=7`)).map(({ id }) => id)).toEqual(expected);
    });
  });

  test('by total, in GraphQL: in order of the numbers of all currencies, page by page from either end', async () => {
    const expected = all.toSorted((a, b) => b.total - a.total || b.id - a.id);
    const currencies = expected.map(({ currency }) => currency);
    const changes = currencies.filter((currency, at) => currency !== (currencies[at + 1] ?? currency));
    expect(new Set(changes)).toEqual(new Set(['USD', 'JPY', 'BHD']));
    const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
      organisationOrders(sort: total_desc, first: $first, after: $after, last: $last, before: $before) {
        nodes { id total }
        pageInfo { startCursor endCursor }
      }
    }`;
    type List = {
      organisationOrders: {
        nodes: { id: string; total: number }[];
        pageInfo: { startCursor: string | null; endCursor: string | null };
      };
    };
    const wanted = expected.map(({ id, total }) => ({ id: String(id), total }));
    const pages = { forwards: [] as object[], backwards: [] as object[] };
    for (const way of ['forwards', 'backwards'] as const) {
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const variables = way === 'forwards' ? { first: 1, after: cursor } : { last: 1, before: cursor };
        const { body } = await app.graphql<List>(query, variables, { as: 'vic' });
        if (!body.data) throw new Error(JSON.stringify(body));
        const { nodes, pageInfo } = body.data.organisationOrders;
        pages[way].push(...nodes);
        cursor = way === 'forwards' ? pageInfo.endCursor : pageInfo.startCursor;
      }
    }
    expect(pages).toEqual({ forwards: wanted, backwards: wanted.toReversed() });
  });

  test.each(['created_at', '-created_at'])('of one product, sorted by %s', async (sort) => {
    const compare = SORTS[sort];
    for (const [query, holds] of [
      ['product_id=3', hasProduct(3)],
      ['product_id=3&status=pending', (order: Order) => hasProduct(3)(order) && order.status === 'pending'],
      ['product_id=11&user_id=1', (order: Order) => hasProduct(11)(order) && order.user_id === 1],
      [
        `product_id=3&created_after=${middle}`,
        (order: Order) => hasProduct(3)(order) && time(order) > Date.parse(middle),
      ],
    ] as const) {
      const expected = all
        .filter(holds)
        .toSorted(compare)
        .map(({ id }) => id);
      expect((await everything(`${query}&sort=${sort}&limit=2`)).map(({ id }) => id)).toEqual(expected);
    }
  });

  test('in GraphQL: with edges, from either end, and backwards', async () => {
    const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
      organisationOrders(first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { id items { qty } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`;
    type List = {
      organisationOrders: {
        edges: { cursor: string; node: { id: string } }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
      };
    };
    const ask = async (variables: object) => {
      const { body } = await app.graphql<List>(query, { ...variables }, { as: 'vic' });
      if (!body.data) throw new Error(JSON.stringify(body));
      const { edges, pageInfo } = body.data.organisationOrders;
      expect([edges.at(0)?.cursor, edges.at(-1)?.cursor]).toEqual([pageInfo.startCursor, pageInfo.endCursor]);
      return { ids: edges.map(({ node }) => Number(node.id)), edges, pageInfo };
    };
    const ids = all.map(({ id }) => id);
    const first = await ask({ first: 5 });
    expect(first.ids).toEqual(ids.slice(0, 5));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await ask({ first: 5, after: first.pageInfo.endCursor });
    expect(second.ids).toEqual(ids.slice(5, 10));
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const back = await ask({ last: 5, before: second.pageInfo.startCursor });
    expect(back.ids).toEqual(ids.slice(0, 5));
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const end = await ask({ last: 3 });
    expect(end.ids).toEqual(ids.slice(-3));
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const fromEdge = await ask({ first: 1, after: first.edges[1]?.cursor });
    expect(fromEdge.ids).toEqual([ids[2]]);
  });

  describe('refused', () => {
    for (const { query, paths } of [
      { query: 'created_after=yesterday', paths: ['created_after'] },
      { query: 'created_after=2026-02-30', paths: ['created_after'] },
      { query: `created_after=${middle}&created_before=${middle}`, paths: ['created_before'] },
      {
        query: 'created_after=2026-05-01T00:00:00Z&created_before=2026-04-01T00:00:00Z',
        paths: ['created_before'],
      },
      { query: 'min_total=5', paths: ['min_total'] },
      { query: 'currency=USD&min_total=5.001', paths: ['min_total'] },
      { query: 'currency=USD&min_total=10&max_total=5', paths: ['max_total'] },
      { query: 'currency=USD&min_total=-5&max_total=-10', paths: ['max_total'] },
      { query: 'currency=ZZZ&min_total=5&max_total=1', paths: ['currency'] },
      { query: 'product_id=1&sort=total', paths: ['sort'] },
    ]) {
      test(query, async () => {
        expectError(await get(query), { status: 400, code: 'invalid_parameter', paths });
      });
    }

    test('a cursor of other filters, or of another order', async () => {
      const { next_cursor } = (await get('limit=1')).body;
      for (const query of ['status=pending', 'sort=total', 'user_id=1']) {
        expectError(await get(`${query}&cursor=${next_cursor}`), { status: 400, code: 'invalid_cursor' });
      }
    });
  });
});
