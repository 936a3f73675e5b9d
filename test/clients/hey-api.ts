/**
 * Creates, lists and reads orders with the functions and types that `@hey-api/openapi-ts` generates, and
 * nothing else.
 */
import { client } from './generated/client.gen.js';
import { createOrder, getOrder, listUserOrders, login } from './generated/sdk.gen.js';

const throwOnError = true;

const session = await login({
  body: { email: 'ada@acme.test', password: 'portico-demo' },
  throwOnError,
});
client.setConfig({ auth: session.data.access_token });

const created = await createOrder({
  path: { user_id: 1 },
  body: { items: [{ product_id: 1, qty: 2 }] },
  throwOnError,
});
const listed = await listUserOrders({
  path: { user_id: 1 },
  query: { status: 'pending', sort: '-created_at', limit: 1 },
  throwOnError,
});
const read = await getOrder({ path: { order_id: created.data.id }, throwOnError });
process.stdout.write(JSON.stringify({ created: created.data, listed: listed.data.data, read: read.data }));
