/** Floods of short messages on a WebSocket: they cost points, and each waits for a turn of the event loop. */
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { Backlog } from '../../src/http/streams/backlog.ts';
import { SocketConnection } from '../../src/http/streams/socket-connection.ts';
import { RequestCost } from '../../src/pipeline/request-cost.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { SocketClient } from '../support/raw-clients.ts';

const POINTS = 100;
const PER_SECOND = 10;

/** What a client without credentials can repeat, on a socket that has sent `connection_init`. */
const FLOODS: Readonly<Record<string, (client: SocketClient) => void>> = {
  pong: (client) => client.send({ type: 'pong' }),
  ping: (client) => client.send({ type: 'ping' }),
  complete: (client) => client.send({ type: 'complete', id: 'x' }),
  'ping frames': ({ socket }) => socket.ping(),
  'pong frames': ({ socket }) => socket.pong(),
  'messages in fragments': ({ socket }) => {
    socket.send('{"type":', { fin: false });
    socket.send('"pong"}', { fin: true });
  },
};

describeOnSqlite('short messages', (engine) => {
  const app = startApp(engine, { budget: { points: POINTS, perSecond: PER_SECOND } });
  afterEach(() => app.clock.advance((POINTS / PER_SECOND) * 1000));

  describe.each(Object.entries(FLOODS))('%s', (_name, send) => {
    test('close the socket when the points are used up', async () => {
      const client = await new SocketClient(app.port).open();
      // More than all points pay for, also with those that are refilled meanwhile.
      for (let count = 0; count < 2 * POINTS * LIMITS.socketMessagesPerPoint; count += 1) send(client);
      expect(await client.end()).toBe(1013);
      expect(client.closed?.reason).toBe('rate_limited');
    });
  });

  test('are handled one in a turn of the event loop', async () => {
    const client = await new SocketClient(app.port).open();
    onTestFinished(() => client.socket.close());
    /** Messages by the turn in which they were handled. */
    const handled = [0];
    let next = setImmediate(function count() {
      handled.push(0);
      next = setImmediate(count);
    });
    // Called for each message.
    const handling = vi.spyOn(Backlog.prototype, 'isFull').mockImplementation(() => {
      handled.push((handled.pop() ?? 0) + 1);
      return false;
    });
    onTestFinished(() => {
      clearImmediate(next);
      handling.mockRestore();
    });
    const sent = POINTS;
    for (let count = 0; count < sent; count += 1) client.send({ type: 'pong' });
    await expect.poll(() => handled.reduce((sum, each) => sum + each, 0)).toBe(sent);
    // The counter runs before or after the messages of a turn.
    expect(Math.max(...handled)).toBeLessThanOrEqual(2);
  });

  test('of an honest client cost nothing noticeable', async () => {
    const { token } = await app.signIn('ada');
    const left = async () =>
      Number(
        /;r=(\d+)/.exec(
          (await app.get('/v1/orders/nothing', { as: 'ada' })).headers.get('ratelimit') ?? '',
        )?.[1],
      );
    const client = await new SocketClient(app.port).open({ accessToken: token });
    onTestFinished(() => client.socket.close());
    const before = await left();
    for (let count = 1; count <= LIMITS.socketMessagesPerPoint; count += 1) {
      client.send({ type: 'ping' });
      await expect.poll(() => client.messages.filter(({ type }) => type === 'pong').length).toBe(count);
    }
    // One point for reading the budget.
    expect(before - (await left())).toBeLessThanOrEqual(2);
  });

  test('that are being paid for do not keep a socket from being closed in order', async () => {
    const opened = vi.spyOn(SocketConnection.prototype, 'acknowledge');
    onTestFinished(() => opened.mockRestore());
    const client = await new SocketClient(app.port).open();
    const connection = opened.mock.contexts[0];
    if (!(connection instanceof SocketConnection)) throw new Error('No socket was acknowledged.');
    const paid = Promise.withResolvers<void>();
    const paying = vi.spyOn(RequestCost.prototype, 'pay').mockReturnValue(paid.promise);
    onTestFinished(() => paying.mockRestore());
    for (let count = 0; count < LIMITS.socketMessagesPerPoint; count += 1) client.send({ type: 'pong' });
    await expect.poll(() => connection.socket.isPaused).toBe(true);
    connection.end(new ApiError('restarting'));
    paid.resolve();
    // Otherwise the client's confirmation would not be read, and the connection would be cut after a timeout.
    await expect.poll(() => connection.socket.isPaused).toBe(false);
    expect(await client.end()).toBe(1012);
  });

  test('of more fragments than any client sends close the socket', async () => {
    const client = await new SocketClient(app.port).open();
    client.socket.send('{"type":', { fin: false });
    for (let count = 0; count < LIMITS.socketMessageFragments; count += 1)
      client.socket.send('', { fin: false });
    expect(await client.end()).toBe(1008);
  });
});
