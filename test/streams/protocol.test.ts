/** graphql-transport-ws, with clients that violate the protocol. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { SocketClient as Client, openSocketAs, subscribe as subscribeTo } from '../support/raw-clients.ts';

const ACTIVITY = 'subscription { activity { id } }';

const subscribe = (id: string, query = ACTIVITY) => subscribeTo(id, query);

// The protocol is the same, wherever the events are read from.
describeOnSqlite('a WebSocket', (engine) => {
  const app = startApp(engine);
  const hasty = startApp(engine, { connections: { connectionInitTimeout: 100 } });
  const params = async () => ({ accessToken: (await app.signIn('ada')).token });
  const opened = async () => new Client(app.port).open(await params());

  describe('is closed', () => {
    test('with 4400 for an invalid or ambiguous message', async () => {
      for (const text of [
        '',
        '{',
        '[]',
        '{"type":"subscribe"}',
        '{"type":"subscribe","id":"1","payload":{}}',
        '{"type":"ping","type":"pong"}',
        '{"type":"subscribe","id":"1","payload":{"query":"{ me { id } }","variables":{"a":1,"a":2}}}',
        '{"type":"ping","payload":{"a":9007199254740993}}',
        '{"type":"subscribe","id":"1","payload":{"query":"{ me { id } }","variables":{"__proto__":{}}}}',
      ]) {
        const client = await opened();
        client.send(text);
        expect(await client.end(), text).toBe(4400);
      }
    });

    test('with 4400 for a message type of servers, which is not logged as an error', async () => {
      for (const message of [
        { type: 'connection_ack' },
        { type: 'next', id: '1', payload: { data: {} } },
        { type: 'error', id: '1', payload: [{ message: 'no' }] },
      ]) {
        const client = await opened();
        client.send(message);
        expect(await client.end(), message.type).toBe(4400);
        expect(client.closed?.reason).toBe(`Unexpected message of type ${message.type} received`);
      }
      expect(app.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')).toEqual([]);
    });

    test('with 4401 for an operation before the connection is authenticated', async () => {
      const client = new Client(app.port);
      await once(client.socket, 'open');
      client.send(subscribe('1'));
      expect(await client.end()).toBe(4401);
    });

    test('with 4403 for invalid credentials, wherever they were sent', async () => {
      for (const payload of [
        { accessToken: 'x' },
        { authorization: 'Bearer x' },
        { authorization: 'ApiKey pk_1_x' },
      ]) {
        const client = new Client(app.port);
        await once(client.socket, 'open');
        client.send({ type: 'connection_init', payload });
        expect(await client.end()).toBe(4403);
      }
      const client = new Client(app.port, undefined, { authorization: 'Bearer x' });
      await once(client.socket, 'open');
      client.send({ type: 'connection_init' });
      expect(await client.end()).toBe(4403);
    });

    test('with 4406 for another protocol', async () => {
      // This client fails by itself if the server supports none of its protocols.
      expect(await new Client(app.port, []).end()).toBe(4406);
    });

    test('with 4408 when it does not initialise in time', async () => {
      expect(await new Client(hasty.port).end()).toBe(4408);
    });

    test('with 4409 for an id in use, and with 4429 for a second initialisation', async () => {
      const twice = await opened();
      twice.send(subscribe('0'));
      await placeOrderUntil(twice);
      twice.send(subscribe('1'));
      twice.send(subscribe('1'));
      expect(await twice.end()).toBe(4409);
      // In the spelling of the protocol, also for a subscription.
      expect(twice.closed?.reason).toBe('Subscriber for 1 already exists');
      const again = await opened();
      again.send({ type: 'connection_init' });
      expect(await again.end()).toBe(4429);
    });

    test('with 1009 for a frame of more than 64 KiB', async () => {
      const client = await opened();
      client.send({
        id: '1',
        type: 'subscribe',
        payload: { query: `${' '.repeat(64 * 1024)}{ me { id } }` },
      });
      expect(await client.end()).toBe(1009);
    });

    test('with 4403 when its token expires, and receives nothing after that', async () => {
      const client = await opened();
      client.send(subscribe('1'));
      await placeOrderUntil(client);
      await settled(client);
      app.clock.advance(15 * 60_000);
      app.signOutAll();
      const receivedBefore = client.messages.length;
      await placeOrder(app);
      expect(await client.end()).toBe(4403);
      expect(client.closed?.reason).toMatch(/^token_expired; cursor=[\w-]+$/);
      expect(client.messages).toHaveLength(receivedBefore);
    });
  });

  /** Resolves when all events have arrived. */
  const settled = async (client: Client) => {
    const newest = (await app.events()).filter(({ org }) => org === 'acme').at(-1)?.id;
    await client.got(({ payload }) => JSON.stringify(payload)?.includes(`"id":"${newest}"`) ?? false);
  };

  const placeOrderUntil = async (client: Client) => {
    await waitUntil(async () => {
      await placeOrder(app);
      return client.messages.some(({ type }) => type === 'next');
    }, 'the first event');
  };

  test('continues with a token from a ping, only if it is of the same user', async () => {
    const client = await opened();
    client.send(subscribe('1'));
    await placeOrderUntil(client);
    app.clock.advance(10 * 60_000);
    app.signOutAll();
    client.send({ type: 'ping', payload: await params() });
    expect(await client.got(({ type }) => type === 'pong')).toEqual({ type: 'pong' });
    app.clock.advance(10 * 60_000);
    app.signOutAll();
    const receivedBefore = client.messages.length;
    await placeOrder(app);
    await waitUntil(
      () => client.messages.length > receivedBefore,
      'an event after the first token has ended',
    );
    client.send({ type: 'ping', payload: { accessToken: (await app.signIn('ed')).token } });
    expect(await client.end()).toBe(4403);
  });

  test('accepts the headers of a normal request', async () => {
    const { token } = await app.signIn('ed');
    for (const name of ['authorization', 'Authorization']) {
      const client = await new Client(app.port).open({ headers: { [name]: `Bearer ${token}` } });
      client.send(subscribe('1', '{ me { id } }'));
      expect(await client.got(({ type }) => type === 'next')).toMatchObject({
        payload: { data: { me: { id: '2' } } },
      });
      client.socket.close();
    }
    const refused = new Client(app.port);
    await once(refused.socket, 'open');
    refused.send({ type: 'connection_init', payload: { headers: { authorization: 'Bearer x' } } });
    expect(await refused.end()).toBe(4403);
  });

  test('frees an id as soon as the client completes the operation', async () => {
    const client = await opened();
    for (let round = 1; round <= 40; round += 1) {
      client.send(subscribe('1'));
      // Every other one is completed before it can have started.
      if (round % 2 === 0) await placeOrderUntil(client);
      client.messages.length = 0;
      client.send({ id: '1', type: 'complete' });
    }
    client.send(subscribe('1'));
    // The last subscription continues.
    await placeOrderUntil(client);
    const receivedBefore = client.messages.length;
    await placeOrder(app);
    await waitUntil(() => client.messages.length > receivedBefore, 'the next event');
    expect(client.messages.filter(({ type }) => type !== 'next')).toEqual([]);
    expect(client.closed).toBeUndefined();
    client.socket.close();
  });

  test('completes an operation before its id is reused', async () => {
    const client = await opened();
    for (let round = 1; round <= 40; round += 1) {
      client.send(subscribe('1', '{ me { id } }'));
      await client.got(({ type }) => type === 'complete');
      expect(
        client.messages
          .splice(0)
          .map(({ type }) => type)
          .filter((type) => type !== 'connection_ack'),
      ).toEqual(['next', 'complete']);
    }
    client.socket.close();
  });

  test('accepts any text as an id', async () => {
    const client = await opened();
    for (const id of ['constructor', '__proto__', 'toString', '{"'])
      client.send(subscribe(id, '{ me { id } }'));
    for (const id of ['constructor', '__proto__', 'toString', '{"']) {
      expect(await client.got((message) => message['id'] === id && message['type'] === 'next')).toMatchObject(
        {
          payload: { data: { me: { id: '1' } } },
        },
      );
      await client.got((message) => message['id'] === id && message['type'] === 'complete');
    }
    for (const id of ['constructor', '__proto__']) client.send(subscribe(id));
    await waitUntil(async () => {
      await placeOrder(app);
      return ['constructor', '__proto__'].every((id) =>
        client.messages.some(
          ({ id: of, payload }) => of === id && JSON.stringify(payload)?.includes('activity'),
        ),
      );
    }, 'events on both');
    client.socket.close();
  });

  test('carries 50 subscriptions and refuses the next', async () => {
    const client = await opened();
    for (let n = 1; n <= 51; n += 1) client.send(subscribe(String(n)));
    const refused = await client.got(({ type }) => type === 'error');
    expect(refused).toMatchObject({
      id: '51',
      payload: [{ extensions: { code: 'too_many_subscriptions' } }],
    });
    expect(client.closed).toBeUndefined();
    client.socket.close();
  });

  test('serves queries and mutations, with the errors of other doors', async () => {
    const anonymous = await new Client(app.port).open();
    anonymous.send(subscribe('1', '{ me { id } }'));
    expect(await anonymous.got(({ id }) => id === '1')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'unauthenticated' } }],
    });
    anonymous.send(subscribe('2'));
    expect(await anonymous.got(({ id }) => id === '2')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'unauthenticated' } }],
    });
    anonymous.send(subscribe('3', '{ nothing }'));
    expect(await anonymous.got(({ id }) => id === '3')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'graphql_validation_failed' } }],
    });
    anonymous.socket.close();
  });

  test('is not opened for a page of another origin, nor on another path', async () => {
    const refused = async (path: string, headers: Record<string, string>) => {
      const socket = new WebSocket(`ws://127.0.0.1:${app.port}${path}`, ['graphql-transport-ws'], {
        headers,
      });
      // Closing it early is an error in this client.
      socket.on('error', () => undefined);
      const [, response] = await once(socket, 'unexpected-response');
      socket.terminate();
      return response.statusCode;
    };
    expect(await refused('/graphql', { origin: 'https://evil.test' })).toBe(403);
    expect(await refused('/graphql', { origin: 'null' })).toBe(403);
    expect(await refused('/feed', {})).toBe(404);
    const own = new Client(app.port, undefined, { origin: `http://127.0.0.1:${app.port}` });
    await own.open();
    own.socket.close();
  });

  test('sends nothing that its user may no longer see, from the next event on', async () => {
    const client = await openSocketAs(app, 'vic');
    client.send(
      subscribe(
        '1',
        'subscription { activity(types: ["document.created", "document.updated"]) { subjectId } }',
      ),
    );
    const write = async (classification: string) =>
      (
        await app.post<{ id: number }>('/v1/orgs/acme/docs', {
          as: 'ada',
          body: { title: 'T', body: 'B', classification },
        })
      ).body.id;
    await write('public');
    await waitUntil(async () => (await write('public')) > 0 && client.messages.length > 2, 'the first event');
    const secret = await write('confidential');
    const seen = () => client.messages.map(({ payload }) => JSON.stringify(payload)).join();
    const update = (title: string) =>
      app.patch(`/v1/orgs/acme/docs/${secret}`, { as: 'ada', body: { title } });
    const open = await write('public');
    await waitUntil(() => seen().includes(`"subjectId":"${open}"`), 'the event after it');
    expect(seen()).not.toContain(`"subjectId":"${secret}"`);
    await app.post(`/v1/orgs/acme/docs/${secret}/shares`, {
      as: 'ada',
      body: { user_id: 3, relation: 'reader' },
    });
    await update('shared');
    await waitUntil(() => seen().includes(`"subjectId":"${secret}"`), 'the shared document');
    await app.delete(`/v1/orgs/acme/docs/${secret}/shares/3`, { as: 'ada' });
    const receivedBefore = client.messages.length;
    await update('secret again');
    const last = await write('public');
    await waitUntil(() => seen().includes(`"subjectId":"${last}"`), 'the event after that');
    expect(
      client.messages
        .slice(receivedBefore)
        .map(({ payload }) => JSON.stringify(payload))
        .join(),
    ).not.toContain(`"subjectId":"${secret}"`);
    client.socket.close();
  });
});
