/**
 * Deliveries of webhooks: contents, schedule and retries. The server's clock stands still unless a test
 * advances it.
 */
import { beforeAll, expect, test } from 'vitest';
import { SCHEDULE } from '../../src/webhooks/schedule.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import {
  addWebhook,
  deliveriesOf,
  LONGEST_PAUSE,
  passPause,
  settled,
  verified,
} from '../support/fixtures/webhooks.ts';
import { waitUntil } from '../support/process.ts';
import { answerWith, manageReceivers, type Received } from '../support/webhook-receiver.ts';

const LOOPBACK = { allowLoopback: true, poll: 10 };

describeEachEngine('delivering webhooks', (engine) => {
  const app = startApp(engine, { webhooks: LOOPBACK });
  const openReceiver = manageReceivers();

  beforeAll(() => app.webhooks.start());

  test('a message is the feed item, signed, and sent once', async () => {
    const receiver = await openReceiver();
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    const order = await placeOrder(app);
    const [message] = await receiver.until(1);
    if (!message) throw new Error('No message came.');
    const delivery = await settled(app, webhook.id, 'delivered');
    expect(verified(webhook.secret, message, app.clock())).toEqual({
      type: 'order.created',
      timestamp: app.clock().toISOString(),
      data: {
        id: delivery.event_id,
        type: 'order.created',
        actor_id: 1,
        subject: { type: 'order', id: order.id },
        data: { user_id: 1, status: 'pending', total: expect.any(Number), currency: 'USD' },
        created_at: app.clock().toISOString(),
      },
    });
    expect(message.path).toBe('/hooks');
    expect(message.headers).toMatchObject({
      'webhook-id': delivery.message_id,
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Portico/),
    });
    expect(delivery.attempts).toEqual([
      expect.objectContaining({ number: 1, trigger: 'schedule', status: 204, error: null, answer: '' }),
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test('a message that fails three times is sent a fourth time with the same webhook-id, and then no more', async () => {
    const receiver = await openReceiver(answerWith(500, 404, 503, 200));
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    for (const attempts of [1, 2, 3]) {
      await receiver.until(attempts);
      await passPause(app, webhook.id, attempts);
    }
    await receiver.until(4);
    const delivery = await settled(app, webhook.id, 'delivered');
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([delivery.message_id]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const last = receiver.received[3];
    if (!last) throw new Error('No fourth message came.');
    expect(verified(webhook.secret, last, app.clock())).toMatchObject({ type: 'order.created' });
    expect(delivery.attempts.map(({ number, status, error }) => [number, status, error])).toEqual([
      [1, 500, 'status'],
      [2, 404, 'status'],
      [3, 503, 'status'],
      [4, 200, null],
    ]);
    app.clock.advance(LONGEST_PAUSE);
    app.signOutAll();
    expect(receiver.received).toHaveLength(4);
  });

  test('the delays follow the schedule', async () => {
    const receiver = await openReceiver(answerWith(500));
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    const pauses: number[] = [];
    for (const number of SCHEDULE.keys()) {
      await waitUntil(
        async () =>
          typeof (await deliveriesOf(app, webhook.id))[0]?.attempts[number]?.finished_at === 'string',
        `the end of attempt ${number + 1}`,
      );
      const [delivery] = await deliveriesOf(app, webhook.id);
      const next = delivery?.attempts[number + 1];
      if (!next) break;
      const pause = Date.parse(next.due_at) - app.clock().getTime();
      pauses.push(pause);
      app.clock.advance(pause);
      app.signOutAll();
    }
    for (const [index, pause] of pauses.entries()) {
      expect(pause / (SCHEDULE[index + 1] ?? 0)).toBeGreaterThanOrEqual(0.9);
      expect(pause / (SCHEDULE[index + 1] ?? 0)).toBeLessThanOrEqual(1.1);
    }
    expect(pauses).toHaveLength(9);
    expect(receiver.received).toHaveLength(10);
    // No other message was accepted in that time.
    const response = await app.get(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
    expect(response.body).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const [event] = (await app.events()).filter(({ type }) => type === 'webhook.disabled').slice(-1);
    expect(event).toMatchObject({
      org: 'acme',
      actorId: null,
      subjectId: webhook.id,
      data: { reason: 'failing' },
    });
  });

  test('a redirect is a failed attempt and is not followed', async () => {
    const elsewhere = await openReceiver();
    const receiver = await openReceiver((response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    await receiver.until(1);
    await waitUntil(
      async () => (await deliveriesOf(app, webhook.id))[0]?.attempts[0]?.error === 'redirect',
      'the attempt to fail',
    );
    expect(elsewhere.received).toEqual([]);
  });

  test('410 disables the webhook, with an event', async () => {
    const receiver = await openReceiver(answerWith(410));
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    const delivery = await settled(app, webhook.id, 'failed');
    expect(delivery.attempts).toHaveLength(1);
    expect((await app.get(`/v1/webhooks/${webhook.id}`, { as: 'ada' })).body).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    });
    expect((await app.events()).at(-1)).toMatchObject({
      type: 'webhook.disabled',
      data: { reason: 'gone' },
    });
    await placeOrder(app);
    // Once enabled again, it receives the messages that it missed.
    receiver.answer(answerWith(200));
    await app.patch(`/v1/webhooks/${webhook.id}`, { as: 'ada', body: { enabled: true } });
    await receiver.until(2);
    expect(await settled(app, webhook.id, 'delivered')).not.toMatchObject({ id: delivery.id });
  });

  test('Retry-After delays the next attempt', async () => {
    const receiver = await openReceiver((response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    await waitUntil(async () => {
      const [delivery] = await deliveriesOf(app, webhook.id);
      return Date.parse(delivery?.attempts[1]?.due_at ?? '') === app.clock().getTime() + 3_600_000;
    }, 'an attempt in an hour');
  });

  test('after a rotation both secrets verify, and after a day only the new one', async () => {
    const receiver = await openReceiver();
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    const rotated = await app.post<{ secret: string }>(`/v1/webhooks/${webhook.id}/secret`, { as: 'ada' });
    expect(rotated.status).toBe(201);
    expect(rotated.body.secret).not.toBe(webhook.secret);
    await placeOrder(app);
    const [first] = await receiver.until(1);
    if (!first) throw new Error('No message came.');
    expect(first.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [webhook.secret, rotated.body.secret]) {
      expect(verified(secret, first, app.clock())).toMatchObject({ type: 'order.created' });
    }
    await settled(app, webhook.id, 'delivered');
    app.clock.advance(24 * 3_600_000);
    app.signOutAll();
    await placeOrder(app);
    const [, second] = await receiver.until(2);
    if (!second) throw new Error('No second message came.');
    expect(verified(rotated.body.secret, second, app.clock())).toMatchObject({ type: 'order.created' });
    expect(() => verified(webhook.secret, second, app.clock())).toThrow('No matching signature');
    await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
  });

  test('each webhook receives the subscribed types of its own organisation, from its creation on', async () => {
    await placeOrder(app);
    const all = await openReceiver();
    const some = await openReceiver();
    const other = await openReceiver();
    const webhooks = [
      await addWebhook(app, { url: all.url, types: ['*'] }),
      await addWebhook(app, { url: some.url, types: ['document.*', 'order.deleted'] }),
    ];
    await addWebhook(app, { url: other.url, types: ['*'], as: 'gil' });
    const order = await placeOrder(app);
    await app.delete(`/v1/orders/${order.id}`, { as: 'ada' });
    const body = { title: 'Plan', body: 'Secret', classification: 'confidential' };
    await app.post('/v1/orgs/acme/docs', { as: 'ed', body });
    await all.until(5);
    await some.until(2);
    const typesOf = (received: readonly Received[]) =>
      received.map(({ body: text }) => JSON.parse(text).type).toSorted();
    expect(typesOf(all.received)).toEqual([
      'document.created',
      'order.created',
      'order.deleted',
      'webhook.created',
      'webhook.created',
    ]);
    expect(typesOf(some.received)).toEqual(['document.created', 'order.deleted']);
    expect(typesOf(await other.until(1))).toEqual(['webhook.created']);
    expect(all.received.map(({ body: text }) => text).join()).not.toContain('globex');
    for (const { id } of webhooks) await app.delete(`/v1/webhooks/${id}`, { as: 'ada' });
  });

  test('a manual delivery sends a message again with the same webhook-id, once', async () => {
    const receiver = await openReceiver();
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    const delivery = await settled(app, webhook.id, 'delivered');
    const path = `/v1/webhooks/${webhook.id}/deliveries/${delivery.id}/attempts`;
    receiver.answer(answerWith(500));
    const response = await app.post(path, { as: 'ada' });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ number: 2, trigger: 'redelivery', started_at: null });
    await receiver.until(2);
    expect(receiver.received[1]?.id).toBe(delivery.message_id);
    await waitUntil(
      async () => (await deliveriesOf(app, webhook.id))[0]?.attempts[1]?.error === 'status',
      'the attempt to fail',
    );
    // The message stays delivered; no further attempt follows.
    const after = await settled(app, webhook.id, 'delivered');
    expect(after.attempts).toHaveLength(2);
    await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
  });

  test('a manual delivery makes a pending attempt at once', async () => {
    const receiver = await openReceiver(answerWith(500, 500, 200));
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    const attempts = (count: number) =>
      waitUntil(
        async () => (await deliveriesOf(app, webhook.id))[0]?.attempts.length === count,
        `attempt ${count} to be due later`,
      );
    await attempts(2);
    const [delivery] = await deliveriesOf(app, webhook.id);
    const path = `/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/attempts`;
    expect((await app.post(path, { as: 'ada' })).body).toMatchObject({ number: 2, trigger: 'redelivery' });
    await receiver.until(2);
    // It takes the place of the scheduled attempt, so the next one is that of the schedule.
    await attempts(3);
    const left = `select number, trigger, retries_left from webhook_attempts where delivery_id = ${delivery?.id} order by number`;
    const rows = (await engine.place.query(left)).map((row) => [row['trigger'], Number(row['retries_left'])]);
    expect(rows).toEqual([
      ['schedule', 9],
      ['redelivery', 8],
      ['schedule', 7],
    ]);
    await passPause(app, webhook.id, 2);
    await receiver.until(3);
    expect((await settled(app, webhook.id, 'delivered')).attempts).toHaveLength(3);
    await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
  });

  test('a webhook that is deleted during an attempt receives nothing more', async () => {
    const held: (() => void)[] = [];
    const receiver = await openReceiver((response) => {
      held.push(() => response.writeHead(500).end());
    });
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    await receiver.until(1);
    expect((await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' })).status).toBe(204);
    for (const respond of held) respond();
    app.clock.advance(LONGEST_PAUSE);
    app.signOutAll();
    // Another webhook shows that enough time has passed.
    const other = await openReceiver();
    const witness = await addWebhook(app, { url: other.url, types: ['order.created'] });
    await placeOrder(app);
    await other.until(1);
    expect(receiver.received).toHaveLength(1);
    await app.delete(`/v1/webhooks/${witness.id}`, { as: 'ada' });
  });

  test('the server logs no error and no secret', () => {
    const lines = app.log.map((line): Record<string, unknown> => JSON.parse(line));
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    expect(app.log.join('\n')).not.toContain('whsec_');
  });
});
