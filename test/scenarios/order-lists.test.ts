/** A user's orders as a list: envelope, filter, sorting, pages and refusals. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import type { OffsetPage, Order } from '../support/response-bodies.ts';

type Page = OffsetPage<Order>;

const LIST = '/v1/users/1/orders';
/** Ada's orders in the demo data. */
const OF_DEMO = 30;

describeEachEngine('a list of orders', (engine) => {
  const app = startApp(engine);
  const get = (query: string, path = LIST) => app.get<Page>(path + query, { as: 'ada' });
  let all: readonly Order[];

  beforeAll(async () => {
    // Twelve orders with the same timestamp and three different totals, so that ids decide between equal keys.
    for (let n = 0; n < 12; n += 1) await placeOrder(app, [{ product_id: 2, qty: 1 + (n % 3) }]);
    all = (await get('?sort=id&limit=100')).body.data;
    expect(all).toHaveLength(OF_DEMO + 12);
  });

  describe('the envelope', () => {
    test('the first page has 20 orders, the newest first, and links to the second', async () => {
      const { status, body, headers } = await get('');
      expect(status).toBe(200);
      expect(body.data).toHaveLength(20);
      expect(body.data).toEqual(sorted(all, 'created_at', -1).slice(0, 20));
      expect(body.pagination).toEqual({ page: 1, limit: 20, total: 42, next: `${LIST}?page=2` });
      expect(Object.keys(body)).toEqual(['data', 'pagination']);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('etag')).toMatch(/^W\//);
    });

    test('the last page may be shorter, and has no link', async () => {
      const { body } = await get('?page=3');
      expect(body.data).toHaveLength(2);
      expect(body.pagination).toEqual({ page: 3, limit: 20, total: 42, next: null });
    });

    test('a full last page has no link either', async () => {
      expect((await get('?page=2&limit=21')).body.pagination).toEqual({
        page: 2,
        limit: 21,
        total: 42,
        next: null,
      });
    });

    for (const page of ['4', '999999', '2147483647']) {
      test(`page ${page} is past the end: it is empty, with the total`, async () => {
        const { status, body } = await get(`?page=${page}`);
        expect(status).toBe(200);
        expect(body).toEqual({
          data: [],
          pagination: { page: Number(page), limit: 20, total: 42, next: null },
        });
      });
    }

    test('a user without orders has an empty list', async () => {
      const { body } = await app.get<Page>('/v1/users/4/orders?status=shipped&page=9', { as: 'gil' });
      expect(body.data).toEqual([]);
    });

    test('`next` keeps the other parameters and the version of the path', async () => {
      const { body } = await get('?sort=-total&status=pending&limit=3', '/v2/users/1/orders');
      expect(body.pagination.next).toBe('/v2/users/1/orders?sort=-total&status=pending&limit=3&page=2');
      const second = await app.get<Page>(body.pagination.next ?? '', { as: 'ada' });
      const pending = sorted(all, 'total', -1).filter((order) => order.status === 'pending');
      expect(second.body.data).toEqual(pending.slice(3, 6));
      expect(second.body.pagination.next).toBe(
        '/v2/users/1/orders?sort=-total&status=pending&limit=3&page=3',
      );
    });

    for (const { limit, applied } of [
      { limit: 1, applied: 1 },
      { limit: 100, applied: 100 },
      { limit: 101, applied: 100 },
      { limit: 1000, applied: 100 },
      { limit: 2_147_483_647, applied: 100 },
    ]) {
      test(`limit=${limit} applies a limit of ${applied}`, async () => {
        const { body } = await get(`?limit=${limit}`);
        expect(body.pagination.limit).toBe(applied);
        expect(body.data).toHaveLength(Math.min(applied, 42));
      });
    }
  });

  describe('sorting and filtering', () => {
    for (const key of ['id', 'created_at', 'total'] as const) {
      for (const direction of [1, -1] as const) {
        const sort = `${direction === 1 ? '' : '-'}${key}`;

        test(`sort=${sort}`, async () => {
          const { body } = await get(`?sort=${sort}&limit=100`);
          expect(body.data.map((order) => order.id)).toEqual(
            sorted(all, key, direction).map((order) => order.id),
          );
        });

        for (const status of ['pending', 'cancelled', 'shipped']) {
          test(`sort=${sort} of ${status} orders, over several pages`, async () => {
            const wanted = sorted(all, key, direction).filter((order) => order.status === status);
            const first = await get(`?sort=${sort}&status=${status}&limit=4`);
            const second = await get(`?sort=${sort}&status=${status}&limit=4&page=2`);
            expect(first.body.pagination.total).toBe(wanted.length);
            expect([...first.body.data, ...second.body.data]).toEqual(wanted.slice(0, 8));
          });
        }
      }
    }

    test('orders of other users are not included', async () => {
      expect(new Set(all.map((order) => order.user_id))).toEqual(new Set([1]));
    });
  });

  describe('refusals', () => {
    for (const { query, at, code = 'invalid_parameter' } of [
      { query: 'limit=-1', at: 'limit' },
      { query: 'limit[]=5', at: 'limit[]', code: 'unknown_parameter' },
      { query: 'page=-1', at: 'page' },
      { query: 'sort=password', at: 'sort' },
      { query: 'sort=--id', at: 'sort' },
      { query: 'sort=created_at_desc', at: 'sort' },
      { query: 'sort=id,total', at: 'sort' },
      { query: 'status=lost', at: 'status' },
      { query: 'user_id=2', at: 'user_id', code: 'unknown_parameter' },
      { query: 'Limit=5', at: 'Limit', code: 'unknown_parameter' },
      { query: '__proto__=1', at: '__proto__', code: 'unknown_parameter' },
      { query: '=5', at: '""', code: 'unknown_parameter' },
    ]) {
      test(`${query}: 400 ${code} at ${at}`, async () => {
        expectError(await get(`?${query}`), { status: 400, code, paths: [at] });
      });
    }

    test('unknown parameters and invalid values are reported together', async () => {
      expectError(await get('?limit=x&colour=red&sort=z&size=9'), {
        status: 400,
        code: 'unknown_parameter',
        paths: ['colour', 'size', 'sort', 'limit'],
      });
    });

    test('all invalid values are reported together', async () => {
      expectError(await get('?limit=x&page=y&sort=z'), {
        status: 400,
        code: 'invalid_parameter',
        paths: ['sort', 'page', 'limit'],
      });
    });

    test('an unknown user: 404', async () => {
      expectError(await app.get('/v1/users/999999/orders', { as: 'ada' }), {
        status: 404,
        code: 'not_found',
        paths: ['user_id'],
      });
    });

    for (const { given, code } of [
      { given: 'limit: 0', code: 'validation_failed' },
      { given: 'page: 0', code: 'validation_failed' },
      { given: 'sort: password', code: 'graphql_validation_failed' },
    ]) {
      test(`${given} in GraphQL: ${code}`, async () => {
        const response = await app.graphql(
          `{ orders(userId: 1, ${given}) { nodes { id } } }`,
          {},
          { as: 'ada' },
        );
        expect(codesOf(response)).toEqual([code]);
      });
    }
  });

  test('totals in several currencies are in order of their numbers, through both doors', async () => {
    const expected = sorted(all, 'total', -1);
    expect(new Set(expected.map(({ currency }) => currency)).size).toBe(3);
    const totals = expected.map(({ total }) => total);
    for (const page of [1, 2, 3]) {
      const { body } = await get(`?sort=-total&limit=14&page=${page}`);
      const response = await app.graphql(
        `{ orders(userId: 1, sort: total_desc, limit: 14, page: ${page}) { nodes { total } } }`,
        {},
        { as: 'ada' },
      );
      const wanted = totals.slice((page - 1) * 14, page * 14);
      expect(body.data.map(({ total }) => total)).toEqual(wanted);
      expect(response.body.data).toEqual({ orders: { nodes: wanted.map((total) => ({ total })) } });
    }
  });

  test('GraphQL has the same pages', async () => {
    const page = '{ nodes { id } pageInfo { page limit total nextPage } }';
    const response = await app.graphql(
      `{ capped: orders(userId: 1, limit: 1000) ${page} third: orders(userId: 1, page: 3, sort: id) ${page} }`,
      {},
      { as: 'ada' },
    );
    expect(response.body.data).toMatchObject({
      capped: { pageInfo: { page: 1, limit: 100, total: 42, nextPage: null } },
      third: {
        nodes: all.slice(40).map((order) => ({ id: String(order.id) })),
        pageInfo: { page: 3, limit: 20, total: 42, nextPage: null },
      },
    });
  });

  test('following `next`, sorted by id, repeats and misses no order while others create and delete orders', async () => {
    const atStart = (await get('?sort=id&limit=100')).body.data.map((order) => order.id);
    const deleted = new Set<number>();
    const seen: number[] = [];
    let path: string | null = `${LIST}?sort=id&limit=5`;
    while (path !== null) {
      const { body }: { body: Page } = await app.get<Page>(path, { as: 'ada' });
      seen.push(...body.data.map((order) => order.id));
      path = body.pagination.next;
      if (seen.length > 60) continue;
      // Adds one order at the end of this list and one to another list, and deletes one that was already read.
      await placeOrder(app);
      await placeOrder(app, undefined, { userId: 2 });
      const victim = atStart.findLast((id) => !seen.includes(id) && !deleted.has(id));
      if (victim === undefined) continue;
      deleted.add(victim);
      await app.delete(`/v1/orders/${victim}`, { as: 'ada' });
    }

    expect(deleted.size).toBeGreaterThan(2);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(atStart.filter((id) => !deleted.has(id))));
    expect(seen.filter((id) => deleted.has(id))).toEqual([]);
  });
});

/** The specified order: by the key, and equal keys by id, both in the same direction. */
function sorted(orders: readonly Order[], key: 'id' | 'created_at' | 'total', direction: 1 | -1): Order[] {
  const value = (order: Order) => (key === 'created_at' ? Date.parse(order.created_at) : order[key]);
  return orders.toSorted((a, b) => direction * (value(a) - value(b) || a.id - b.id));
}
