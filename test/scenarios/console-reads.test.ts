/**
 * Reads of the console besides the feed: one event, its deliveries, histories, and the cost of a charge's
 * history.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addWebhook, settled } from '../support/fixtures/webhooks.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';

interface Delivery {
  readonly webhookId: string;
  readonly status: string;
  readonly attempts: readonly { readonly number: number }[];
}

describeEachEngine('events in GraphQL', (engine) => {
  const app = startApp(engine, { webhooks: { allowLoopback: true, poll: 10 } });
  const openReceiver = manageReceivers();

  beforeAll(() => app.webhooks.start());

  const newestId = async () => (await app.events()).at(-1)?.id ?? 0;

  const read = (id: number, as: 'ada' | 'ed' | 'vic' | 'gil') =>
    app.graphql<{ event: { type: string; cursor: string } | null }>(
      'query ($id: ID!) { event(id: $id) { type cursor } }',
      { id },
      { as },
    );

  test('an event is visible to callers that may read its subject', async () => {
    await placeOrder(app);
    const id = await newestId();
    const { body } = await read(id, 'vic');
    expect(body.data?.event?.type).toBe('order.created');
    const feed = await app.graphql<{ feed: { nodes: { cursor: string }[] } }>(
      '{ feed(first: 1) { nodes { cursor } } }',
      {},
      { as: 'ada' },
    );
    expect(body.data?.event?.cursor).toBe(feed.body.data?.feed.nodes[0]?.cursor);
    expect(codesOf(await read(id, 'gil'))).toEqual(['forbidden']);
    expect((await read(id + 1000, 'ada')).body.data?.event).toBeNull();
  });

  test('an event of a document is visible only to its readers', async () => {
    await app.post('/v1/orgs/acme/docs', {
      as: 'ada',
      body: { title: 'Salaries', body: '', classification: 'confidential' },
    });
    const id = await newestId();
    expect((await read(id, 'ada')).body.data?.event?.type).toBe('document.created');
    expect((await read(id, 'vic')).body.data?.event).toBeNull();
  });

  test("an event outside the caller's scopes is not found", async () => {
    await addWebhook(app);
    expect((await read(await newestId(), 'ed')).body.data?.event).toBeNull();
  });

  test('a test message is sent only to its webhook, whatever event types it subscribes to', async () => {
    const receiver = await openReceiver();
    const other = await openReceiver();
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.shipped'] });
    await addWebhook(app, { url: other.url, types: ['*'] });
    const { status, headers, body } = await app.post<{
      id: number;
      type: string;
      delivery: { id: number; message_id: string };
    }>(`/v1/webhooks/${webhook.id}/tests`, { as: 'ada' });
    expect([status, body.type]).toEqual([201, 'webhook.tested']);
    // The delivery exists before the dispatcher has read the event.
    const location = headers.get('location') ?? '';
    expect(location).toBe(`/v1/webhooks/${webhook.id}/deliveries/${body.delivery.id}`);
    expect((await app.get(location, { as: 'ada' })).body).toMatchObject({
      ...body.delivery,
      event_id: body.id,
      attempts: [{ number: 1, trigger: 'schedule' }],
    });
    await receiver.until(1);
    await settled(app, webhook.id, 'delivered');
    const received = await app.graphql<{ event: { deliveries: Delivery[] } }>(
      'query ($id: ID!) { event(id: $id) { deliveries { webhookId status attempts { number } } } }',
      { id: body.id },
      { as: 'ada' },
    );
    expect(received.body.data?.event.deliveries).toEqual([
      { webhookId: String(webhook.id), status: 'delivered', attempts: [{ number: 1 }] },
    ]);
    // The other webhook has passed this event: it received a later one.
    await placeOrder(app);
    const types = (await other.until(1)).map(({ body: text }) => (JSON.parse(text) as { type: string }).type);
    expect(types).not.toContain('webhook.tested');
  });

  test('a disabled webhook is not tested', async () => {
    const { id } = await addWebhook(app);
    await app.patch(`/v1/webhooks/${id}`, { as: 'ada', body: { enabled: false } });
    const { status } = await app.post(`/v1/webhooks/${id}/tests`, { as: 'ada' });
    expect(status).toBe(409);
  });

  describe('histories', () => {
    test('of an order and of a charge are paged', async () => {
      const order = await placeOrder(app);
      await app.patch(`/v1/orders/${order.id}`, { as: 'ada', body: { status: 'shipped' } });
      const document = `query ($id: ID!, $after: String) {
        order(id: $id) { history(first: 1, after: $after) { nodes { type } nextCursor } }
      }`;
      interface Page {
        readonly order: {
          readonly history: { readonly nodes: { type: string }[]; readonly nextCursor: string | null };
        };
      }
      const first = (await app.graphql<Page>(document, { id: order.id }, { as: 'vic' })).body.data?.order
        .history;
      expect(first?.nodes).toEqual([{ type: 'order.shipped' }]);
      const after = first?.nextCursor;
      const second = (await app.graphql<Page>(document, { id: order.id, after }, { as: 'vic' })).body.data
        ?.order.history;
      expect(second).toEqual({ nodes: [{ type: 'order.created' }], nextCursor: null });
    });

    test('of a charge include the request that created it', async () => {
      const key = randomUUID();
      const charge = await makeCharge(app, { key });
      await app.graphql(
        'mutation ($id: ID!, $key: String) { refundCharge(id: $id, idempotencyKey: $key) { id } }',
        { id: charge.id, key: randomUUID() },
        { as: 'ada' },
      );
      const { body } = await app.graphql(
        `query ($id: ID!) { charge(id: $id) {
          idempotency { mutation key status attempts } history { nodes { type } } } }`,
        { id: charge.id },
        { as: 'vic' },
      );
      expect(body.data).toEqual({
        charge: {
          idempotency: [{ mutation: 'createCharge', key, status: 'done', attempts: 1 }],
          history: { nodes: [{ type: 'charge.refunded' }, { type: 'charge.succeeded' }] },
        },
      });
    });
  });
});
