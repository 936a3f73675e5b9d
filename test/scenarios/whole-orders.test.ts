/** The total of an order equals the sum of the items in the same response, although its items are replaced during the request. */
import { getNamedType, isObjectType } from 'graphql';
import { beforeEach, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/db/database.ts';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE, makeCharge } from '../support/fixtures/charges.ts';
import { placeOrder, TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { Order } from '../support/response-bodies.ts';
import { Disturbance, membersOf } from '../support/test-doubles.ts';

const ITEMS = 'id total items { qty unitPrice }';

/** A document that reads the order `$id` through each field that returns orders. Subscriptions read it in the same way as `Query.order`. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'Charge.order': `query ($id: ID!) { charges(orderId: $id) { nodes { order { ${ITEMS} } } } }`,
  'Mutation.createOrder': `mutation { createOrder(input: { userId: 1, items: [{ productId: 1, qty: 1 }] }) { ${ITEMS} } }`,
  'Mutation.updateOrder': `mutation ($id: ID!) { updateOrder(id: $id, input: {}) { ${ITEMS} } }`,
  'OrderConnection.nodes': `{ organisationOrders(first: 1) { nodes { ${ITEMS} } } }`,
  'OrderEdge.node': `{ organisationOrders(first: 1) { edges { node { ${ITEMS} } } } }`,
  'OrderPage.nodes': `{ orders(userId: 1, limit: 1) { nodes { ${ITEMS} } } }`,
  'Query.order': `query ($id: ID!) { order(id: $id) { ${ITEMS} } }`,
  'Subscription.orderChanged': '',
  'User.orders': `{ user(id: 1) { orders(last: 1) { ${ITEMS} } } }`,
};

interface Read {
  readonly total: number;
  readonly items: readonly { readonly qty: number; readonly unitPrice: number }[];
}

const fields = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .filter(({ field }) => getNamedType(field.type).name === 'Order')
  .map(({ type, field }) => `${type.name}.${field.name}`);

test('each field that returns orders is tested', () => {
  expect(fields.toSorted()).toEqual(Object.keys(DOCUMENTS));
});

/** Finds the orders in a response. */
function* ordersIn(value: unknown): Generator<Read> {
  if (typeof value !== 'object' || value === null) return;
  // Each document selects these members of orders, and only of orders.
  if ('total' in value && 'items' in value) yield value as Read;
  for (const member of Object.values(value)) yield* ordersIn(member);
}

describeEachEngine(
  'while the items of an order are replaced after each statement, the total is that of the items:',
  (engine) => {
    /** Happens after each statement about orders or charges and after each transaction, except those of its own request. */
    const disturbance = new Disturbance();
    const around = (database: OpenDatabase): OpenDatabase => ({
      ...membersOf(database),
      run: (statement, ...others) => {
        const result = database.run(statement, ...others);
        // Others may be shared with the request that replaces the items, which would then wait for itself.
        return /order|charge/i.test(statement.name) ? disturbance.after(result) : result;
      },
      transaction: (...work) => disturbance.after(database.transaction(...work)),
    });
    const app = startApp(engine, { around });

    let id = 0;
    let replaced = 0;
    beforeEach(async () => {
      ({ id } = await placeOrder(app));
      await makeCharge(app, { body: { ...CHARGE, order_id: id } });
      replaced = 0;
      const replace = async () => {
        const [newest] = await engine.place.query('select max(id) as id from orders');
        replaced += 1;
        const body = { items: [{ product_id: 1, qty: replaced + 2 }] };
        const { status } = await app.put(`/v1/orders/${newest?.['id']}`, { as: 'ada', body });
        expect(status).toBe(200);
        disturbance.next = replace;
      };
      disturbance.next = replace;
      return () => {
        disturbance.next = undefined;
      };
    });

    test.each(Object.entries(DOCUMENTS).filter(([, document]) => document))(
      '%s',
      async (_field, document) => {
        const { body } = await app.graphql(document, { id }, { as: 'ada' });
        const orders = [...ordersIn(body.data)];
        expect(orders, JSON.stringify(body.errors)).toHaveLength(1);
        expect(replaced).toBeGreaterThan(0);
        for (const { total, items } of orders) {
          const cents = items.map(({ qty, unitPrice }) => qty * Math.round(unitPrice * 100));
          expect(cents.reduce((sum, each) => sum + each, 0)).toBe(Math.round(total * 100));
        }
      },
    );

    test('an empty PATCH, whose ETag is that of the items', async () => {
      const { headers, body } = await app.patch<Order>(`/v1/orders/${id}`, { as: 'ada', body: {} });
      expect(headers.get('etag')).toBe('"v1"');
      expect(body.items).toMatchObject(TWO_LAMPS);
    });
  },
);
