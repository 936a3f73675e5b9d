/** The single connection mode of graphql-sse: one stream for the results of many operations. */
import { createClient } from 'graphql-sse';
import { beforeAll, expect, test, vi } from 'vitest';
import { Backlogs } from '../../src/http/streams/backlog.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { type EventStreamClient, eventsIn, openEventStream } from '../support/raw-clients.ts';

const ACTIVITY = 'subscription ($after: String) { activity(after: $after) { id type cursor } }';
const TOKEN = 'x-graphql-event-stream-token';

interface Result {
  readonly data?: { readonly activity: { readonly id: string; readonly type: string } } | null;
}

describeEachEngine('a stream of several operations', (engine) => {
  /** The measures of all doors of the server. */
  const measures: (() => number)[] = [];
  beforeAll(() => {
    const { add } = Backlogs.prototype;
    const spy = vi.spyOn(Backlogs.prototype, 'add').mockImplementation(function (this: Backlogs, measure) {
      measures.push(measure);
      add.call(this, measure);
    });
    return () => spy.mockRestore();
  });
  const app = startApp(engine);

  /** Requests of one user with one reservation. */
  const reserve = async (person: 'ada' | 'ed' | 'gil' = 'ada') => {
    const { token } = await app.signIn(person);
    const authorization = `Bearer ${token}`;
    const send = (method: string, path = '', options: RequestInit = {}) =>
      fetch(`${app.url}/graphql${path}`, {
        method,
        ...options,
        headers: { authorization, ...options.headers },
      });
    const response = await send('PUT');
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const reservation = await response.text();
    const headers = { [TOKEN]: reservation };
    return {
      reservation,
      token,
      send,
      open: () => openEventStream(`${app.url}/graphql`, token, headers),
      operate: (id: unknown, query: string, variables = {}) =>
        send('POST', '', {
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables, extensions: { operationId: id } }),
        }),
      stop: (id: string) => send('DELETE', `?operationId=${id}`, { headers }),
    };
  };
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { errors: [{ extensions: { code: string } }] }).errors[0].extensions.code,
  ];
  const messagesOf = ({ text }: EventStreamClient, id: string) =>
    eventsIn(text)
      .map(({ event, data }) => ({ event, ...JSON.parse(data) }))
      .filter((message) => message.id === id);

  test('carries the results of queries, mutations and subscriptions, each with its operation id', async () => {
    const { open, operate, stop } = await reserve();
    const stream = await open();
    expect((await operate('one', '{ me { id } }')).status).toBe(202);
    await waitUntil(() => messagesOf(stream, 'one').length === 2, 'result and end');
    expect(messagesOf(stream, 'one')).toMatchObject([
      { event: 'next', payload: { data: { me: { id: '1' } } } },
      { event: 'complete' },
    ]);
    for (const id of ['a', 'b']) expect((await operate(id, ACTIVITY)).status).toBe(202);
    await placeOrder(app);
    const have = (id: string, count: number) =>
      waitUntil(() => messagesOf(stream, id).length >= count, `${count} of ${id}`);
    await Promise.all([have('a', 1), have('b', 1)]);
    expect((await stop('a')).status).toBe(200);
    await placeOrder(app);
    await have('b', 2);
    expect(messagesOf(stream, 'a')).toHaveLength(1);
    // Its id can be reused.
    expect((await operate('a', ACTIVITY)).status).toBe(202);
    await placeOrder(app);
    await have('a', 2);
    stream.stop();
  });

  test('delivers results of operations from before it was opened, which count as buffered meanwhile', async () => {
    const buffered = () => measures.reduce((sum, measure) => sum + measure(), 0);
    const { open, operate } = await reserve();
    await expect.poll(buffered).toBe(0);
    await operate('one', '{ me { id } }');
    expect(buffered()).toBeGreaterThan(0);
    await operate('live', ACTIVITY);
    await placeOrder(app);
    const stream = await open();
    await expect.poll(buffered).toBe(0);
    await waitUntil(() => messagesOf(stream, 'one').length === 2, 'the query');
    await waitUntil(() => messagesOf(stream, 'live').length === 1, 'the event');
    stream.stop();
  });

  test('can be opened once with its token in the URL, for EventSource', async () => {
    const { reservation, operate, open } = await reserve();
    const controller = new AbortController();
    const response = await fetch(`${app.url}/graphql?token=${reservation}`, {
      headers: { accept: 'text/event-stream' },
      signal: controller.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const { answer: second } = await open();
    expect(second.statusCode).toBe(409);
    controller.abort();
    // The reservation ends with its stream.
    await waitUntil(async () => (await operate('one', '{ me { id } }')).status === 404, 'the end');
  });

  test('refuses operations with the status and the code of other doors', async () => {
    const { open, operate, send } = await reserve();
    const stream = await open();
    expect(await codeOf(await operate('one', '{ nothing }'))).toEqual([400, 'graphql_validation_failed']);
    expect(await codeOf(await operate('one', 'subscription { activity(after: "x") { id } }'))).toEqual([
      400,
      'invalid_cursor',
    ]);
    const { operate: operateAsEd } = await reserve('ed');
    const forbidden = 'mutation { deleteDocument(org: "acme", id: 1) }';
    expect(await codeOf(await operateAsEd('one', forbidden))).toEqual([403, 'insufficient_role']);
    for (const none of [undefined, '', 1]) {
      expect(await codeOf(await operate(none, '{ me { id } }'))).toEqual([400, 'malformed_request']);
    }
    for (let n = 1; n <= 50; n += 1) expect((await operate(`${n}`, ACTIVITY)).status).toBe(202);
    expect(await codeOf(await operate('1', ACTIVITY))).toEqual([409, 'conflict']);
    expect((await codeOf(await operate('51', ACTIVITY)))[1]).toBe('too_many_subscriptions');
    expect(await codeOf(await send('DELETE'))).toEqual([404, 'not_found']);
    stream.stop();
  });

  test('belongs to the user who reserved it', async () => {
    const { reservation, open } = await reserve();
    const stream = await open();
    const headers = { [TOKEN]: reservation };
    for (const person of ['ed', 'gil'] as const) {
      const other = await reserve(person);
      const body = JSON.stringify({ query: '{ me { id } }', extensions: { operationId: '1' } });
      const posted = await other.send('POST', '', {
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      expect(await codeOf(posted)).toEqual([403, 'forbidden']);
      expect(await codeOf(await other.send('DELETE', '?operationId=1', { headers }))).toEqual([
        403,
        'forbidden',
      ]);
      const opened = await other.send('GET', '', { headers: { ...headers, accept: 'text/event-stream' } });
      expect(await codeOf(opened)).toEqual([403, 'forbidden']);
    }
    const anonymous = await fetch(`${app.url}/graphql`, { method: 'PUT' });
    expect(await codeOf(anonymous)).toEqual([401, 'unauthenticated']);
    expect(eventsIn(stream.text)).toEqual([]);
    stream.stop();
  });

  test('ends when the token expires', async () => {
    const { open, operate } = await reserve();
    const stream = await open();
    await operate('live', ACTIVITY);
    app.clock.advance(15 * 60_000);
    app.signOutAll();
    await waitUntil(() => stream.ended, 'the end');
    expect(stream.text).toContain(': token_expired\n');
  });

  test('ends if its client does not read', async () => {
    const { open, operate } = await reserve();
    const stream = await open();
    stream.answer.pause();
    const query = `{ documents(org: "acme", first: 100) { nodes { ${'id '.repeat(10)} body title author { name email } } } }`;
    await app.post('/v1/orgs/acme/docs', {
      as: 'ada',
      body: { title: 'T', body: 'x'.repeat(99_000), classification: 'public' },
    });
    let last = 202;
    for (let n = 0; n < 400 && last === 202; n += 1) last = (await operate(`${n}`, query)).status;
    expect([503, 404, 429]).toContain(last);
    stream.stop();
  });

  test.each([true, false])(
    'is followed by the client of graphql-sse (single connection: %s)',
    async (singleConnection) => {
      const { token } = await app.signIn('ada');
      // Its types require a literal for the option.
      const client = createClient({
        url: `${app.url}/graphql`,
        headers: { authorization: `Bearer ${token}` },
        singleConnection: singleConnection as true,
      });
      const seen: string[] = [];
      const stops = ['1', '2'].map((name) =>
        client.subscribe<Result['data']>(
          { query: ACTIVITY },
          {
            next: ({ data }) => void seen.push(`${name} ${data?.activity.type}`),
            error: (error) => void seen.push(String(error)),
            complete: () => void seen.push(`${name} complete`),
          },
        ),
      );
      await waitUntil(async () => {
        await placeOrder(app);
        return ['1', '2'].every((name) => seen.includes(`${name} order.created`));
      }, 'events for both');
      stops[0]?.();
      await waitUntil(() => seen.includes('1 complete'), 'the end of one');
      const seenBefore = seen.length;
      await placeOrder(app);
      await waitUntil(() => seen.length > seenBefore, 'the other continues');
      expect(new Set(seen.slice(seenBefore))).toEqual(new Set(['2 order.created']));
      const results: unknown[] = [];
      for await (const result of client.iterate({ query: '{ me { id } }' })) results.push(result.data);
      expect(results).toEqual([{ me: { id: '1' } }]);
      client.dispose();
    },
  );
});

describeEachEngine('a server that shares its port with other processes', (engine) => {
  const app = startApp(engine, { http: { sharesPort: true } });

  test('reserves no stream, since other processes would get its requests', async () => {
    const { token } = await app.signIn('ada');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${app.url}/graphql`, { method: 'PUT', headers });
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'not_implemented' } }] });
  });
});
