/** Changing orders: their states, replacing items, conditions, deleting. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { placeOrder, TWO_LAMPS } from '../support/orders.ts';
import type { Order } from '../support/shapes.ts';

const HOUR = 3_600_000;

describeEachEngine('changing an order', (engine) => {
  const app = startApp(engine);
  let placed: Order;
  let path: string;

  beforeEach(async () => {
    placed = await placeOrder(app);
    path = `/v1/orders/${placed.id}`;
  });

  const typesOf = async (id: number) =>
    (await app.events())
      .filter((event) => event.subjectId === id && event.subjectType === 'order')
      .map((event) => event.type);
  const patch = (body: unknown, headers?: Record<string, string>) =>
    app.patch<Order>(path, { as: 'ada', body, ...(headers && { headers }) });
  const put = (items: unknown, headers?: Record<string, string>) =>
    app.put<Order>(path, { as: 'ada', body: { items }, ...(headers && { headers }) });

  describe('its state', () => {
    for (const status of ['cancelled', 'shipped'] as const) {
      test(`pending becomes ${status}, once, with an event`, async () => {
        app.clock.advance(HOUR / 60);
        const answer = await patch({ status });

        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ ...placed, status, updated_at: app.clock().toISOString() });
        expect(answer.headers.get('etag')).toBe('"v2"');
        expect((await app.events()).at(-1)).toMatchObject({
          type: `order.${status}`,
          actorId: 1,
          subjectId: placed.id,
          data: { user_id: 1, status, total: 39.98, currency: 'USD' },
        });
        expect((await app.get(path, { as: 'ada' })).text).toBe(answer.text);
      });

      for (const next of ['cancelled', 'shipped', 'pending']) {
        test(`${status} does not become ${next}: 409`, async () => {
          await patch({ status });
          const answer = await writesNothing(app, () => patch({ status: next }));
          expectError(answer, { status: 409, code: 'invalid_transition' });
        });
      }
    }

    test('pending does not become pending: 409', async () => {
      const answer = await writesNothing(app, () => patch({ status: 'pending' }));
      expectError(answer, { status: 409, code: 'invalid_transition' });
    });

    test('the graph moves it by the same rules', async () => {
      const document =
        'mutation ($id: ID!) { updateOrder(id: $id, input: { status: shipped }) { status version } }';
      const first = await app.graphql(document, { id: placed.id }, { as: 'ed' });
      expect(first.body).toEqual({ data: { updateOrder: { status: 'shipped', version: 2 } } });

      const second = await writesNothing(app, () => app.graphql(document, { id: placed.id }, { as: 'ed' }));
      expect(codesOf(second)).toEqual(['invalid_transition']);
      expect(await typesOf(placed.id)).toEqual(['order.created', 'order.shipped']);
    });
  });

  describe('its items', () => {
    test('PUT replaces all of them, at the prices of today, with an event', async () => {
      const answer = await put([
        { product_id: 10, qty: 3 },
        { product_id: 2, qty: 1 },
      ]);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toBe('"v2"');
      expect(answer.body).toMatchObject({
        status: 'pending',
        total: 12.65,
        currency: 'USD',
        created_at: placed.created_at,
      });
      expect(answer.body.items.map((item) => [item.product_id, item.qty])).toEqual([
        [10, 3],
        [2, 1],
      ]);
      expect((await app.get(path, { as: 'ada' })).text).toBe(answer.text);
      expect(await typesOf(placed.id)).toEqual(['order.created', 'order.updated']);
      expect((await app.events()).at(-1)?.data).toEqual({
        user_id: 1,
        status: 'pending',
        total: 12.65,
        currency: 'USD',
      });
    });

    test('they may be in another currency than before', async () => {
      const { body } = await put([{ product_id: 12, qty: 1 }]);
      expect(body).toMatchObject({ total: 12.375, currency: 'BHD' });
    });

    test('items and state change together, in one go', async () => {
      const answer = await patch({ items: [{ product_id: 11, qty: 2 }], status: 'shipped' });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        status: 'shipped',
        total: 960,
        currency: 'JPY',
        items: [{ product_id: 11, qty: 2 }],
      });
      expect(await typesOf(placed.id)).toEqual(['order.created', 'order.updated', 'order.shipped']);
      expect((await app.get(path, { as: 'ada' })).text).toBe(answer.text);
    });

    test('items and a state that it cannot have: 409, and the items stay as they were', async () => {
      const answer = await writesNothing(app, () =>
        patch({ items: [{ product_id: 11, qty: 2 }], status: 'pending' }),
      );
      expectError(answer, { status: 409, code: 'invalid_transition' });
      expect((await app.get<Order>(path, { as: 'ada' })).body).toEqual(placed);
    });

    for (const status of ['cancelled', 'shipped']) {
      test(`those of a ${status} order stay: 409`, async () => {
        await patch({ status });
        const answer = await writesNothing(app, () => put(TWO_LAMPS));
        expectError(answer, { status: 409, code: 'invalid_transition' });
      });
    }

    for (const { given, items, code = 'validation_failed', at } of [
      { given: 'none', items: [], code: 'empty_order', at: 'items' },
      { given: 'null', items: null, at: 'items' },
      {
        given: 'a product of another organisation',
        items: [{ product_id: 13, qty: 1 }],
        at: 'items.0.product_id',
      },
      { given: 'a qty of 0', items: [{ product_id: 1, qty: 0 }], at: 'items.0.qty' },
      { given: '101', items: Array.from({ length: 101 }, () => TWO_LAMPS[0]), at: 'items' },
    ]) {
      for (const method of ['PUT', 'PATCH']) {
        test(`${method} with ${given}: 422 ${code}`, async () => {
          const answer = await writesNothing(app, () =>
            app.request(method, path, { as: 'ada', body: { items } }),
          );
          expectError(answer, { status: 422, code, paths: [at] });
        });
      }
    }

    test('PUT without items: 422', async () => {
      const answer = await writesNothing(app, () => app.put(path, { as: 'ada', body: {} }));
      expectError(answer, { status: 422, code: 'validation_failed', paths: ['items'] });
    });
  });

  describe('what does not change', () => {
    for (const given of ['{}', undefined]) {
      test(`PATCH with ${given ?? 'no body'} changes nothing`, async () => {
        const answer = await writesNothing(app, () =>
          app.patch<Order>(path, { as: 'ada', ...(given !== undefined && { text: given }) }),
        );
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual(placed);
        expect(answer.headers.get('etag')).toBe('"v1"');
      });
    }

    test('PATCH with {} on an order that is settled is no move, and no error', async () => {
      await patch({ status: 'shipped' });
      expect((await writesNothing(app, () => patch({}))).status).toBe(200);
    });

    for (const member of [
      'id',
      'total',
      'created_at',
      'updated_at',
      'user_id',
      'version',
      'currency',
      'createdAt',
    ]) {
      test(`PATCH with ${member}: 422`, async () => {
        const answer = await writesNothing(app, () => patch({ [member]: 1 }));
        expectError(answer, { status: 422, code: 'validation_failed', paths: [member] });
      });
    }

    for (const { body, at } of [
      { body: { status: 'lost' }, at: 'status' },
      { body: { status: null }, at: 'status' },
      { body: { status: 1 }, at: 'status' },
      { body: [], at: '' },
      { body: null, at: '' },
      { body: 'cancelled', at: '' },
    ]) {
      test(`PATCH with ${JSON.stringify(body)}: 422`, async () => {
        const answer = await writesNothing(app, () => patch(body));
        expectError(answer, { status: 422, code: 'validation_failed', paths: [at] });
      });
    }
  });

  describe('If-Match', () => {
    const changes = {
      PATCH: { body: { status: 'cancelled' } },
      PUT: { body: { items: [{ product_id: 2, qty: 1 }] } },
      DELETE: {},
    };

    for (const [method, change] of Object.entries(changes)) {
      for (const { given, tag, applies } of [
        { given: 'the present tag', tag: '"v1"', applies: true },
        { given: 'a list that has the present tag', tag: '"v7", "v1"', applies: true },
        { given: 'any tag', tag: '*', applies: true },
        { given: 'a stale tag', tag: '"v0"', applies: false },
        { given: 'the present tag as a weak one', tag: 'W/"v1"', applies: false },
        { given: 'a tag that was not made here', tag: '"abc"', applies: false },
        { given: 'a tag without quotes', tag: 'v1', applies: false },
      ]) {
        test(`${method} with ${given} is ${applies ? 'carried out' : '412'}`, async () => {
          const request = () =>
            app.request(method, path, { as: 'ada', headers: { 'if-match': tag }, ...change });
          if (applies) {
            expect((await request()).status).toBe(method === 'DELETE' ? 204 : 200);
          } else {
            expectError(await writesNothing(app, request), { status: 412, code: 'precondition_failed' });
          }
        });
      }
    }

    test('the tag of a first change makes a second one possible, and the first tag does not any more', async () => {
      const first = await put([{ product_id: 2, qty: 1 }], { 'if-match': '"v1"' });
      expect(
        (await writesNothing(app, () => patch({ status: 'shipped' }, { 'if-match': '"v1"' }))).status,
      ).toBe(412);
      expect(
        (await patch({ status: 'shipped' }, { 'if-match': first.headers.get('etag') ?? '' })).status,
      ).toBe(200);
    });

    test('a stale tag on an order that is settled: 412, since the client has to read it again anyway', async () => {
      await patch({ status: 'shipped' });
      const answer = await writesNothing(app, () => patch({ status: 'cancelled' }, { 'if-match': '"v1"' }));
      expectError(answer, { status: 412, code: 'precondition_failed' });
    });

    test('items and state together count as one change of the version named', async () => {
      const answer = await patch({ items: TWO_LAMPS, status: 'shipped' }, { 'if-match': '"v1"' });
      expect(answer.status).toBe(200);
    });

    test('PATCH with {} is checked as well', async () => {
      expect((await patch({}, { 'if-match': '"v1"' })).status).toBe(200);
      expectError(await patch({}, { 'if-match': '"v9"' }), { status: 412, code: 'precondition_failed' });
    });

    test('the graph has it as ifVersion', async () => {
      const document =
        'mutation ($id: ID!, $v: [Int!]) { updateOrder(id: $id, input: { status: shipped }, ifVersion: $v) { version } }';
      const stale = await writesNothing(app, () =>
        app.graphql(document, { id: placed.id, v: [7] }, { as: 'ada' }),
      );
      expect(codesOf(stale)).toEqual(['precondition_failed']);
      const none = await writesNothing(app, () =>
        app.graphql(document, { id: placed.id, v: [] }, { as: 'ada' }),
      );
      expect(codesOf(none)).toEqual(['precondition_failed']);
      const present = await app.graphql(document, { id: placed.id, v: [7, 1] }, { as: 'ada' });
      expect(present.body).toEqual({ data: { updateOrder: { version: 2 } } });
    });
  });

  describe('deleting it', () => {
    const remove = (headers: Record<string, string> = {}) => app.delete(path, { as: 'ada', headers });

    test('204, then 204 again without a second event, and reading it is 404', async () => {
      const first = await remove();
      expect(first.status).toBe(204);
      expect(first.text).toBe('');
      expect((await app.events()).at(-1)).toMatchObject({
        type: 'order.deleted',
        actorId: 1,
        subjectId: placed.id,
      });

      expect((await writesNothing(app, () => remove())).status).toBe(204);
      expectError(await app.get(path, { as: 'ada' }), { status: 404, code: 'not_found' });
    });

    test('it is gone from every list, and its total from the count', async () => {
      const before = await app.get<{ pagination: { total: number } }>('/v1/users/1/orders', { as: 'ada' });
      await remove();
      const after = await app.get<{ data: Order[]; pagination: { total: number } }>(
        '/v1/users/1/orders?sort=-id',
        { as: 'ada' },
      );
      expect(after.body.pagination.total).toBe(before.body.pagination.total - 1);
      expect(after.body.data.map((order) => order.id)).not.toContain(placed.id);

      const graph = await app.graphql('{ user(id: 1) { orders(last: 100) { id } } }', {}, { as: 'ada' });
      expect(graph.text).not.toContain(`"${placed.id}"`);
    });

    test('a settled order can be deleted too', async () => {
      await patch({ status: 'shipped' });
      expect((await remove()).status).toBe(204);
    });

    test('what was deleted cannot be changed: 404', async () => {
      await remove();
      for (const request of [() => patch({ status: 'shipped' }), () => patch({}), () => put(TWO_LAMPS)]) {
        expectError(await writesNothing(app, request), { status: 404, code: 'not_found' });
      }
    });

    test('deleting again with the tag that it once had is 204, as a retry after a lost answer', async () => {
      await remove({ 'if-match': '"v1"' });
      expect((await writesNothing(app, () => remove({ 'if-match': '"v1"' }))).status).toBe(204);
    });

    test('the graph gives its id, and gives it again', async () => {
      const document = 'mutation ($id: ID!) { deleteOrder(id: $id) }';
      for (const _ of ['first', 'again']) {
        const answer = await app.graphql(document, { id: placed.id }, { as: 'ada' });
        expect(answer.body).toEqual({ data: { deleteOrder: String(placed.id) } });
      }
      expect(await typesOf(placed.id)).toEqual(['order.created', 'order.deleted']);
    });
  });

  describe('refused for its caller, its owner or its absence', () => {
    const requests = [
      { method: 'PUT', body: { items: [{ product_id: 1, qty: 1 }] } },
      { method: 'PATCH', body: { status: 'shipped' } },
      { method: 'PATCH', body: {} },
      { method: 'DELETE' },
    ];
    for (const { method, body } of requests) {
      const name = `${method}${body ? ` ${JSON.stringify(body)}` : ''}`;
      const sent = body ? { body } : {};

      test(`${name} on an order of another organisation: 403`, async () => {
        const answer = await writesNothing(app, () =>
          app.request(method, '/v1/orders/61', { as: 'ada', ...sent }),
        );
        expectError(answer, { status: 403, code: 'forbidden' });
      });

      test(`${name} on an order that never was: 404`, async () => {
        const answer = await writesNothing(app, () =>
          app.request(method, '/v1/orders/999999', { as: 'ada', ...sent }),
        );
        expectError(answer, { status: 404, code: 'not_found' });
      });

      test(`${name} by a viewer: 403`, async () => {
        const answer = await writesNothing(app, () => app.request(method, path, { as: 'vic', ...sent }));
        expectError(answer, { status: 403, code: 'insufficient_scope' });
      });

      test(`${name} by nobody: 401`, async () => {
        const answer = await writesNothing(app, () => app.request(method, path, sent));
        expectError(answer, { status: 401, code: 'unauthenticated' });
      });
    }

    test('an admin of another organisation cannot tell a deleted order from one that is there', async () => {
      const present = await app.delete(path, { as: 'gil' });
      await app.delete(path, { as: 'ada' });
      const deleted = await app.delete(path, { as: 'gil' });
      expectError(present, { status: 403, code: 'forbidden' });
      expect(deleted.text).toBe(present.text);
    });
  });
});
