/** Changes of a webhook while its messages are being sent. */
import { beforeAll, expect, test } from 'vitest';
import { claimAttempts } from '../../src/db/queries/webhook-attempts.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addWebhook, deliveriesOf, LONGEST_PAUSE, settled } from '../support/fixtures/webhooks.ts';
import { waitUntil } from '../support/process.ts';
import { answerWith, manageReceivers } from '../support/webhook-receiver.ts';

describeEachEngine('a webhook that is changed during an attempt', (engine) => {
  // The timeout is longer than any change takes.
  const app = startApp(engine, { webhooks: { allowLoopback: true, poll: 10, timeout: 100_000 } });
  const openReceiver = manageReceivers();

  beforeAll(() => app.webhooks.start());

  test('410 of a former URL, which arrives after the change, neither disables the webhook nor ends the message', async () => {
    const { promise: waiting, resolve: release } = Promise.withResolvers<void>();
    const former = await openReceiver((response) => void waiting.then(() => response.writeHead(410).end()));
    const present = await openReceiver();
    const webhook = await addWebhook(app, { url: former.url, types: ['order.created'] });
    await placeOrder(app);
    await former.until(1);
    await app.patch(`/v1/webhooks/${webhook.id}`, { as: 'ada', body: { url: present.url } });
    release();
    await waitUntil(
      async () => (await deliveriesOf(app, webhook.id))[0]?.attempts.length === 2,
      'the next attempt',
    );
    expect((await app.get(`/v1/webhooks/${webhook.id}`, { as: 'ada' })).body).toMatchObject({
      enabled: true,
    });
    app.clock.advance(LONGEST_PAUSE);
    app.signOutAll();
    const [message] = await present.until(1);
    expect(message?.id).toBe(former.received[0]?.id);
    await settled(app, webhook.id, 'delivered');
  });

  test('an attempt that is claimed while the webhook is disabled is not made', async () => {
    const receiver = await openReceiver(answerWith(500));
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    await receiver.until(1);
    await waitUntil(
      async () => (await deliveriesOf(app, webhook.id))[0]?.attempts.length === 2,
      'the next attempt',
    );
    await app.patch(`/v1/webhooks/${webhook.id}`, { as: 'ada', body: { enabled: false } });
    // As for a dispatcher that searched before the change.
    const later = new Date(app.clock().getTime() + LONGEST_PAUSE);
    const claimed = await engine.database.transaction((tx) =>
      claimAttempts(tx, { org: 'acme', webhookId: webhook.id }, 1, later, later),
    );
    expect(claimed).toEqual([]);
  });
});
