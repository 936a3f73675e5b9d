/** Conditional changes of an order: If-Match, and ifVersion in GraphQL. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { orderForEachTest, TWO_LAMPS } from '../support/fixtures/orders.ts';

describeEachEngine('changing an order', (engine) => {
  const app = startApp(engine);
  const order = orderForEachTest(app);

  test('the tag after a change allows the next change, and the earlier tag does not', async () => {
    const first = await order.put([{ product_id: 2, qty: 1 }], { 'if-match': '"v1"' });
    expect(
      (await writesNothing(app, () => order.patch({ status: 'shipped' }, { 'if-match': '"v1"' }))).status,
    ).toBe(412);
    expect(
      (await order.patch({ status: 'shipped' }, { 'if-match': first.headers.get('etag') ?? '' })).status,
    ).toBe(200);
  });

  test('a stale tag on a settled order returns 412, before its status is checked', async () => {
    await order.patch({ status: 'shipped' });
    const response = await writesNothing(app, () =>
      order.patch({ status: 'cancelled' }, { 'if-match': '"v1"' }),
    );
    expectError(response, { status: 412, code: 'precondition_failed' });
  });

  test('items and status change together at the given version', async () => {
    const response = await order.patch({ items: TWO_LAMPS, status: 'shipped' }, { 'if-match': '"v1"' });
    expect(response.status).toBe(200);
  });

  test('PATCH with {} is checked as well', async () => {
    expect((await order.patch({}, { 'if-match': '"v1"' })).status).toBe(200);
    expectError(await order.patch({}, { 'if-match': '"v9"' }), {
      status: 412,
      code: 'precondition_failed',
    });
  });

  test('GraphQL supports it as ifVersion', async () => {
    const document =
      'mutation ($id: ID!, $v: [Int!]) { updateOrder(id: $id, input: { status: shipped }, ifVersion: $v) { version } }';
    const stale = await writesNothing(app, () =>
      app.graphql(document, { id: order.placed.id, v: [7] }, { as: 'ada' }),
    );
    expect(codesOf(stale)).toEqual(['precondition_failed']);
    const none = await writesNothing(app, () =>
      app.graphql(document, { id: order.placed.id, v: [] }, { as: 'ada' }),
    );
    expect(codesOf(none)).toEqual(['precondition_failed']);
    const present = await app.graphql(document, { id: order.placed.id, v: [7, 1] }, { as: 'ada' });
    expect(present.body).toEqual({ data: { updateOrder: { version: 2 } } });
  });
});
