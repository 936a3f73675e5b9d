/** An event recorded by one instance wakes the instance that delivers webhooks, through Redis. */
import type { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { createWakes } from '../../src/cluster/wakes.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { createMetrics } from '../../src/observability/prometheus.ts';
import { Dispatcher } from '../../src/webhooks/dispatcher.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addWebhook } from '../support/fixtures/webhooks.ts';
import { waitUntil } from '../support/process.ts';
import { connectPatiently, manageRedis } from '../support/redis.ts';

/** Milliseconds: longer than the test, so that the dispatcher searches only when it is woken. */
const NEVER = 3_600_000;

const redisServers = manageRedis();
const opened: Redis[] = [];
afterEach(() => {
  for (const redis of opened.splice(0)) redis.disconnect();
});

async function connect(url: string): Promise<Redis> {
  const redis = await connectPatiently(url);
  opened.push(redis);
  return redis;
}

describeEachEngine('webhooks of several instances', (engine) => {
  const served: OpenDatabase[] = [];
  const around = (database: OpenDatabase) => {
    served.push(database);
    return database;
  };
  const app = startApp(engine, { around });

  test('are sent at once for events of another instance', async ({ skip }) => {
    const { url } = await redisServers.start(skip);
    const [ofApp] = served;
    if (!ofApp) throw new Error('The application has no database.');
    const recording = createWakes({ database: ofApp, redis: await connect(url) });
    const database = await engine.open({});
    const wakes = createWakes({ database, redis: await connect(url) });
    const sent: string[] = [];
    const failures: unknown[] = [];
    const dispatcher = new Dispatcher({
      database,
      wakes,
      clock: app.clock,
      vault: app.services.vault,
      metrics: createMetrics(),
      poll: NEVER,
      send: async ({ body }) => {
        sent.push(JSON.parse(body).type);
        return { error: null, status: 204, answer: '', retryAfter: undefined };
      },
      onFailure: (error) => failures.push(error),
    });
    await addWebhook(app, { types: ['order.created'] });
    dispatcher.start();
    const [redis] = opened;
    const subscribers = async () => Number((await redis?.pubsub('NUMSUB', 'portico:log'))?.[1]);
    await waitUntil(async () => (await subscribers()) === 2, 'both instances to listen');
    await placeOrder(app);
    await waitUntil(() => sent.length === 1, 'the message');
    expect(sent).toEqual(['order.created']);
    expect(failures).toEqual([]);
    await dispatcher.stop();
    recording.close();
    wakes.close();
    await database.close();
  });
});
