/**
 * Several mutations in one operation: each result shows the state after its mutation, and equal amounts match
 * under one key.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { postCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';

describeEachEngine('in one operation', (engine) => {
  const app = startApp(engine);

  test('the result of a second charge shows both charges, and that the order is paid', async () => {
    const order = await placeOrder(app, [{ product_id: 1, qty: 2 }]);
    const charge = (name: string) =>
      `${name}: createCharge(input: { amount: { value: 19.99, currency: "USD" }, source: "tok_visa", orderId: ${order.id} },
        idempotencyKey: "${randomUUID()}") { order { paid charges { id } } }`;
    type Shown = { readonly order: { readonly paid: boolean; readonly charges: readonly unknown[] } };
    const { body } = await app.graphql<{ one: Shown; two: Shown }>(
      `mutation { ${charge('one')} ${charge('two')} }`,
      {},
      { as: 'ada' },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data?.one.order).toMatchObject({ paid: false, charges: [{}] });
    expect(body.data?.two.order).toMatchObject({ paid: true, charges: [{}, {}] });
  });

  test.each(['5', '5.0', '5.00', '500e-2'])('an amount of 5 under a key is equal to %s', async (value) => {
    const key = randomUUID();
    const body = { amount: { value: 5, currency: 'USD' }, source: 'tok_visa' };
    const first = await postCharge(app, { key, body });
    expect(first.status).toBe(201);
    const again = await app.graphql<{ createCharge: { id: string } }>(
      `mutation { createCharge(input: { amount: { value: ${value}, currency: "USD" }, source: "tok_visa" },
        idempotencyKey: "${key}") { id } }`,
      {},
      { as: 'ada' },
    );
    expect(codesOf(again)).toEqual([]);
    expect(again.body.data?.createCharge.id).toBe(String(first.body.id));
    const rest = await postCharge(app, {
      key,
      text: `{"amount":{"value":${value},"currency":"USD"},"source":"tok_visa"}`,
    });
    expect(rest.text).toBe(first.text);
  });
});
