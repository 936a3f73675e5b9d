/**
 * Deliveries cost points of the subscriber, through every kind of stream, and no event is lost for lack of
 * points.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import WebSocket from 'ws';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Person } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { waitUntil } from '../support/process.ts';
import { endOfLog, openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';
import { membersOf } from '../support/test-doubles.ts';

const POINTS = 500;
const PER_SECOND = 100;

const DOCUMENT = 'subscription { activity { id actor { id } subject { id } } }';
/** For the event, its actor and its subject. */
const COST = 3;

/** A followed stream, with the ids of its events. */
interface Followed {
  readonly ids: () => number[];
  readonly isOpen: () => boolean;
  stop(): void;
}

interface StreamDoor {
  readonly name: string;
  /** Points of one event. */
  readonly cost: number;
  follow(app: TestApp, person: Person): Promise<Followed>;
}

async function followEvents(app: TestApp, path: string, person: Person, asked?: string): Promise<Followed> {
  const { token } = await app.signIn(person);
  const stream = await openEventStream(app.url + path, token, {}, asked);
  expect(stream.answer.statusCode).toBe(200);
  await waitUntil(() => stream.lastId !== undefined, 'the headers of the stream');
  return {
    ids: () =>
      [...stream.text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => {
        const event = JSON.parse(data);
        return Number(event.id ?? event.data.activity.id);
      }),
    isOpen: () => !stream.ended,
    stop: () => stream.stop(),
  };
}

/** Sends a subscription. It has begun, and has paid for that, or was refused, when this resolves. */
async function begin(app: TestApp, client: SocketClient, id: string, document: string): Promise<void> {
  const handled = async () => {
    const metrics = readMetrics((await app.get('/metrics')).text);
    return sumOf(metrics, 'portico_graphql_operations_total', { door: 'websocket', type: 'subscription' });
  };
  const before = await handled();
  client.send(subscribe(id, document));
  await waitUntil(async () => (await handled()) > before, 'the stream');
}

/** Opens a WebSocket with a stream after a position. */
async function followFrom(app: TestApp, person: Person, after: string): Promise<SocketClient> {
  const { token } = await app.signIn(person);
  const client = await new SocketClient(app.port).open({ accessToken: token });
  await begin(app, client, 'a', DOCUMENT.replace('activity', `activity(after: "${after}")`));
  return client;
}

const STREAM_DOORS: readonly StreamDoor[] = [
  {
    name: 'WebSocket',
    cost: COST,
    async follow(app, person) {
      const client = await followFrom(app, person, await endOfLog(app, person));
      return {
        ids: () =>
          client.messages
            .filter(({ id, type }) => id === 'a' && type === 'next')
            // The payload of a result.
            .map(({ payload }) =>
              Number((payload as { data: { activity: { id: string } } }).data.activity.id),
            ),
        isOpen: () => client.closed === undefined,
        stop: () => client.socket.close(),
      };
    },
  },
  {
    name: 'GraphQL over server-sent events',
    cost: COST,
    follow: (app, person) => followEvents(app, '/graphql', person, DOCUMENT),
  },
  { name: 'GET /feed', cost: 2, follow: (app, person) => followEvents(app, '/feed', person) },
];

describeEachEngine('streams', (engine) => {
  /** Resolves when the log may be read for streams that are behind. */
  let readable = Promise.resolve();
  const app = startApp(engine, {
    budget: { points: POINTS, perSecond: PER_SECOND },
    around: (database) => ({
      ...membersOf(database),
      async run(statement, ...rest) {
        if (statement.name === 'events.newest') await readable;
        return database.run(statement, ...rest);
      },
    }),
  });
  afterEach(() => app.clock.advance((POINTS / PER_SECOND) * 1000));

  /** The remaining points of a caller; reading them costs one point. */
  async function left(as: Person): Promise<number> {
    const { headers } = await app.get('/v1/orders/nothing', { as });
    return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  }

  /** Causes an event, at the expense of another caller than the follower. */
  async function happen(): Promise<void> {
    const body = { items: [{ product_id: 1, qty: 1 }] };
    expect((await app.post('/v1/users/1/orders', { as: 'ada', body })).status).toBe(201);
  }

  /** Uses up the points of a caller. */
  async function spendAll(as: Person): Promise<void> {
    while ((await app.get('/v1/products?limit=100', { as })).status !== 429);
    while ((await left(as)) > 0);
  }

  test('a stream that catches up without points waits, and those at the same position do not', async () => {
    const after = await endOfLog(app, 'ada');
    // So many that reading them costs a point.
    const all = LIMITS.eventsReadPerPoint;
    for (let count = 0; count < all; count += 1) await happen();
    const held = Promise.withResolvers<void>();
    readable = held.promise;
    const clients: SocketClient[] = [];
    for (const person of ['ed', 'vic'] as const) {
      clients.push(await followFrom(app, person, after));
    }
    await spendAll('ed');
    held.resolve();
    const received = () =>
      clients.map(({ messages }) => messages.filter(({ id, type }) => id === 'a' && type === 'next').length);
    await waitUntil(() => received()[1] === all, 'the events of the other caller');
    expect(received()).toEqual([0, all]);
    app.clock.advance((POINTS / PER_SECOND) * 1000);
    await waitUntil(() => received()[0] === all, 'the events');
    await happen();
    await waitUntil(() => received().every((count) => count > all), 'the live event');
    expect(received()).toEqual([all + 1, all + 1]);
    for (const { socket } of clients) socket.close();
  });

  describe.each(STREAM_DOORS)('over $name', ({ follow, cost }) => {
    test('each recipient pays for each delivery', async () => {
      const followed = [await follow(app, 'ed'), await follow(app, 'ed'), await follow(app, 'vic')];
      onTestFinished(() => {
        for (const { stop } of followed) stop();
      });
      const before = { ed: await left('ed'), vic: await left('vic') };
      for (let count = 0; count < 3; count += 1) await happen();
      await waitUntil(() => followed.every(({ ids }) => ids().length === 3), 'the events');
      expect(before.ed - (await left('ed'))).toBe(1 + 3 * 2 * cost);
      expect(before.vic - (await left('vic'))).toBe(1 + 3 * cost);
    });

    test('a stream without points waits, and misses nothing afterwards', async () => {
      const poor = await follow(app, 'ed');
      const rich = await follow(app, 'vic');
      await spendAll('ed');
      for (let count = 0; count < 4; count += 1) await happen();
      await waitUntil(() => rich.ids().length === 4, 'the events of the other caller');
      await sleep(1500);
      expect(poor.ids()).toEqual([]);
      expect(poor.isOpen()).toBe(true);
      app.clock.advance((POINTS / PER_SECOND) * 1000);
      await waitUntil(() => poor.ids().length === 4, 'the events');
      await happen();
      await waitUntil(() => poor.ids().length === 5 && rich.ids().length === 5, 'the live events again');
      expect(poor.ids()).toEqual(rich.ids());
      for (const { stop } of [poor, rich]) stop();
    });
  });
});

