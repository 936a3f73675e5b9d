/** Deleting orders: once, from every list, and safely repeated. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { eventTypesOf, orderForEachTest, TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { Order } from '../support/response-bodies.ts';

describeEachEngine('orders', (engine) => {
  const app = startApp(engine);
  const order = orderForEachTest(app);

  describe('deleting', () => {
    const remove = (headers: Record<string, string> = {}) => app.delete(order.path, { as: 'ada', headers });

    test('returns 204, then 204 again without a second event, and reading returns 404', async () => {
      const first = await remove();
      expect(first.status).toBe(204);
      expect(first.text).toBe('');
      expect((await app.events()).at(-1)).toMatchObject({
        type: 'order.deleted',
        actorId: 1,
        subjectId: order.placed.id,
      });

      expect((await writesNothing(app, () => remove())).status).toBe(204);
      expectError(await app.get(order.path, { as: 'ada' }), { status: 404, code: 'not_found' });
    });

    test('removes the order from every list and count', async () => {
      const before = await app.get<{ pagination: { total: number } }>('/v1/users/1/orders', { as: 'ada' });
      await remove();
      const after = await app.get<{ data: Order[]; pagination: { total: number } }>(
        '/v1/users/1/orders?sort=-id',
        { as: 'ada' },
      );
      expect(after.body.pagination.total).toBe(before.body.pagination.total - 1);
      expect(after.body.data.map(({ id }) => id)).not.toContain(order.placed.id);

      const graph = await app.graphql('{ user(id: 1) { orders(last: 100) { id } } }', {}, { as: 'ada' });
      expect(graph.text).not.toContain(`"${order.placed.id}"`);
    });

    test('is allowed for a settled order', async () => {
      await order.patch({ status: 'shipped' });
      expect((await remove()).status).toBe(204);
    });

    test('prevents later changes: 404', async () => {
      await remove();
      for (const request of [
        () => order.patch({ status: 'shipped' }),
        () => order.patch({}),
        () => order.put(TWO_LAMPS),
      ]) {
        expectError(await writesNothing(app, request), { status: 404, code: 'not_found' });
      }
    });

    test('returns 204 with the last entity tag, as a retry after a lost response sends it', async () => {
      await remove({ 'if-match': '"v1"' });
      expect((await writesNothing(app, () => remove({ 'if-match': '"v1"' }))).status).toBe(204);
    });

    test('returns the id in GraphQL, also when repeated', async () => {
      const document = 'mutation ($id: ID!) { deleteOrder(id: $id) }';
      for (const _ of ['first', 'again']) {
        const response = await app.graphql(document, { id: order.placed.id }, { as: 'ada' });
        expect(response.body).toEqual({ data: { deleteOrder: String(order.placed.id) } });
      }
      expect(await eventTypesOf(app, order.placed.id)).toEqual(['order.created', 'order.deleted']);
    });
  });
});
