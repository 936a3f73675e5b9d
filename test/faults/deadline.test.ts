/** Work that takes too long, and work that no one waits for any more: both end, and leave nothing behind. */
import { connect } from 'node:net';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installDemo } from '../../src/cli/demo/install.ts';
import { ApiError } from '../../src/core/errors.ts';
import { boundTo } from '../../src/db/bound.ts';
import { insertEvent } from '../../src/db/queries/events.ts';
import { findUser } from '../../src/db/queries/users.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { waitUntil } from '../support/process.ts';
import { SocketClient, subscribe } from '../support/socket-client.ts';

/** Milliseconds, in place of the ten seconds that it is. */
const DEADLINE = 400;

describeEachEngine('work that was ended', (engine) => {
  beforeAll(() => installDemo(engine.database, async () => 'no password'));

  const reason = new ApiError('timeout');
  const event = {
    org: 'acme',
    type: 'user.updated',
    actorId: null,
    subjectType: 'user',
    subjectId: 1,
    data: {},
    createdAt: new Date(),
  } as const;
  const events = async () => Number((await engine.place.query('select count(*) as n from events'))[0]?.['n']);

  test('a statement does not begin', async () => {
    const database = boundTo(engine.database, AbortSignal.abort(reason));
    await expect(findUser(database, 'acme', 1)).rejects.toBe(reason);
    await expect(database.transaction(async () => 1)).rejects.toBe(reason);
  });

  test('a transaction that is ended between two statements leaves nothing behind', async () => {
    const before = await events();
    const controller = new AbortController();
    const database = boundTo(engine.database, controller.signal);
    const work = database.transaction(async (tx) => {
      await insertEvent(tx, event);
      controller.abort(reason);
      await insertEvent(tx, event);
    });
    await expect(work).rejects.toBe(reason);
    expect(await events()).toBe(before);
  });

  test('a transaction that is ended after its last statement leaves nothing behind either', async () => {
    const before = await events();
    const controller = new AbortController();
    const work = boundTo(engine.database, controller.signal).transaction(async (tx) => {
      await insertEvent(tx, event);
      controller.abort(reason);
    });
    await expect(work).rejects.toBe(reason);
    expect(await events()).toBe(before);
  });

  test('others go on meanwhile and afterwards', async () => {
    const controller = new AbortController();
    const before = await events();
    const ended = boundTo(engine.database, controller.signal).transaction(async (tx) => {
      await insertEvent(tx, event);
      controller.abort(reason);
    });
    const others = Array.from({ length: 5 }, () =>
      engine.database.transaction((tx) => insertEvent(tx, event)),
    );
    const outcomes = await Promise.allSettled([ended, ...others]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...Array(5).fill('fulfilled')]);
    expect(await events()).toBe(before + 5);
    await engine.database.transaction((tx) => insertEvent(tx, event));
  });

  test('a signal that comes too late changes nothing', async () => {
    const before = await events();
    const controller = new AbortController();
    await boundTo(engine.database, controller.signal).transaction((tx) => insertEvent(tx, event));
    controller.abort(reason);
    expect(await events()).toBe(before + 1);
  });
});

