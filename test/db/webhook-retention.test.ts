import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { insertAttempts } from '../../src/db/queries/webhook-attempts.ts';
import { insertDeliveries } from '../../src/db/queries/webhook-deliveries.ts';
import { removeOldDeliveries } from '../../src/db/queries/webhook-retention.ts';
import { insertWebhook } from '../../src/db/queries/webhooks.ts';
import { describeEachEngine } from '../support/engines.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const org = 'acme';

/** Milliseconds in which a search for old deliveries ends. */
const SEARCH_TIME = 200;

describeEachEngine('retention of deliveries', (engine) => {
  beforeAll(async () => {
    const now = engine.name === 'sqlite' ? '0' : 'now()';
    await engine.place.query(
      `insert into organisations (id, name, created_at) values ('${org}', 'Acme', ${now})`,
    );
    const webhook = {
      org,
      url: 'https://example.com/',
      types: ['*'],
      appId: null,
      lastEventId: 0,
      now: day(1),
    };
    await engine.database.transaction(async (tx) => {
      const { id: webhookId } = await insertWebhook(tx, webhook, () => '');
      for (const number of [1, 2, 3, 4]) {
        const delivery = { eventId: number, eventType: 'order.created', messageId: `msg_${number}` };
        const ids = await insertDeliveries(tx, { id: webhookId, org }, [delivery], day(number));
        const attempt = {
          org,
          webhookId,
          number: 1,
          trigger: 'schedule',
          retriesLeft: 0,
          dueAt: day(1),
        } as const;
        await insertAttempts(
          tx,
          ids.map((deliveryId) => ({ ...attempt, deliveryId })),
        );
      }
    });
  });

  /** A read sees commits of other connections from before its turn of the event loop. */
  async function write(sql: string): Promise<void> {
    await engine.place.query(sql);
    await nextTurn();
  }

  const left = async () => {
    const rows = await engine.place.query(`select message_id from webhook_deliveries d
      where exists (select 1 from webhook_attempts a where a.delivery_id = d.id) order by id`);
    const [attempts] = await engine.place.query('select count(*) as attempts from webhook_attempts');
    return { messages: rows.map((row) => row['message_id']), attempts: Number(attempts?.['attempts']) };
  };

  test('keeps them while an attempt is pending, until their webhook is deleted', async () => {
    expect(await removeOldDeliveries(engine.database, day(5), 10)).toBe(0);
    expect(await left()).toMatchObject({ attempts: 4 });
  });

  test('deletes them with their attempts, the oldest first, in batches', async () => {
    await write('update webhook_attempts set finished_at = due_at');
    expect(await removeOldDeliveries(engine.database, day(4), 2)).toBe(2);
    expect(await left()).toEqual({ messages: ['msg_3', 'msg_4'], attempts: 2 });
    expect(await removeOldDeliveries(engine.database, day(4), 2)).toBe(1);
    expect(await removeOldDeliveries(engine.database, day(4), 2)).toBe(0);
    expect(await left()).toEqual({ messages: ['msg_4'], attempts: 1 });
  });

  test('keeps one that is redelivered while old deliveries are searched', async () => {
    const [last] = await engine.place.query('select id, webhook_id from webhook_deliveries');
    const [deliveryId, webhookId] = [Number(last?.['id']), Number(last?.['webhook_id'])];
    const again = { number: 2, trigger: 'redelivery', retriesLeft: 0, dueAt: day(5) } as const;
    const inserted = Promise.withResolvers<void>();
    const redelivered = engine.database.transaction(async (tx) => {
      await insertAttempts(tx, [{ org, deliveryId, webhookId, ...again }]);
      inserted.resolve();
      // The search runs before the commit, which it does not see.
      await sleep(SEARCH_TIME);
    });
    await inserted.promise;
    expect(await removeOldDeliveries(engine.database, day(5), 10)).toBe(0);
    await redelivered;
    expect(await left()).toEqual({ messages: ['msg_4'], attempts: 2 });
  });

  test('deletes those of a deleted webhook although an attempt is pending', async () => {
    expect(await removeOldDeliveries(engine.database, day(5), 10)).toBe(0);
    const now = engine.name === 'sqlite' ? '0' : 'now()';
    await write(`update webhooks set deleted_at = ${now}`);
    expect(await removeOldDeliveries(engine.database, day(5), 10)).toBe(1);
    expect(await left()).toEqual({ messages: [], attempts: 0 });
  });
});