describeEachEngine('the streams of one caller', (engine) => {
  const app = startApp(engine, { connections: { streamsPerCaller: 3 } });

  test('are limited across all doors, without affecting others', async () => {
    const followed = await Promise.all(STREAM_DOORS.map(({ follow }) => follow(app, 'ed')));
    const { token } = await app.signIn('ed');
    const feed = await app.get('/feed', { as: 'ed', headers: { accept: 'text/event-stream' } });
    // An EventSource would give up after an error status.
    expect(feed.status).toBe(200);
    expect(feed.text).toContain('too_many_streams');
    const client = await new SocketClient(app.port).open({ accessToken: token });
    const outcomeOf = async (wanted: string) => {
      await begin(app, client, wanted, DOCUMENT);
      client.send(subscribe(`after ${wanted}`, '{ __typename }'));
      await client.got(({ id }) => id === `after ${wanted}`);
      return client.messages.find(({ id }) => id === wanted);
    };
    expect(await outcomeOf('refused')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'too_many_streams', retryAfter: 1 } }],
    });
    (await STREAM_DOORS[0]?.follow(app, 'vic'))?.stop();
    for (const { stop } of followed) stop();
    let turn = 0;
    await waitUntil(async () => {
      turn += 1;
      return (await outcomeOf(`again ${turn}`)) === undefined;
    }, 'room for another stream');
    client.socket.close();
  });
});

// Points of networks are counted in memory.
describeOnSqlite('the WebSockets of one network', (engine) => {
  const app = startApp(engine, { connections: { socketsPerNetwork: 3 } });

  test('are limited, and a closed one makes room', async () => {
    const { token } = await app.signIn('ada');
    const open = () => new SocketClient(app.port).open({ accessToken: token });
    const clients = [await open(), await open(), await open()];
    const refused = new WebSocket(`ws://127.0.0.1:${app.port}/graphql`, ['graphql-transport-ws']);
    refused.on('error', () => undefined);
    const [, response] = await once(refused, 'unexpected-response');
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('1');
    const other = new WebSocket(`ws://127.0.0.1:${app.port}/graphql`, ['graphql-transport-ws'], {
      localAddress: '127.0.0.2',
    });
    await once(other, 'open');
    clients[0]?.socket.close();
    await clients[0]?.end();
    let another: SocketClient | undefined;
    await waitUntil(async () => {
      another = await open().catch(() => undefined);
      return another !== undefined;
    }, 'room for another socket');
    for (const socket of [other, another?.socket, ...clients.map((client) => client.socket)]) socket?.close();
  });
});

// It reads nothing.
describeOnSqlite('a WebSocket without credentials', (engine) => {
  const timeout = 1500;
  const app = startApp(engine, { connections: { anonymousSocketTimeout: timeout } });

  /** Timers are due only when the test advances them, however long the machine takes. */
  const stopTimers = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  };

  test('is closed when idle, despite pings', async () => {
    const { token } = await app.signIn('ada');
    stopTimers();
    const anonymous = await new SocketClient(app.port).open();
    const known = await new SocketClient(app.port).open({ accessToken: token });
    vi.advanceTimersByTime(timeout - 1);
    anonymous.send({ type: 'ping' });
    await anonymous.got(({ type }) => type === 'pong');
    vi.advanceTimersByTime(1);
    expect(await anonymous.end()).toBe(1000);
    known.send({ type: 'ping' });
    await known.got(({ type }) => type === 'pong');
    known.socket.close();
  });

  test('stays open while operations arrive', async () => {
    stopTimers();
    const client = await new SocketClient(app.port).open();
    for (const turn of ['1', '2', '3']) {
      vi.advanceTimersByTime(timeout - 1);
      client.send(subscribe(turn, '{ __typename }'));
      await client.got(({ id, type }) => id === turn && type === 'complete');
    }
    vi.advanceTimersByTime(timeout);
    expect(await client.end()).toBe(1000);
  });
});
