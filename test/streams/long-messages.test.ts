/** Messages that are longer than the backlog of a stream: clients that read get all of them. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { endOfLog, openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';

const DOCUMENTS = 20;
const BODY = 'x'.repeat(60_000);
const EVENTS = 3;

/** Subscriptions on one connection, each with messages that fit the backlog, but not all together. */
const SUBSCRIPTIONS = 20;

describeEachEngine('a long message', (engine) => {
  const app = startApp(engine);
  let order = 0;

  /** Creates an order of a person with long documents, whose result is longer than the backlog. */
  const prepare = async () => {
    if (order > 0) return;
    for (let count = 0; count < DOCUMENTS; count += 1) {
      const body = { title: 'Long', body: BODY };
      expect((await app.post('/v1/orgs/acme/docs', { as: 'ada', body })).status).toBe(201);
    }
    const body = { items: [{ product_id: 1, qty: 1 }] };
    const created = await app.post<{ id: number }>('/v1/users/1/orders', { as: 'ada', body });
    order = created.body.id;
    expect(DOCUMENTS * BODY.length).toBeGreaterThan(LIMITS.streamBacklogBytes);
  };
  let qty = 1;
  const change = async () => {
    for (let count = 0; count < EVENTS; count += 1) {
      qty += 1;
      const body = { items: [{ product_id: 1, qty }] };
      expect((await app.put(`/v1/orders/${order}`, { as: 'ada', body })).status).toBe(200);
    }
  };
  const query = (after: string, last = DOCUMENTS) =>
    `subscription { orderChanged(id: ${order}, after: "${after}") { version user { documents(last: ${last}) { body } } } }`;
  const nexts = ({ messages }: SocketClient) => messages.filter(({ type }) => type === 'next').length;

  test.each(['live', 'while catching up'])('reaches clients on every kind of stream, %s', async (when) => {
    await prepare();
    const { token } = await app.signIn('ada');
    const after = await endOfLog(app, 'ada');
    if (when === 'while catching up') await change();
    const stream = await openEventStream(`${app.url}/graphql`, token, {}, query(after));
    const socket = await new SocketClient(app.port).open({ accessToken: token });
    socket.send(subscribe('1', query(after)));
    const several = await new SocketClient(app.port).open({ accessToken: token });
    for (let id = 1; id <= SUBSCRIPTIONS; id += 1) several.send(subscribe(`${id}`, query(after, 1)));
    if (when === 'live') await change();
    const count = () => [...stream.text.matchAll(/^event: next$/gm)].length;
    await waitUntil(() => stream.ended || count() === EVENTS, 'the events');
    await waitUntil(() => socket.closed !== undefined || nexts(socket) === EVENTS, 'the messages');
    const all = SUBSCRIPTIONS * EVENTS;
    await waitUntil(() => several.closed !== undefined || nexts(several) === all, 'the messages of several');
    expect([count(), nexts(socket), nexts(several)]).toEqual([EVENTS, EVENTS, all]);
    expect([socket.closed, several.closed, stream.ended]).toEqual([undefined, undefined, false]);
    stream.stop();
    for (const client of [socket, several]) client.socket.close();
  });

  test('reaches a client that reads slower than a stream is cut', async () => {
    await prepare();
    const { token } = await app.signIn('ada');
    const after = await endOfLog(app, 'ada');
    await change();
    // Again if the machine has paused as well.
    for (let isRead = false; !isRead; ) {
      const stream = await openEventStream(`${app.url}/graphql`, token, {}, query(after));
      let [readAt, longest] = [performance.now(), 0];
      // Reads for a short time out of a longer one.
      const pauses = setInterval(() => {
        longest = Math.max(longest, performance.now() - readAt);
        readAt = performance.now();
        stream.answer.resume();
        setTimeout(() => stream.answer.pause(), 20);
      }, LIMITS.socketCloseTimeout / 4);
      await waitUntil(
        () => stream.ended || [...stream.text.matchAll(/^event: next$/gm)].length === EVENTS,
        'the events',
      );
      clearInterval(pauses);
      isRead = !stream.ended;
      if (!isRead) expect(longest).toBeGreaterThan(LIMITS.socketCloseTimeout / 2);
      stream.stop();
    }
  });
});
