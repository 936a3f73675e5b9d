/** For every route a request that succeeds for whoever may send it. Each is made anew, as those of the graph are. */
import { DOCUMENT, ED, type Making, newcomer, VIC, WEBHOOK } from './access-ground.ts';
import { CHARGE } from './charges.ts';
import { TWO_LAMPS } from './orders.ts';

export interface RouteCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for what stands in braces in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A body as it is sent. */
  readonly text?: string;
}

const ACME = { org: 'acme' };

/** By method and path of the first version, or of the second where that is another contract. */
export const ROUTE_CALLS: Readonly<Record<string, Making<RouteCall>>> = {
  'POST /v1/auth/login': () => ({ body: ED }),
  'POST /v1/auth/refresh': async (ground) => ({ body: { refresh_token: await ground.refreshToken() } }),
  'POST /v1/auth/logout': async (ground) => ({ body: { refresh_token: await ground.refreshToken() } }),

  'GET /v1/users/{user_id}': () => ({ params: { user_id: 1 } }),
  'PATCH /v1/users/{user_id}': () => ({ params: { user_id: 2 }, body: { name: 'Eddie' } }),
  'GET /v1/orgs/{org}/users': () => ({ params: { org: 'acme' } }),
  'POST /v1/orgs/{org}/users': (ground) => ({ params: { org: 'acme' }, body: newcomer(ground) }),
  'PATCH /v1/orgs/{org}/users/{user_id}': async (ground) => ({
    params: { org: 'acme', user_id: await ground.member() },
    body: { role: 'editor' },
  }),
  'DELETE /v1/orgs/{org}/users/{user_id}': async (ground) => ({
    params: { org: 'acme', user_id: await ground.member() },
  }),

  'GET /v1/orgs/{org}/docs': () => ({ params: ACME }),
  'POST /v1/orgs/{org}/docs': () => ({ params: ACME, body: DOCUMENT }),
  'GET /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
  }),
  'PUT /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
    body: DOCUMENT,
  }),
  'PATCH /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
    body: { title: 'New' },
  }),
  'DELETE /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
  }),
  'GET /v1/orgs/{org}/docs/{doc_id}/shares': async (ground) => ({
    params: { ...ACME, doc_id: await ground.sharedDocument() },
  }),
  'POST /v1/orgs/{org}/docs/{doc_id}/shares': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
    body: { user_id: VIC, relation: 'reader' },
  }),
  'GET /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.sharedDocument(), user_id: VIC },
  }),
  'DELETE /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.sharedDocument(), user_id: VIC },
  }),

  'GET /feed': () => ({}),

  'GET /v1/api-keys': () => ({}),
  'POST /v1/api-keys': () => ({ body: { name: 'new', scopes: ['read:orders'] } }),
  'GET /v1/api-keys/{api_key_id}': async (ground) => ({ params: { api_key_id: await ground.apiKey() } }),
  'DELETE /v1/api-keys/{api_key_id}': async (ground) => ({ params: { api_key_id: await ground.apiKey() } }),

  'GET /v1/users/{user_id}/orders': () => ({ params: { user_id: 1 } }),
  'POST /v1/users/{user_id}/orders': () => ({ params: { user_id: 1 }, body: { items: TWO_LAMPS } }),
  'GET /v1/orders/{order_id}': () => ({ params: { order_id: 1 } }),
  'PUT /v1/orders/{order_id}': async (ground) => ({
    params: { order_id: await ground.order() },
    body: { items: TWO_LAMPS },
  }),
  'PATCH /v1/orders/{order_id}': async (ground) => ({
    params: { order_id: await ground.order() },
    body: { status: 'shipped' },
  }),
  'DELETE /v1/orders/{order_id}': async (ground) => ({ params: { order_id: await ground.order() } }),

  'POST /v1/charges': () => ({ body: { amount: 1999, source: 'tok_visa' } }),
  'GET /v1/charges/{charge_id}': async (ground) => ({ params: { charge_id: await ground.charge() } }),
  'POST /v2/charges': (ground) => ({ body: CHARGE, headers: { 'idempotency-key': ground.key() } }),
  'POST /v1/payment-events': (ground) => ground.paymentEvent(),
  'POST /v1/payment-events/stripe': (ground) => ground.stripeEvent(),
  'GET /v2/charges': () => ({}),
  'GET /v2/charges/{charge_id}': async (ground) => ({ params: { charge_id: await ground.charge() } }),
  'POST /v2/charges/{charge_id}/refunds': async (ground) => ({
    params: { charge_id: await ground.charge() },
  }),

  'GET /v1/products': () => ({}),
  'GET /v1/products/{product_id}': () => ({ params: { product_id: 1 } }),

  'GET /v1/webhooks': () => ({}),
  'POST /v1/webhooks': () => ({ body: WEBHOOK }),
  'GET /v1/webhooks/{webhook_id}': async (ground) => ({ params: { webhook_id: await ground.webhook() } }),
  'PATCH /v1/webhooks/{webhook_id}': async (ground) => ({
    params: { webhook_id: await ground.webhook() },
    body: { enabled: false },
  }),
  'DELETE /v1/webhooks/{webhook_id}': async (ground) => ({ params: { webhook_id: await ground.webhook() } }),
  'POST /v1/webhooks/{webhook_id}/secret': async (ground) => ({
    params: { webhook_id: await ground.webhook() },
  }),
  'GET /v1/webhooks/{webhook_id}/deliveries': async (ground) => ({
    params: { webhook_id: (await ground.webhookDelivery()).webhookId },
  }),
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/attempts': async (ground) => {
    const { webhookId, deliveryId } = await ground.webhookDelivery();
    return { params: { webhook_id: webhookId, delivery_id: deliveryId } };
  },
};