describeEachEngine(
  'a deadline',
  (engine) => {
    const app = startApp(engine, { operations: { deadline: DEADLINE } });
    const blockers: pg.Client[] = [];

    afterEach(async () => {
      for (const blocker of blockers.splice(0)) await blocker.end();
    });

    /** Holds a lock, so that what needs it would wait for a minute and more. */
    async function block(sql: string): Promise<void> {
      const blocker = new pg.Client({ connectionString: engine.place.url });
      blockers.push(blocker);
      await blocker.connect();
      await blocker.query('begin');
      await blocker.query(sql);
    }

    const unblock = async () => {
      for (const blocker of blockers.splice(0)) await blocker.end();
    };

    /** Statements of the server that run, or wait for a lock, in this moment. */
    async function running(): Promise<number> {
      const [row] = await engine.place.query(
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and application_name = 'portico' and state <> 'idle'`,
      );
      return Number(row?.['n']);
    }

    async function expectTimeout(answer: { took: number }): Promise<void> {
      expect(answer.took).toBeGreaterThanOrEqual(DEADLINE - 50);
      expect(answer.took).toBeLessThan(DEADLINE + 1500);
      await waitUntil(async () => (await running()) === 0, 'the statement to be gone', 3000);
    }

    async function timed<T extends object>(ask: () => Promise<T>): Promise<T & { took: number }> {
      const began = performance.now();
      const answer = await ask();
      return { ...answer, took: performance.now() - began };
    }

    engine.testConcurrent('a query over GraphQL: 503 timeout, and the statement is gone', async () => {
      await app.signIn('ada');
      await block('lock table products in access exclusive mode');
      const answer = await timed(() => app.graphql('{ products { nodes { id } } }', {}, { as: 'ada' }));
      expect(codesOf(answer)).toEqual(['timeout']);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      await expectTimeout(answer);
    });

    engine.testConcurrent('a query over a WebSocket or as events: the same', async () => {
      const { token } = await app.signIn('ada');
      await block('lock table products in access exclusive mode');
      const query = '{ products { nodes { id } } }';
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
      const byEvents = await timed(async () => {
        const answer = await fetch(`${app.url}/graphql?query=${encodeURIComponent(query)}`, { headers });
        return { text: await answer.text() };
      });
      expect(byEvents.text).toContain('"code":"timeout"');
      await expectTimeout(byEvents);
      const client = await new SocketClient(app.port).open({ accessToken: token });
      const bySocket = await timed(async () => {
        client.send(subscribe('1', query));
        return { answer: await client.got(({ id }) => id === '1') };
      });
      expect(JSON.stringify(bySocket.answer)).toContain('"code":"timeout"');
      await expectTimeout(bySocket);
      client.send(subscribe('2', query));
      await waitUntil(async () => (await running()) > 0, 'the statement');
      client.socket.terminate();
      await waitUntil(async () => (await running()) === 0, 'the statement to be gone', 3000);
    });

    engine.testConcurrent('a query over REST: the same', async () => {
      await app.signIn('ada');
      await block('lock table products in access exclusive mode');
      const answer = await timed(() => app.get('/v1/products', { as: 'ada' }));
      expectError(answer, { status: 503, code: 'timeout' });
      await expectTimeout(answer);
      await unblock();
      expect((await app.get('/v1/products', { as: 'ada' })).status).toBe(200);
    });

    engine.testConcurrent('a mutation that was ended leaves nothing behind', async () => {
      await app.signIn('ada');
      const before = await app.fingerprint();
      await block('select * from order_items for update; lock table events in exclusive mode');
      const body = { items: [{ product_id: 1, qty: 1 }] };
      const answer = await timed(() => app.post('/v1/users/1/orders', { as: 'ada', body }));
      expectError(answer, { status: 503, code: 'timeout' });
      await expectTimeout(answer);
      await unblock();
      expect(await app.fingerprint()).toEqual(before);
    });

    engine.testConcurrent('of several fields, those that were there in time are answered', async () => {
      await app.signIn('ada');
      await block('lock table products in access exclusive mode');
      const answer = await app.graphql('{ me { id } products { nodes { id } } }', {}, { as: 'ada' });
      // A page cannot be null, so that nothing is left of the answer.
      expect(answer.status).toBe(503);
      const partly = await app.graphql('{ me { id } product(id: 1) { id } }', {}, { as: 'ada' });
      expect(partly.status).toBe(200);
      expect(partly.body.data).toEqual({ me: { id: '1' }, product: null });
      expect(codesOf(partly)).toEqual(['timeout']);
    });

    engine.testConcurrent('who waits for a connection does not wait for longer', async () => {
      await app.signIn('ada');
      await block('lock table products in access exclusive mode');
      const asked = Array.from({ length: 30 }, () => timed(() => app.get('/v1/products', { as: 'ada' })));
      for (const answer of await Promise.all(asked)) {
        expectError(answer, { status: 503, code: 'timeout' });
        expect(answer.took).toBeLessThan(DEADLINE + 2000);
      }
      await unblock();
      await waitUntil(async () => (await app.get('/v1/products', { as: 'ada' })).status === 200, 'an answer');
    });

    describe('a client that goes away', () => {
      for (const [door, request] of [
        [
          'REST',
          (token: string) => `GET /v1/products HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`,
        ],
        [
          'GraphQL',
          (token: string) => {
            const body = JSON.stringify({ query: '{ products { nodes { id } } }' });
            return `POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
          },
        ],
      ] as const) {
        engine.testConcurrent(`${door}: its work ends at once`, async () => {
          const { token } = await app.signIn('ada');
          await block('lock table products in access exclusive mode');
          const socket = connect(app.port, '127.0.0.1');
          socket.write(request(token));
          await waitUntil(async () => (await running()) === 1, 'the statement to run');
          const began = performance.now();
          socket.destroy();
          await waitUntil(async () => (await running()) === 0, 'the statement to be gone');
          expect(performance.now() - began).toBeLessThan(DEADLINE);
        });
      }
    });
  },
  'postgres',
);
