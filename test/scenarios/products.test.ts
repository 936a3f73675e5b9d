/** Products, and their pages by cursor. */
import { describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { addProduct } from '../support/fixtures/rows.ts';
import type { CursorPage, Product } from '../support/response-bodies.ts';

type Page = CursorPage<Product>;

describeEachEngine('products', (engine) => {
  const app = startApp(engine);
  const get = (query: string, as: 'ada' | 'gil' = 'ada') => app.get<Page>(`/v1/products${query}`, { as });
  const idsOf = (page: Page) => page.data.map((product) => product.id);

  test('a product is returned with all its members', async () => {
    const response = await app.get('/v1/products/1', { as: 'vic' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: 1,
      name: 'Desk lamp',
      unit_price: 19.99,
      currency: 'USD',
      thumbnail_url: `${PUBLIC_URL}/images/product-1.svg`,
      created_at: '2026-01-03T09:01:00.000Z',
      updated_at: '2026-01-03T09:01:00.000Z',
      archived: false,
      archived_at: null,
    });
  });

  test('its image is at the returned URL', async () => {
    const picture = await app.get('/images/product-1.svg');
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  });

  for (const { path, status, code, paths } of [
    { path: '999999', status: 404, code: 'not_found' },
    { path: 'lamp', status: 400, code: 'invalid_parameter', paths: ['product_id'] },
  ]) {
    test(`/v1/products/${path}: ${status} ${code}`, async () => {
      expectError(await app.get(`/v1/products/${path}`, { as: 'ada' }), { status, code, paths });
    });
  }

  describe('pages', () => {
    test('a list that fits one page has no next cursor', async () => {
      const { body } = await get('');
      expect(Object.keys(body)).toEqual(['data', 'next_cursor']);
      expect(idsOf(body)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(body.next_cursor).toBeNull();
    });

    test('each cursor leads to the next page; the last page has none', async () => {
      const first = (await get('?limit=5')).body;
      const second = (await get(`?limit=5&cursor=${first.next_cursor}`)).body;
      const third = (await get(`?limit=5&cursor=${second.next_cursor}`)).body;
      expect([first, second, third].map(idsOf)).toEqual([
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9, 10],
        [11, 12],
      ]);
      expect(third.next_cursor).toBeNull();
      expect(first.next_cursor).toMatch(/^[\w-]+$/);
    });

    test('a full last page has no next cursor', async () => {
      const first = (await get('?limit=6')).body;
      const last = (await get(`?limit=6&cursor=${first.next_cursor}`)).body;
      expect(idsOf(last)).toEqual([7, 8, 9, 10, 11, 12]);
      expect(last.next_cursor).toBeNull();
    });

    test('the page size may change between pages', async () => {
      const first = (await get('?limit=2')).body;
      expect(idsOf((await get(`?limit=4&cursor=${first.next_cursor}`)).body)).toEqual([3, 4, 5, 6]);
    });

    test('GraphQL returns the same pages and accepts the same cursors', async () => {
      const { next_cursor } = (await get('?limit=5')).body;
      const response = await app.graphql(
        '{ products(first: 5) { nodes { id } endCursor hasNextPage nextCursor } }',
        {},
        { as: 'ada' },
      );
      expect(response.body.data).toEqual({
        products: {
          nodes: ['1', '2', '3', '4', '5'].map((id) => ({ id })),
          endCursor: next_cursor,
          hasNextPage: true,
          nextCursor: next_cursor,
        },
      });
    });

    test('products added or removed elsewhere do not shift the next page', async () => {
      const extra = await addProduct(engine, { name: 'Plumb bob', unitPrice: 900, currency: 'USD' });
      const before = (await get('?limit=12')).body;
      await addProduct(engine, { name: 'Line level', unitPrice: 450, currency: 'USD' });
      // The product at the cursor is deleted too: the position remains valid.
      const onCursor = (await get(`?limit=1&cursor=${before.next_cursor}`)).body;
      expect(idsOf(onCursor)).toEqual([extra]);
      await engine.place.query(`delete from products where id = ${extra}`);
      expect(idsOf((await get(`?cursor=${onCursor.next_cursor}`)).body)).toEqual([extra + 1]);
    });
  });

  describe('an invalid cursor returns 400 invalid_cursor', () => {
    const cursorOf = async (as: 'ada' | 'gil', limit: number) => {
      const { next_cursor } = (await get(`?limit=${limit}`, as)).body;
      if (next_cursor === null) throw new Error('There is a next page.');
      return next_cursor;
    };
    const flipped = (cursor: string, index: number) =>
      cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);

    for (const { given, make } of [
      { given: 'with a changed seal', make: (cursor: string) => flipped(cursor, 3) },
      { given: 'with a changed position', make: (cursor: string) => flipped(cursor, cursor.length - 3) },
      { given: 'truncated', make: (cursor: string) => cursor.slice(0, -1) },
      { given: 'extended', make: (cursor: string) => `${cursor}A` },
      { given: 'with padding', make: (cursor: string) => `${cursor}%3D` },
      { given: 'invented', make: () => Buffer.from('[5]').toString('base64url') },
      { given: 'with a number', make: () => '5' },
    ]) {
      test(`if it is ${given}`, async () => {
        const response = await get(`?cursor=${make(await cursorOf('ada', 5))}`);
        expectError(response, { status: 400, code: 'invalid_cursor' });
      });
    }
  });
});
