/** Webhooks when processes die, and with several processes. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { answerWith, manageReceivers } from '../support/webhook-receiver.ts';
import { Connection, idOf, signIn } from './client.ts';

const servers = manageServers();
const openReceiver = manageReceivers();

async function register(server: ServerProcess, url: string): Promise<Connection> {
  const client = new Connection(server.url, await signIn(server.url));
  const response = await client.send('POST', '/v1/webhooks', { url, types: ['order.created'] });
  expect(response.status, response.body).toBe(201);
  return client;
}

/** Attempts that have ended, and all attempts. */
async function attempts({ query }: TestDatabase): Promise<{ over: number; all: number }> {
  const [row] = await query(
    'select count(finished_at) as over_now, count(*) as all_now from webhook_attempts',
  );
  return { over: Number(row?.['over_now']), all: Number(row?.['all_now']) };
}

/** Moves the due times and leases of attempts into the past. */
const pass = ({ query, url }: TestDatabase, column: 'due_at' | 'leased_until') =>
  query(
    `update webhook_attempts set ${column} = ${url.startsWith('file:') ? '0' : 'to_timestamp(0)'} where finished_at is null`,
  );

/** Makes the attempts due that no server is changing: waiting for the others could be a deadlock. */
const passFree = ({ query }: TestDatabase) =>
  query(
    `update webhook_attempts set due_at = to_timestamp(0)
     where id in (select id from webhook_attempts where finished_at is null for update skip locked)`,
  );

describeEachEngine('webhooks of a server that stops', (engine) => {
  // Each test continues with the server of the one before, or starts one: only the database matters.
  const servers = manageServers(afterAll);
  let place: TestDatabase;
  let directory = '';
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    place = await engine.create('demo');
    directory = await servers.directory();
  });
  // Deletes pending messages, so that the next receiver starts empty.
  afterEach(async () => {
    for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks']) {
      await place.query(`delete from ${table}`);
    }
  });

  const running = async () => {
    server ??= await servers.start({
      env: { DATABASE_URL: place.url, WEBHOOK_ALLOW_LOOPBACK: '1' },
      directory,
    });
    return server;
  };
  const end = async (signal: NodeJS.Signals) => {
    const exit = await server?.end(signal);
    server = undefined;
    return exit;
  };

  engine.testConcurrent(
    'are taken over in the middle of an attempt after its lease, and not before',
    async () => {
      const receiver = await openReceiver(() => {});
      const client = await register(await running(), receiver.url);
      await client.placeOrder();
      await receiver.until(1);
      await end('SIGKILL');
      receiver.answer(answerWith(200));
      const { url } = await running();
      const other = new Connection(url, await signIn(url));
      // A later message shows that the server works; the earlier one is still leased to the process that died.
      await other.placeOrder();
      await receiver.until(2);
      expect(receiver.received[1]?.id).not.toBe(receiver.received[0]?.id);
      await pass(place, 'leased_until');
      await receiver.until(3);
      expect(receiver.received[2]?.id).toBe(receiver.received[0]?.id);
      await waitUntil(async () => (await attempts(place)).over === 2, 'the attempts to be written');
      client.close();
      other.close();
    },
  );

  // Leases depend on the engine; the rest does not.
  if (!runsAllCases(engine)) return;

  engine.testConcurrent('are retried on schedule between attempts', async () => {
    const receiver = await openReceiver(answerWith(500, 500, 200));
    const client = await register(await running(), receiver.url);
    idOf(await client.placeOrder());
    // The second server continues the schedule of one that made only a first attempt, and the third that of
    // one that had taken it over.
    for (const number of [1, 2]) {
      await receiver.until(number);
      // The failed attempt has been stored, and the next one is pending.
      await waitUntil(async () => (await attempts(place)).all === number + 1, 'the next attempt');
      await end('SIGKILL');
      await pass(place, 'due_at');
      await running();
    }
    await receiver.until(3);
    await waitUntil(async () => (await attempts(place)).over === 3, 'the last attempt to be written');
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await place.query('select status from webhook_deliveries')).toEqual([{ status: 'delivered' }]);
    expect(await attempts(place)).toEqual({ over: 3, all: 3 });
    client.close();
  });

  engine.testConcurrent('are released at once by a graceful shutdown', async () => {
    const receiver = await openReceiver(() => {});
    const client = await register(await running(), receiver.url);
    await client.placeOrder();
    await receiver.until(1);
    client.close();
    expect(await end('SIGTERM')).toEqual({ code: 0, signal: null });
    receiver.answer(answerWith(200));
    await running();
    await receiver.until(2);
    await waitUntil(async () => (await attempts(place)).over === 1, 'the attempt to be written');
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await attempts(place)).toEqual({ over: 1, all: 1 });
  });
});

describeEachEngine(
  'webhooks of two instances',
  (engine) => {
    engine.testConcurrent('are attempted once each', async () => {
      const place = await engine.create('demo');
      const directory = await servers.directory();
      const receiver = await openReceiver((response, index) => {
        // Some fail, so that second attempts are distributed as well.
        response.writeHead(index % 4 === 0 ? 500 : 200).end();
      });
      const options = { env: { DATABASE_URL: place.url, WEBHOOK_ALLOW_LOOPBACK: '1' }, directory };
      const [first, second] = await Promise.all([servers.start(options), servers.start(options)]);
      const client = await register(first, receiver.url);
      const clients = [client, new Connection(second.url, await signIn(second.url))];
      await Promise.all(
        clients.map(async (one) => {
          for (let order = 0; order < 40; order += 1) expect((await one.placeOrder()).status).toBe(201);
        }),
      );
      await waitUntil(async () => (await attempts(place)).over >= 80, '80 attempts');
      await waitUntil(async () => {
        const { over, all } = await attempts(place);
        if (over < all) await passFree(place);
        return over === all;
      }, 'all attempts to be over');
      expect(await attempts(place)).toEqual({
        over: receiver.received.length,
        all: receiver.received.length,
      });
      const [deliveries] = await place.query(
        "select cast(count(*) as integer) as all_now, cast(count(distinct event_id) as integer) as events from webhook_deliveries where status = 'delivered'",
      );
      expect(deliveries).toEqual({ all_now: 80, events: 80 });
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(80);
      for (const one of clients) one.close();
    });
  },
  'postgres',
);
