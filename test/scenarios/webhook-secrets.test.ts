/** Signing secrets of webhooks in the database: readable only with the key file. */
import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { sealWebhookSecrets } from '../../src/db/queries/webhooks.ts';
import { command } from '../commands/command.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import {
  addWebhook,
  type CreatedWebhook,
  deliveriesOf,
  LONGEST_PAUSE,
  settled,
  verified,
} from '../support/fixtures/webhooks.ts';
import { waitUntil } from '../support/process.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';

describeEachEngine('the secret of a webhook', (engine) => {
  const app = startApp(engine, { webhooks: { allowLoopback: true, poll: 10 } });
  const openReceiver = manageReceivers();

  beforeAll(() => app.webhooks.start());

  async function kept({ id }: CreatedWebhook): Promise<{ secret: string; former: string | null }> {
    const [row] = await engine.place.query(`select secret, former_secret from webhooks where id = ${id}`);
    const former = row?.['former_secret'];
    return { secret: String(row?.['secret']), former: former == null ? null : String(former) };
  }

  /**
   * Runs queries through the server's code: direct access would block this process while the server, in the
   * same process, holds the file.
   */
  async function keep(webhook: CreatedWebhook, secret: string): Promise<void> {
    const { secret: from } = await kept(webhook);
    const secrets = { id: webhook.id, org: 'acme', secret, formerSecret: null };
    await engine.database.transaction((tx) => sealWebhookSecrets(tx, { ...secrets, from }));
  }

  const newestKid = () => app.keys.namedSecret('any').kid;

  async function begin() {
    const receiver = await openReceiver();
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    /** Sends a message. @returns what the receiver got. */
    const message = async () => {
      const before = receiver.received.length;
      await placeOrder(app);
      await receiver.until(before + 1);
      await settled(app, webhook.id, 'delivered');
      const received = receiver.received[before];
      if (!received) throw new Error('No message came.');
      return received;
    };
    const isSignedWith = async (...secrets: string[]) => {
      const received = await message();
      for (const secret of secrets) {
        expect(verified(secret, received, app.clock())).toMatchObject({ type: 'order.created' });
      }
    };
    return { webhook, isSignedWith };
  }

  test('is stored encrypted, and so is its successor', async () => {
    const { webhook, isSignedWith } = await begin();
    expect(await kept(webhook)).toEqual({
      secret: expect.stringMatching(`^sealed:v1:${newestKid()}:`),
      former: null,
    });
    await isSignedWith(webhook.secret);
    const response = await app.post<{ secret: string }>(`/v1/webhooks/${webhook.id}/secret`, { as: 'ada' });
    expect(await kept(webhook)).toEqual({
      secret: expect.stringMatching('^sealed:v1:'),
      former: expect.stringMatching('^sealed:v1:'),
    });
    await isSignedWith(webhook.secret, response.body.secret);
  });

  test('that an earlier version stored unencrypted still signs, and is encrypted later', async () => {
    const { webhook, isSignedWith } = await begin();
    await keep(webhook, webhook.secret);
    await isSignedWith(webhook.secret);
    const response = await app.post<{ secret: string }>(`/v1/webhooks/${webhook.id}/secret`, { as: 'ada' });
    expect(await kept(webhook)).toMatchObject({ former: webhook.secret });
    await app.janitor.sweep();
    expect(await kept(webhook)).toEqual({
      secret: expect.stringMatching(`^sealed:v1:${newestKid()}:`),
      former: expect.stringMatching(`^sealed:v1:${newestKid()}:`),
    });
    await isSignedWith(webhook.secret, response.body.secret);
  });

  test('survives a key rotation: it is encrypted with the newest key', async () => {
    const { webhook, isSignedWith } = await begin();
    const before = newestKid();
    await app.rotateKeys();
    expect(newestKid()).not.toBe(before);
    await isSignedWith(webhook.secret);
    expect((await kept(webhook)).secret).toMatch(`sealed:v1:${before}:`);

    const environment = { DATABASE_URL: engine.place.url, AUTH_KEYS_FILE: app.keyFile };
    const { code, out } = await resealed(environment);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/secrets of (1 webhook|(?!1 )\d+ webhooks) /),
    });
    expect((await kept(webhook)).secret).toMatch(`sealed:v1:${newestKid()}:`);
    const { keys } = JSON.parse(await readFile(app.keyFile, 'utf8'));
    await writeFile(app.keyFile, JSON.stringify({ keys: keys.slice(0, 1) }));
    await app.keys.reload();
    app.signOutAll();
    await isSignedWith(webhook.secret);
  });

  /** PGlite has one connection, which the server holds, so there the janitor does the work of the command. */
  async function resealed(environment: Record<string, string>) {
    if (engine.concurrent) return command(['keys', 'reseal'], { environment });
    await app.janitor.sweep();
    return { code: 0, out: 'The secrets of 1 webhook ' };
  }

  test('whose key is lost delays deliveries until there is a new secret, and is reported', async () => {
    const receiver = await openReceiver();
    const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
    await keep(webhook, `sealed:v1:gone:${'A'.repeat(60)}`);
    await placeOrder(app);
    await waitUntil(async () => {
      const [delivery] = await deliveriesOf(app, webhook.id);
      return delivery?.attempts[0]?.finished_at != null;
    }, 'the first attempt to be over');
    const [delivery] = await deliveriesOf(app, webhook.id);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ error: 'interrupted' }, { finished_at: null }],
    });
    expect(receiver.received).toEqual([]);
    await app.janitor.sweep();
    const reports = app.log.map((line) => JSON.parse(line)).filter(({ webhooks }) => webhooks);
    expect(reports.at(-1)).toMatchObject({ level: 50, webhooks: [webhook.id] });

    const response = await app.post<{ secret: string }>(`/v1/webhooks/${webhook.id}/secret`, { as: 'ada' });
    app.clock.advance(LONGEST_PAUSE);
    app.signOutAll();
    const [message] = await receiver.until(1);
    if (!message) throw new Error('No message came.');
    expect(verified(response.body.secret, message, app.clock())).toMatchObject({ type: 'order.created' });

    // The lost secret is the former one now, and keeps neither the new one under an old key nor the webhook among the reported ones.
    const before = app.log.length;
    await app.rotateKeys();
    await app.janitor.sweep();
    expect(await kept(webhook)).toEqual({
      secret: expect.stringMatching(`^sealed:v1:${newestKid()}:`),
      former: expect.stringMatching('^sealed:v1:gone:'),
    });
    expect(app.log.slice(before).filter((line) => JSON.parse(line).webhooks)).toEqual([]);
  });
});
