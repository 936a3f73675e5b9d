/** A change that is repeated changes nothing more: no version, no row and no event, also if it is repeated at the same time. */
import { expect, test } from 'vitest';
import { createFixtures } from '../access/shared/fixtures.ts';
import { ROUTE_CALLS } from '../access/shared/rules.ts';
import { distinctRoutes, routeName } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { orderForEachTest } from '../support/fixtures/orders.ts';

/** Changes without an idempotency key that a client can repeat: links in mails work only once. */
const changing = distinctRoutes.filter(
  ({ method, path, variables }) =>
    ['PUT', 'PATCH'].includes(method) &&
    !path.includes('{token}') &&
    variables.every(({ source }) => source !== 'idempotencyKey'),
);

const AT_ONCE = 8;

const isTransition = (route: (typeof changing)[number]) => routeName(route) === 'PATCH /v1/orders/{order_id}';

describeEachEngine('a repeated change', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);
  const order = orderForEachTest(app);

  /** Returns a function that sends the change of a route to a new row. */
  async function senderOf(route: (typeof changing)[number]) {
    const name = routeName(route);
    const call = await ROUTE_CALLS[name]?.(fixtures);
    if (!call) throw new Error(`There is no request for ${name} in test/access/.`);
    const path = route.path.replace(/\{(\w+)\}/g, (_, each: string) => String(call.params?.[each]));
    return () => app.request(route.method, path, { as: 'ada', body: call.body });
  }

  /** The number of entries of the audit log. */
  async function entries(): Promise<number> {
    const [row] = await engine.place.query(
      'select (select count(*) from events) + (select count(*) from audit_entries) as entries',
    );
    return Number(row?.['entries']);
  }

  for (const route of changing) {
    engine.testConcurrent(`${routeName(route)}, ${AT_ONCE} at once`, async () => {
      const send = await senderOf(route);
      const before = await entries();
      const responses = await Promise.all(Array.from({ length: AT_ONCE }, send));
      const [done, ...others] = [...Map.groupBy(responses, ({ status }) => status)].toSorted(
        ([a], [b]) => a - b,
      );
      expect(done?.[0], done?.[1][0]?.text).toBe(route.status);
      expect(new Set(done?.[1].map(({ text }) => text)).size).toBe(1);
      // An order leaves the state `pending` once.
      expect(others.map(([status]) => status)).toEqual(isTransition(route) ? [409] : []);
      expect((await entries()) - before).toBe(1);
    });
  }

  test.each(changing.map((route) => [routeName(route), route] as const))('%s', async (_, route) => {
    const send = await senderOf(route);
    const first = await send();
    expect(first.status, first.text).toBe(route.status);
    app.clock.advance(1000);
    const again = await writesNothing(app, send);
    // An order leaves the state `pending` once.
    if (isTransition(route)) return expectError(again, { status: 409, code: 'invalid_transition' });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  test('of the items of an order keeps their prices, but other items get current ones', async () => {
    const product = await app.post<{ id: number }>('/v1/products', {
      as: 'ada',
      body: { name: 'Lantern', unit_price: 4, currency: 'USD' },
    });
    const line = { product_id: product.body.id, qty: 2 };
    const first = await order.put([line]);
    await app.request('PATCH', `/v1/products/${product.body.id}`, { as: 'ada', body: { unit_price: 5 } });
    const again = await writesNothing(app, () => order.put([line]));
    expect([again.body.total, again.text]).toEqual([8, first.text]);
    expect((await order.put([{ ...line, qty: 3 }])).body.total).toBe(15);
  });
});
