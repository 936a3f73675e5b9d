/** A server that has more to do than it can: most of what comes is turned away at once, whichever way it comes. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startApp } from '../support/app.ts';
import { DOCUMENT_DOORS, type DoorVisit } from '../support/document-doors.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { waitUntil } from '../support/process.ts';

/** Milliseconds that the event loop is said to be late: a moment, and more than is borne. */
const CALM = 1;
const LATE = 100_000;

describeEachEngine('an overloaded server', (engine) => {
  let lag = CALM;
  const app = startApp(engine, { loopLag: () => lag });
  const visits = new Map<string, DoorVisit>();
  beforeAll(async () => {
    for (const { name, open } of DOCUMENT_DOORS) visits.set(name, await open(app, 'ada'));
    lag = LATE;
    await waitUntil(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.get('/v1/nope')));
      return answers.every(({ status }) => status === 503);
    }, 'all but a few to be turned away');
  });
  afterAll(() => {
    for (const visit of visits.values()) visit.close();
  });

  const ask = (door: string) => visits.get(door)?.send({ query: '{ me { id } }' });

  // A few of a hundred are let in at any time, to find out whether it is over.
  test.each(DOCUMENT_DOORS)(
    'refuses operations over $name, which was open before',
    async ({ name, refusal }) => {
      await waitUntil(async () => {
        app.forgetStatements();
        const reply = await ask(name);
        expect(reply?.closed).toBeUndefined();
        if (reply?.body?.data) return false;
        const extensions = { code: 'overloaded', retryAfter: expect.any(Number) };
        expect(reply?.body?.errors).toMatchObject([{ extensions }]);
        expect(reply?.status).toBe(refusal && 503);
        expect(app.statements).toEqual([]);
        return true;
      }, 'an operation to be refused');
    },
  );

  test('answers 503 with Retry-After to a route, and says all the while how it is', async () => {
    await waitUntil(async () => {
      const answer = await app.get('/v1/orders/7');
      if (answer.status === 401) return false;
      expectError(answer, { status: 503, code: 'overloaded' });
      expect(answer.headers.get('retry-after')).toMatch(/^[123]$/);
      return true;
    }, 'a request to be refused');
    for (let times = 0; times < 20; times += 1) expect((await app.get('/healthz')).status).toBe(200);
  });

  test('opens no sockets, and says when to come again', async () => {
    await waitUntil(async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${app.port}/graphql`, ['graphql-transport-ws']);
      // Giving up on it is an error of its own to this client.
      socket.on('error', () => undefined);
      const refused = once(socket, 'unexpected-response').then(([, { statusCode, headers }]) => ({
        status: statusCode,
        retryAfter: headers['retry-after'],
      }));
      const answer = await Promise.race([refused, once(socket, 'open').then(() => undefined)]);
      socket.terminate();
      if (!answer) return false;
      expect(answer).toEqual({ status: 503, retryAfter: expect.stringMatching(/^[123]$/) });
      return true;
    }, 'a socket to be refused');
  });

  test('lets all in again when it is over', async () => {
    lag = CALM;
    for (const { name } of DOCUMENT_DOORS)
      await waitUntil(async () => (await ask(name))?.body?.data != null, `${name} to be answered`);
  });
});
