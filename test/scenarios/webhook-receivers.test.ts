/** Limits on webhook receivers: the resources that a receiver can take, and forbidden targets. */
import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addWebhook, deliveriesOf, LONGEST_PAUSE, settled } from '../support/fixtures/webhooks.ts';
import { waitUntil } from '../support/process.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';

const PUBLIC = '93.184.215.14';
const pem = (name: string) => readFile(new URL(`webhook-receivers/${name}.pem`, import.meta.url), 'utf8');
const CA = await pem('ca');
const TLS = { key: await pem('key'), cert: await pem('cert') };

/** The addresses that each name resolves to; other names do not resolve. */
const names = new Map<string, readonly string[]>();
const resolve = async (name: string) => {
  const addresses = names.get(name);
  if (!addresses) throw new Error('ENOTFOUND');
  return addresses;
};

describeEachEngine('silent receivers of webhooks', (engine) => {
  const app = startApp(engine, {
    webhooks: {
      allowLoopback: true,
      poll: 10,
      // Enough for the silent receivers and, on a busy machine, for the other one.
      concurrency: { slots: 4, slowSlots: 100, prompt: 200 },
      // The attempts end after the test.
      timeout: 600_000,
    },
  });
  const openReceiver = manageReceivers();

  test('do not delay the others, even if there are more of them than slots', async () => {
    const silent = await openReceiver(() => {});
    const prompt = await openReceiver();
    for (let count = 0; count < 3; count += 1) {
      await addWebhook(app, { url: silent.url, types: ['order.created'] });
    }
    await addWebhook(app, { url: prompt.url, types: ['order.created'] });
    // More than all slots, and more than the concurrent attempts for one webhook, for each of them.
    for (let order = 0; order < 6; order += 1) await placeOrder(app);
    app.webhooks.start();
    await prompt.until(6);
    expect(silent.received.length).toBeGreaterThan(4);
    expect(silent.received.length).toBeLessThanOrEqual(3 * LIMITS.webhookConcurrency);
  });
});

