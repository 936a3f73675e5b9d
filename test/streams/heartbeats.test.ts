/** Heartbeats have the cursor of a stream that has passed events which its filter omits. */
import { expect, test } from 'vitest';
import { createCursors } from '../../src/core/cursors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { logEnd, logPosition } from '../../src/events/log-position.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';

const FILTERED = 'subscription { activity(types: ["grant.revoked"]) { id } }';
const OTHERS = 3;
const PATIENCE = 3 * LIMITS.streamHeartbeat;

describeEachEngine('a filtered stream', (engine) => {
  const app = startApp(engine);
  const cursors = createCursors(() => app.keys.secrets('cursors'));

  test('reports its progress', async () => {
    const { token } = await app.signIn('ada');
    const streams = [
      await openEventStream(`${app.url}/feed?type=grant.revoked`, token),
      await openEventStream(`${app.url}/graphql`, token, {}, FILTERED),
    ];
    const client = await new SocketClient(app.port).open({ accessToken: token });
    client.send(subscribe('1', FILTERED));
    await waitUntil(() => streams.every(({ lastId }) => lastId !== undefined), 'the streams');
    for (let count = 0; count < OTHERS; count += 1) await placeOrder(app);
    const cursor = logPosition.seal(cursors, 'acme', await logEnd(engine.database, 'acme'));
    await waitUntil(() => streams.every(({ lastId }) => lastId === cursor), 'the cursor', PATIENCE);
    for (const { text } of streams) {
      expect(text).toMatch(new RegExp(`\\n\\nid: ${cursor}\\n\\n$`));
      expect(text).not.toContain('data:');
    }
    await waitUntil(() => client.messages.some(({ type }) => type === 'ping'), 'the ping', PATIENCE);
    const ping = client.messages.findLast(({ type }) => type === 'ping');
    expect(ping?.['payload']).toEqual({ id: '1', cursor });
    for (const stream of streams) stream.stop();
    client.socket.close();
  });
});
