/** Creates, lists, reads and cancels orders with the types that `openapi-typescript` generates, and nothing else. */
import createClient from 'openapi-fetch';
import type { paths } from './generated/paths.js';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

const session = await client.POST('/v1/auth/login', {
  body: { email: 'ada@acme.test', password: 'portico-demo' },
});
if (!session.data) throw new Error(session.error?.error.message);
const { access_token } = session.data;
client.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${access_token}`),
});

const created = await client.POST('/v1/users/{user_id}/orders', {
  params: { path: { user_id: 1 } },
  body: { items: [{ product_id: 1, qty: 2 }] },
});
if (!created.data) throw new Error(created.error.error.message);
const { id } = created.data;

const listed = await client.GET('/v1/users/{user_id}/orders', {
  params: { path: { user_id: 1 }, query: { status: 'pending', sort: '-created_at', limit: 1 } },
});
if (!listed.data) throw new Error(listed.error.error.message);
const read = await client.GET('/v1/orders/{order_id}', { params: { path: { order_id: id } } });
if (!read.data) throw new Error(read.error?.error.message);

const cancelled = await client.PATCH('/v1/orders/{order_id}', {
  params: { path: { order_id: id }, header: { 'If-Match': read.response.headers.get('etag') ?? '' } },
  body: { status: 'cancelled' },
});
if (!cancelled.data) throw new Error(cancelled.error.error.message);

const again = await client.PATCH('/v1/orders/{order_id}', {
  params: { path: { order_id: id } },
  body: { status: 'shipped' },
});
// The error codes of a route are a union of literals, so that a misspelt one does not compile.
const isRefused = again.error?.error.code === 'invalid_transition';
const { status } = cancelled.data;
process.stdout.write(
  JSON.stringify({ created: created.data, listed: listed.data.data, read: read.data, status, isRefused }),
);
