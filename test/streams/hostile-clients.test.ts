/** Clients that try to exceed their rights or limits on WebSockets and server-sent events. */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { exchange, type Message, SocketClient, subscribe } from '../support/raw-clients.ts';

const ACTIVITY = 'subscription { activity { id } }';

describeEachEngine('a hostile client', (engine) => {
  const app = startApp(engine);
  const open = async (payload?: Message) => {
    const params = payload ?? { accessToken: (await app.signIn('ada')).token };
    return new SocketClient(app.port).open(params);
  };
  const events = async (path: string, headers: Record<string, string> = {}) => {
    const controller = new AbortController();
    const authorization = `Bearer ${(await app.signIn('ada')).token}`;
    const response = await fetch(`${app.url}${path}`, {
      headers: { accept: 'text/event-stream', authorization, ...headers },
      signal: controller.signal,
    });
    return { answer: response, stop: () => controller.abort() };
  };

  test('changes nothing by GET, even with Accept: text/event-stream', async () => {
    const before = await app.fingerprint();
    const query = encodeURIComponent(
      'mutation { createOrder(input: { userId: 1, items: [{ productId: 1, qty: 1 }] }) { id } }',
    );
    const { answer: response } = await events(`/graphql?query=${query}`);
    expect(response.status, await response.text()).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await app.fingerprint()).toEqual(before);
  });

  test.each(['in a header', 'in the URL'])(
    'gets no stream with HEAD and a token %s, only its headers',
    async (place) => {
      const { token } = await app.signIn('ada');
      const isInUrl = place === 'in the URL';
      const { status, headers, text } = await exchange(app.port, [
        `HEAD /feed${isInUrl ? `?access_token=${token}` : ''} HTTP/1.1`,
        'host: x',
        'accept: text/event-stream',
        ...(isInUrl ? [] : [`authorization: Bearer ${token}`]),
      ]);
      expect([status, headers.get('content-type'), text]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        '',
      ]);
    },
  );

  test('is disconnected when its key is revoked', async () => {
    const { id, key } = await createKey(app);
    const client = await open({ authorization: `ApiKey ${key}` });
    client.send(subscribe('1', '{ order(id: 1) { id } }'));
    await client.got(({ type }) => type === 'next');
    await app.delete(`/v1/api-keys/${id}`, { as: 'ada' });
    client.send(subscribe('2', '{ order(id: "1") { id } }'));
    expect(await client.end()).toBe(4403);
    expect(client.messages.filter((message) => message['id'] === '2')).toEqual([]);
  });

  test('gains nothing from reusing one id', async () => {
    const client = await open();
    for (let n = 0; n < 200; n += 1) {
      client.send(subscribe('1', ACTIVITY));
      client.send({ id: '1', type: 'complete' });
    }
    client.send({ type: 'ping' });
    await client.got(({ type }) => type === 'pong');
    // Operations that are being stopped still count.
    let later = 1;
    await waitUntil(() => {
      later += 1;
      client.send(subscribe(`${later}`, '{ me { id } }'));
      return client.messages.some(({ type }) => type === 'next');
    }, 'a later operation');
    const own = client.messages.filter(({ id }) => id === '1');
    for (const message of own) {
      expect(message).toMatchObject({
        type: 'error',
        payload: [{ extensions: { code: 'too_many_subscriptions' } }],
      });
    }
    client.socket.close();
  });

  test('gets an error for a duplicate id of any length', async () => {
    const client = await open();
    const id = 'x'.repeat(1000);
    client.send(subscribe(id, ACTIVITY));
    client.send(subscribe(id, ACTIVITY));
    expect(await client.end()).toBe(4409);
  });

  test('is refused for credentials that are not strings', async () => {
    for (const none of [{ toString: 1 }, [], 7, {}]) {
      for (const payload of [{ accessToken: none }, { authorization: none }]) {
        const client = new SocketClient(app.port);
        await once(client.socket, 'open');
        client.send({ type: 'connection_init', payload });
        expect(await client.end(), JSON.stringify(payload)).toBe(4403);
      }
    }
  });

  test('is disconnected if it sends requests without reading responses', async () => {
    const client = await open();
    client.socket.pause();
    const text = 'x'.repeat(60_000);
    let isCut = false;
    client.socket.on('error', () => {
      isCut = true;
    });
    const { _socket: connection } = client.socket as unknown as { _socket: NodeJS.EventEmitter };
    connection.on('close', () => {
      isCut = true;
    });
    for (let n = 0; n < 2000 && !isCut; n += 1) {
      client.send({ type: 'ping', payload: { text } });
      await turn();
    }
    client.socket.resume();
    expect(await client.end()).not.toBe(1005);
    const pongs = client.messages.filter(({ type }) => type === 'pong').length;
    expect(pongs).toBeLessThan(1000);
  });

  test('gets only its own results, even if others subscribe to nearly the same', async () => {
    const query =
      'subscription ($types: [String!] = ["document.created"]) { activity(types: $types) { type } }';
    const documents = await open();
    documents.send(subscribe('1', query));
    const everything = await open();
    everything.send(subscribe('1', query, { types: null }));
    await waitUntil(async () => {
      await placeOrder(app);
      return everything.messages.some(({ type }) => type === 'next');
    }, 'an order');
    expect(documents.messages.filter(({ type }) => type === 'next')).toEqual([]);
    documents.socket.close();
    everything.socket.close();
  });
});
