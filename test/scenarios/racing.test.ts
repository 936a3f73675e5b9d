/** Concurrent clients that want the same change: one succeeds, the others get an error, and nothing happens twice. */
import { expect } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder, TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { Order } from '../support/response-bodies.ts';

const RACERS = 20;

describeEachEngine('concurrent changes', (engine) => {
  const app = startApp(engine);

  const race = <T>(run: (racer: number) => Promise<T>) =>
    Promise.all(Array.from({ length: RACERS }, (_, n) => run(n)));
  const count = (statuses: readonly number[]) =>
    Object.fromEntries(
      Map.groupBy(statuses, String)
        .entries()
        .map(([status, all]) => [status, all.length]),
    );
  const eventsOf = async (id: number) => (await app.events()).filter((event) => event.subjectId === id);

  engine.testConcurrent(
    'half cancel and half ship: one succeeds, 19 conflict, and one event records it',
    async () => {
      const { id } = await placeOrder(app);
      const responses = await race((n) =>
        app.patch<Order>(`/v1/orders/${id}`, {
          as: 'ada',
          body: { status: n % 2 === 0 ? 'cancelled' : 'shipped' },
        }),
      );

      expect(count(responses.map((response) => response.status))).toEqual({ 200: 1, 409: RACERS - 1 });
      const winner = responses.find((response) => response.status === 200)?.body.status;
      expect((await app.get<Order>(`/v1/orders/${id}`, { as: 'ada' })).body.status).toBe(winner);
      expect((await eventsOf(id)).map((event) => event.type)).toEqual(['order.created', `order.${winner}`]);
    },
  );

  engine.testConcurrent(
    'all replace the items of the version they read: one succeeds, 19 are stale',
    async () => {
      const { id } = await placeOrder(app);
      const responses = await race((n) =>
        app.put<Order>(`/v1/orders/${id}`, {
          as: 'ada',
          body: { items: [{ product_id: 10, qty: n + 1 }] },
          headers: { 'if-match': '"v1"' },
        }),
      );

      expect(count(responses.map((response) => response.status))).toEqual({ 200: 1, 412: RACERS - 1 });
      const winner = responses.find((response) => response.status === 200);
      expect((await app.get(`/v1/orders/${id}`, { as: 'ada' })).text).toBe(winner?.text);
      expect(await eventsOf(id)).toHaveLength(2);
    },
  );

  engine.testConcurrent('all replace the items without a version: all succeed in sequence', async () => {
    const { id } = await placeOrder(app);
    const responses = await race((n) =>
      app.put<Order>(`/v1/orders/${id}`, { as: 'ada', body: { items: [{ product_id: 10, qty: n + 1 }] } }),
    );

    expect(count(responses.map((response) => response.status))).toEqual({ 200: RACERS });
    const versions = responses.map((response) => response.headers.get('etag')).toSorted();
    expect(versions).toEqual(Array.from({ length: RACERS }, (_, n) => `"v${n + 2}"`).toSorted());
    const last = responses.find((response) => response.headers.get('etag') === `"v${RACERS + 1}"`);
    expect((await app.get(`/v1/orders/${id}`, { as: 'ada' })).text).toBe(last?.text);
    // No items of the others remain.
    const rows = await engine.place.query(`select count(*) as n from order_items where order_id = ${id}`);
    expect(Number(rows[0]?.['n'])).toBe(1);
  });

  engine.testConcurrent('all delete it: all succeed, and one event records it', async () => {
    const { id } = await placeOrder(app);
    const responses = await race(() => app.delete(`/v1/orders/${id}`, { as: 'ada' }));
    expect(count(responses.map((response) => response.status))).toEqual({ 204: RACERS });
    expect((await eventsOf(id)).map((event) => event.type)).toEqual(['order.created', 'order.deleted']);
  });

  engine.testConcurrent('all place an order: each gets its own, with its event', async () => {
    const before = await app.fingerprint();
    const orders = await race(() => placeOrder(app, TWO_LAMPS));
    expect(new Set(orders.map((order) => order.id)).size).toBe(RACERS);
    const after = await app.fingerprint();
    expect(after.orders.rows - before.orders.rows).toBe(RACERS);
    expect(after.orderItems.rows - before.orderItems.rows).toBe(RACERS);
    const events = (await app.events()).filter((event) =>
      orders.some((order) => order.id === event.subjectId),
    );
    expect(events).toHaveLength(RACERS);
  });
});
