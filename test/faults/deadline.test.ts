/** Work that exceeds its deadline, and work whose client has disconnected: both stop, and leave nothing behind. */
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { ApiError } from '../../src/core/errors.ts';
import { BoundDatabase } from '../../src/db/bound.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { insertEvent } from '../../src/db/queries/events.ts';
import { users } from '../../src/db/queries/users.ts';
import { api } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { waitUntil } from '../support/process.ts';
import { SocketClient, subscribe } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';

/** Milliseconds, a small part of the default. */
const DEADLINE = 1000;

describeEachEngine('aborted work', (engine) => {
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

  test('does not start a statement', async () => {
    const database = new BoundDatabase(engine.database, AbortSignal.abort(reason));
    await expect(users.find(database, 'acme', 1)).rejects.toBe(reason);
    await expect(database.transaction(async () => 1)).rejects.toBe(reason);
  });

  test('rolls back a transaction between two statements', async () => {
    const before = await events();
    const controller = new AbortController();
    const database = new BoundDatabase(engine.database, controller.signal);
    const work = database.transaction(async (tx) => {
      await insertEvent(tx, event);
      controller.abort(reason);
      await insertEvent(tx, event);
    });
    await expect(work).rejects.toBe(reason);
    expect(await events()).toBe(before);
  });

  test('rolls back a transaction after its last statement', async () => {
    const before = await events();
    const controller = new AbortController();
    const work = new BoundDatabase(engine.database, controller.signal).transaction(async (tx) => {
      await insertEvent(tx, event);
      controller.abort(reason);
    });
    await expect(work).rejects.toBe(reason);
    expect(await events()).toBe(before);
  });

  test('does not affect other work', async () => {
    const controller = new AbortController();
    const before = await events();
    const ended = new BoundDatabase(engine.database, controller.signal).transaction(async (tx) => {
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

  test('changes nothing if the signal comes too late', async () => {
    const before = await events();
    const controller = new AbortController();
    await new BoundDatabase(engine.database, controller.signal).transaction((tx) => insertEvent(tx, event));
    controller.abort(reason);
    expect(await events()).toBe(before + 1);
  });
});

describeEachEngine(
  'a deadline',
  (engine) => {
    let pool: OpenDatabase | undefined;
    const app = startApp(engine, {
      operations: { deadline: DEADLINE },
      around: (database) => {
        pool = database;
        return database;
      },
    });
    const blockers: pg.Client[] = [];

    // On a busy machine, a sign-in may take longer than the deadline.
    beforeAll(() =>
      waitUntil(
        () =>
          app.signIn('ada').then(
            () => true,
            () => {
              app.signOutAll();
              return false;
            },
          ),
        'a sign-in',
      ),
    );

    afterEach(async () => {
      for (const blocker of blockers.splice(0)) await blocker.end();
    });

    /** Holds a lock, so that statements that need it would wait for more than a minute. */
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

    /** The server's statements that currently run or wait for a lock. */
    async function running(): Promise<number> {
      const [row] = await engine.place.query(
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and application_name = 'portico' and state <> 'idle'`,
      );
      return Number(row?.['n']);
    }

    async function expectTimeout(response: { took: number }): Promise<void> {
      expect(response.took).toBeGreaterThanOrEqual(DEADLINE - 50);
      expect(response.took).toBeLessThan(DEFAULTS.operations.deadline);
      await waitUntil(async () => (await running()) === 0, 'the statement to be gone');
    }

    async function timed<T extends object>(ask: () => Promise<T>): Promise<T & { took: number }> {
      const began = performance.now();
      const response = await ask();
      return { ...response, took: performance.now() - began };
    }

    engine.testConcurrent('aborts a GraphQL query with 503 timeout, and cancels its statement', async () => {
      await block('lock table products in access exclusive mode');
      const response = await timed(() => app.graphql('{ products { nodes { id } } }', {}, { as: 'ada' }));
      expect(codesOf(response)).toEqual(['timeout']);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      await expectTimeout(response);
    });

    engine.testConcurrent('aborts a query over a WebSocket or an event stream in the same way', async () => {
      const { token } = await app.signIn('ada');
      await block('lock table products in access exclusive mode');
      const query = '{ products { nodes { id } } }';
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
      const byEvents = await timed(async () => {
        const response = await fetch(`${app.url}/graphql?query=${encodeURIComponent(query)}`, { headers });
        return { text: await response.text() };
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
      client.socket.terminate();
    });

    engine.testConcurrent('aborts the opening of a stream, at each door', async () => {
      const { token } = await app.signIn('ada');
      await block('lock table events in access exclusive mode');
      const subscription = 'subscription { activity { id } }';
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
      const paths = [
        `/graphql?query=${encodeURIComponent(subscription)}`,
        ...api.streamRoutes.map(({ path }) => path),
      ];
      for (const path of paths) {
        const refused = await timed(async () => {
          const response = await fetch(app.url + path, { headers });
          return { text: await response.text() };
        });
        expect(refused.text, path).toContain('timeout');
        await expectTimeout(refused);
      }
      const client = await new SocketClient(app.port).open({ accessToken: token });
      const bySocket = await timed(async () => {
        client.send(subscribe('1', subscription));
        return { answer: await client.got(({ id }) => id === '1') };
      });
      expect(JSON.stringify(bySocket.answer)).toContain('"code":"timeout"');
      await expectTimeout(bySocket);
      client.socket.terminate();
    });

    engine.testConcurrent('aborts a REST query in the same way', async () => {
      await block('lock table products in access exclusive mode');
      const response = await timed(() => app.get('/v1/products', { as: 'ada' }));
      expectError(response, { status: 503, code: 'timeout' });
      await expectTimeout(response);
      await unblock();
      await expect.poll(async () => (await app.get('/v1/products', { as: 'ada' })).status).toBe(200);
    });

    engine.testConcurrent('rolls back a mutation', async () => {
      const before = await app.fingerprint();
      await block('select * from order_items for update; lock table events in exclusive mode');
      const body = { items: [{ product_id: 1, qty: 1 }] };
      const response = await timed(() => app.post('/v1/users/1/orders', { as: 'ada', body }));
      expectError(response, { status: 503, code: 'timeout' });
      await expectTimeout(response);
      await unblock();
      expect(await app.fingerprint()).toEqual(before);
    });

    engine.testConcurrent('returns the fields that were resolved in time', async () => {
      await block('lock table products in access exclusive mode');
      const response = await app.graphql('{ me { id } products { nodes { id } } }', {}, { as: 'ada' });
      // A page cannot be null, so the whole response is an error.
      expect(response.status).toBe(503);
      // Again if a busy machine was too slow for the first field.
      const partly = async () => {
        const answer = await app.graphql('{ me { id } product(id: 1) { id } }', {}, { as: 'ada' });
        return [answer.status, answer.body.data, codesOf(answer)];
      };
      await expect.poll(partly).toEqual([200, { me: { id: '1' }, product: null }, ['timeout']]);
    });

    engine.testConcurrent('includes the time that a query waits for a connection', async () => {
      // Needs no authentication, which would wait before the deadline begins.
      const signIn = () =>
        app.post('/v1/auth/login', { body: { email: 'ada@acme.test', password: DEMO_PASSWORD } });
      const held = Promise.withResolvers<void>();
      const holders = Array.from({ length: DEFAULTS.database.pool }, () =>
        pool?.transaction(() => held.promise),
      );
      await waitUntil(() => pool?.load().inUse === DEFAULTS.database.pool, 'all connections to be in use');
      const response = await signIn();
      held.resolve();
      await Promise.all(holders);
      expectError(response, { status: 503, code: 'timeout' });
      await waitUntil(async () => (await signIn()).status === 200, 'a response');
    });

    describe('a client that disconnects', () => {
      const patient = startApp(engine);

      engine.testConcurrent('while its credentials are verified causes no work', async () => {
        const { key } = await createKey(patient);
        await block('lock table api_keys in access exclusive mode');
        patient.forgetStatements();
        const socket = connect(patient.port, '127.0.0.1');
        await once(socket, 'connect');
        const { localPort } = socket;
        socket.write(`GET /v1/products HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\n\r\n`);
        await waitUntil(() => patient.statements.length > 0, 'the verification');
        socket.destroy();
        await waitUntil(() => !patient.isConnectedTo(localPort), 'the server to notice');
        await unblock();
        const timeouts = async () =>
          sumOf(readMetrics((await patient.get('/metrics')).text), 'portico_graphql_operations_total', {
            code: 'timeout',
          });
        await waitUntil(async () => (await timeouts()) === 1, 'the end of the operation');
        expect(patient.statements).not.toContain('products.activeAfter');
      });

      /** Connects, sends a query, and returns a function that disconnects. */
      type Ask = (token: string, query: string) => Promise<() => void>;

      const byHttp = async (request: string): Promise<() => void> => {
        const socket = connect(patient.port, '127.0.0.1');
        socket.write(request);
        return () => socket.destroy();
      };

      const doors: readonly (readonly [door: string, ask: Ask])[] = [
        [
          'REST',
          (token) => byHttp(`GET /v1/products HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`),
        ],
        [
          'GraphQL',
          (token, query) => {
            const body = JSON.stringify({ query });
            return byHttp(
              `POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
            );
          },
        ],
        [
          'an event stream',
          (token, query) =>
            byHttp(
              `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n\r\n`,
            ),
        ],
        [
          'a WebSocket',
          async (token, query) => {
            const client = await new SocketClient(patient.port).open({ accessToken: token });
            client.send(subscribe('1', query));
            return () => client.socket.terminate();
          },
        ],
      ];

      for (const [door, ask] of doors) {
        engine.testConcurrent(`${door}: its work is aborted long before its deadline`, async () => {
          const { token } = await patient.signIn('ada');
          await block('lock table products in access exclusive mode');
          const disconnect = await ask(token, '{ products { nodes { id } } }');
          await waitUntil(async () => (await running()) === 1, 'the statement to run');
          const began = performance.now();
          disconnect();
          await waitUntil(async () => (await running()) === 0, 'the statement to be gone');
          expect(performance.now() - began).toBeLessThan(DEFAULTS.operations.deadline);
        });
      }
    });
  },
  'postgres',
);
