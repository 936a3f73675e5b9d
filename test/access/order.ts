/** Access to orders. */
import { LIMITS } from '../../src/core/limits.ts';
import { TWO_LAMPS } from '../support/fixtures/orders.ts';
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.order': [
    'ok | ok | ok | forbidden | ok | expired | sign in',
    alone('{ order(id: 1) { id items { id } } }'),
  ],
  'Query.orders': [
    'ok | ok | ok | forbidden | ok | expired | sign in',
    alone('{ orders(userId: 1) { nodes { id } } }'),
  ],
  'Query.organisationOrders': [
    'ok | ok | ok | ok | ok | expired | sign in',
    alone('{ organisationOrders { nodes { id } } }'),
  ],
  'Mutation.createOrder': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    alone('mutation { createOrder(input: { userId: 1, items: [{ productId: 1, qty: 1 }] }) { id } }'),
  ],
  'Mutation.updateOrder': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about('order', 'mutation ($id: ID!) { updateOrder(id: $id, input: { status: shipped }) { id } }'),
  ],
  'Mutation.deleteOrder': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about('order', 'mutation ($id: ID!) { deleteOrder(id: $id) }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/users/{user_id}/orders': [
    '200 | 200 | 200 | 403 | 200 | 401 | 401',
    () => ({ params: { user_id: 1 } }),
  ],
  'POST /v1/users/{user_id}/orders': [
    '201 | 201 | 403 | 403 | 403 | 401 | 401',
    () => ({ params: { user_id: 1 }, body: { items: TWO_LAMPS } }),
  ],
  'GET /v1/orders': ['200 | 200 | 200 | 200 | 200 | 401 | 401', () => ({})],
  'GET /v1/orders/{order_id}': [
    '200 | 200 | 200 | 403 | 200 | 401 | 401',
    () => ({ params: { order_id: 1 } }),
  ],
  'PUT /v1/orders/{order_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { order_id: await fixtures.order() },
      body: { items: [{ product_id: 1, qty: 3 }] },
    }),
  ],
  'PATCH /v1/orders/{order_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { order_id: await fixtures.order() },
      body: { status: 'shipped' },
    }),
  ],
  'DELETE /v1/orders/{order_id}': [
    '204 | 204 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { order_id: await fixtures.order() } }),
  ],
};

/** A shipped order of the demo data. */
const SHIPPED = 2;

export const conflicts: ResourceFacts['conflicts'] = {
  'PUT /v1/orders/{order_id}': () => ({ params: { order_id: SHIPPED }, body: { items: TWO_LAMPS } }),
  'PATCH /v1/orders/{order_id}': () => ({ params: { order_id: SHIPPED }, body: { status: 'cancelled' } }),
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/orders/{order_id}': [{ status: 'shipped' }, { items: [{ product_id: 2, qty: 3 }] }],
};

export const lists = { 'Order.items': LIMITS.orderItems };
