import { afterEach, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { type Following, followWithAll } from '../support/stream-clients.ts';

describeEachEngine('streams', (engine) => {
  const app = startApp(engine);
  const followers: Following[] = [];

  afterEach(() => {
    for (const follower of followers.splice(0)) follower.stop();
  });

  const newestCursor = async () => {
    const { body } = await app.graphql<{ feed: { nodes: { id: string; cursor: string }[] } }>(
      '{ feed(first: 1) { nodes { id cursor } } }',
      {},
      { as: 'ada' },
    );
    const [node] = body.data?.feed.nodes ?? [];
    return { id: Number(node?.id), cursor: node?.cursor ?? '' };
  };

  test('common clients receive every event once and in order, despite disconnections', async () => {
    const { id, cursor } = await newestCursor();
    await placeOrder(app);
    followers.push(
      ...(await followWithAll({ url: () => app.url, token: (await app.signIn('ada')).token, after: cursor })),
    );
    for (let n = 0; n < 20; n += 1) {
      // Alone, and several at once.
      await Promise.all(Array.from({ length: n % 4 }, () => placeOrder(app)));
      if (n % 5 === 3) for (const follower of followers) follower.cut();
    }
    const written = (await app.events(id)).filter(({ org }) => org === 'acme').map((event) => event.id);
    expect(written).toHaveLength(31);
    for (const follower of followers) {
      await waitUntil(
        () => follower.received.length >= written.length,
        `${follower.name} to have everything`,
      );
      expect(follower.received.map((event) => event.id)).toEqual(written);
      expect(follower.connections).toBeGreaterThan(1);
    }
  });
});