describeEachEngine('slow receivers of webhooks', (engine) => {
  const app = startApp(engine, { webhooks: { allowLoopback: true, poll: 10, timeout: 1000 } });
  const openReceiver = manageReceivers();

  beforeAll(() => app.webhooks.start());

  test('that never respond are limited to a second here', async () => {
    const silent = await openReceiver(() => {});
    const webhook = await addWebhook(app, { url: silent.url, types: ['order.created'] });
    // More messages than the number of concurrent attempts for one webhook.
    for (let order = 0; order < 6; order += 1) await placeOrder(app);
    await waitUntil(async () => {
      const deliveries = await deliveriesOf(app, webhook.id);
      return deliveries.length === 6 && deliveries.every(({ attempts }) => attempts[0]?.error === 'timeout');
    }, 'all to take too long');
    const [delivery] = await deliveriesOf(app, webhook.id);
    expect(delivery?.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(990);
    expect(delivery?.attempts[0]?.duration_ms).toBeLessThan(LIMITS.webhookTimeout);
    await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
  });

  test('that take too long for their body are limited to a second, and their status counts', async () => {
    const receiver = await openReceiver((response) => {
      response.writeHead(202);
      const timer = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await placeOrder(app);
    // On a busy machine, the status may be too late as well; the next attempt is then due.
    await waitUntil(async () => {
      const [delivery] = await deliveriesOf(app, webhook.id);
      if (delivery?.attempts.some(({ error }) => error === 'timeout')) {
        app.clock.advance(LONGEST_PAUSE);
        app.signOutAll();
      }
      return delivery?.status === 'delivered';
    }, 'the message to be delivered');
    const { attempts } = await settled(app, webhook.id, 'delivered');
    const last = attempts.at(-1);
    expect(last).toMatchObject({ status: 202, error: null, answer: expect.stringMatching(/^\.+$/) });
    expect(last?.duration_ms).toBeLessThan(LIMITS.webhookTimeout);
  });
});

describeEachEngine('receivers of webhooks', (engine) => {
  const webhooks = { allowLoopback: true, poll: 10, resolve, ca: CA };
  const app = startApp(engine, { webhooks });
  const openReceiver = manageReceivers();

  beforeAll(() => app.webhooks.start());
  beforeEach(() => names.clear());

  describe('the cost of a receiver', () => {
    test('with an endless response is limited to 64 KiB, one of which is stored', async () => {
      let written = 0;
      const receiver = await openReceiver((response) => {
        response.writeHead(500);
        const piece = Buffer.alloc(16 * 1024, 'a');
        const write = () => {
          if (response.destroyed) return;
          written += piece.length;
          response.write(piece, write);
        };
        write();
      });
      const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
      await placeOrder(app);
      await waitUntil(
        async () => (await deliveriesOf(app, webhook.id))[0]?.attempts[0]?.error === 'status',
        'the attempt to fail',
      );
      const [delivery] = await deliveriesOf(app, webhook.id);
      expect(delivery?.attempts[0]).toMatchObject({ status: 500, answer: 'a'.repeat(1024) });
      // Buffers of both kernels come on top.
      expect(written).toBeLessThan(8 * 1024 * 1024);
      await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
    });

    test('with endless interim responses is limited to ten of them', async () => {
      const receiver = await openReceiver((response) => {
        const write = () => {
          if (response.destroyed) return;
          response.writeProcessing();
          setImmediate(write);
        };
        write();
      });
      const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
      await placeOrder(app);
      await waitUntil(
        async () => (await deliveriesOf(app, webhook.id))[0]?.attempts[0]?.finished_at != null,
        'the attempt to fail',
      );
      const [delivery] = await deliveriesOf(app, webhook.id);
      expect(delivery?.attempts[0]).toMatchObject({ error: 'connection_failed', status: null });
      await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
    });
  });

  describe('messages are not sent', () => {
    /** Returns the first attempt at the newest event once it has ended. */
    async function firstAttempt(webhookId: number) {
      await placeOrder(app);
      await waitUntil(
        async () => (await deliveriesOf(app, webhookId))[0]?.attempts[0]?.finished_at != null,
        'the end of the first attempt',
      );
      const [delivery] = await deliveriesOf(app, webhookId);
      await app.delete(`/v1/webhooks/${webhookId}`, { as: 'ada' });
      return delivery?.attempts[0];
    }

    test.each([
      ['a private address', ['10.0.0.1']],
      ['a public and a private address', [PUBLIC, '192.168.0.1']],
      ["the address of a cloud's metadata", ['169.254.169.254']],
      ['a mapped loopback address', ['::ffff:127.0.0.1']],
    ])('to a name that now resolves to %s', async (_, addresses) => {
      names.set('hooks.example.com', [PUBLIC]);
      const webhook = await addWebhook(app, { url: 'https://hooks.example.com/', types: ['order.created'] });
      names.set('hooks.example.com', addresses);
      expect(await firstAttempt(webhook.id)).toMatchObject({
        error: 'target_refused',
        status: null,
        answer: null,
      });
    });

    test('to a name that does not resolve', async () => {
      const webhook = await addWebhook(app, { url: 'https://gone.example.com/', types: ['order.created'] });
      expect(await firstAttempt(webhook.id)).toMatchObject({ error: 'name_not_resolved' });
    });

    test('to a closed port', async () => {
      const receiver = await openReceiver();
      const url = `http://127.0.0.1:${receiver.port + 1 > 65_535 ? 1024 : receiver.port + 1}/`;
      const webhook = await addWebhook(app, { url, types: ['order.created'] });
      expect(await firstAttempt(webhook.id)).toMatchObject({ error: 'connection_failed' });
    });

    test('to a server with a certificate for another name', async () => {
      const receiver = await openReceiver(undefined, TLS);
      names.set('other.example.com', ['127.0.0.1']);
      const url = `https://other.example.com:${receiver.port}/`;
      const webhook = await addWebhook(app, { url, types: ['order.created'] });
      expect(await firstAttempt(webhook.id)).toMatchObject({ error: 'tls_failed' });
      expect(receiver.received).toEqual([]);
    });

    test('to a server without TLS', async () => {
      const receiver = await openReceiver();
      const webhook = await addWebhook(app, {
        url: receiver.url.replace('http:', 'https:'),
        types: ['order.created'],
      });
      expect(await firstAttempt(webhook.id)).toMatchObject({ error: 'tls_failed' });
    });
  });

  test('over TLS, a message goes to the checked address, with the name in the URL', async () => {
    const receiver = await openReceiver(undefined, TLS);
    names.set('hooks.example.com', ['127.0.0.1']);
    const url = `https://hooks.example.com:${receiver.port}/in`;
    const webhook = await addWebhook(app, { url, types: ['order.created'] });
    await placeOrder(app);
    await settled(app, webhook.id, 'delivered');
    expect(receiver.received[0]?.headers['host']).toBe(`hooks.example.com:${receiver.port}`);
    await app.delete(`/v1/webhooks/${webhook.id}`, { as: 'ada' });
  });

  test('none of this is logged as an error of the server', () => {
    const lines = app.log.map((line): Record<string, unknown> => JSON.parse(line));
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
