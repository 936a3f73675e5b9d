/** Events are visible by the scope of their subject, for each event type and each door. */
import { beforeAll, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/auth/policy.ts';
import { insertEvent } from '../../src/db/queries/events.ts';
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { addMember } from '../support/fixtures/members.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';

interface Line {
  readonly type: string;
}

interface Page {
  readonly nodes: readonly (Line & { readonly id: string })[];
  readonly nextCursor: string | null;
}

/** The last event: a client that has it has received every earlier one. All callers here have its scope. */
const LAST: EventType = 'user.updated';

/** A type that only a newer version knows, whose instances use the same database during an upgrade. */
const UNKNOWN = 'parcel.sent';

/** One scope besides those that the feed and the last event require. */
const scopesWith = (scope: Scope): Scope[] => [...new Set<Scope>(['read:feed', 'read:users', scope])];

const visible = (scopes: readonly Scope[]) =>
  EVENT_TYPES.filter((type) => scopes.includes(EVENT_CATALOGUE[type].scope)).toSorted();

describeEachEngine('events', (engine) => {
  const app = startApp(engine);
  let start = '';
  let startId = 0;

  beforeAll(async () => {
    const { body } = await app.graphql<{ feed: { nodes: [{ id: string; cursor: string }] } }>(
      '{ feed(first: 1) { nodes { id cursor } } }',
      {},
      { as: 'ada' },
    );
    const [newest] = body.data?.feed.nodes ?? [];
    start = newest?.cursor ?? '';
    startId = Number(newest?.id);
    await engine.database.transaction(async (tx) => {
      for (const type of [UNKNOWN, ...EVENT_TYPES.filter((each) => each !== LAST), LAST]) {
        const subject = { subjectType: type.split('.')[0] ?? '', subjectId: 1 };
        await insertEvent(tx, {
          org: 'acme',
          type,
          actorId: 1,
          ...subject,
          data: {},
          createdAt: app.clock(),
        });
      }
    });
  });

  const pageOf = async (token: string, types: readonly string[] | undefined, after: string | undefined) => {
    const document = `query ($types: [String!], $after: String) {
      feed(first: 5, types: $types, after: $after) { nodes { id type } nextCursor }
    }`;
    const { body } = await app.graphql<{ feed: Page }>(document, { types, after }, { as: { token } });
    if (!body.data) throw new Error('The feed returned no page.');
    return body.data.feed;
  };
  const typesOf = (lines: readonly Line[]) => lines.map(({ type }) => type).toSorted();

  test('of every type are visible with a read or manage scope', () => {
    for (const type of EVENT_TYPES) expect(EVENT_CATALOGUE[type].scope).toMatch(/^(read|manage):/);
    expect(visible(SCOPES)).toEqual(EVENT_TYPES.toSorted());
  });

  test.each(SCOPES)(
    'with %s: the feed has the same types on every page, with or without a filter',
    async (scope) => {
      const scopes = scopesWith(scope);
      const { token } = await app.signIn('ada', scopes);
      for (const types of [undefined, EVENT_TYPES]) {
        const seen: Line[] = [];
        for (let after: string | null | undefined; after !== null; ) {
          const page: Page = await pageOf(token, types, after);
          // Every page but the last is full: no event is filtered out after it was read.
          if (page.nextCursor) expect(page.nodes).toHaveLength(5);
          const fresh = page.nodes.filter(({ id }) => Number(id) > startId);
          seen.push(...fresh);
          after = fresh.length === page.nodes.length ? page.nextCursor : null;
        }
        expect([...new Set(typesOf(seen))]).toEqual(visible(scopes));
      }
    },
  );

  test.each(SCOPES)('with %s: subscriptions and event streams', async (scope) => {
    const scopes = scopesWith(scope);
    const { token } = await app.signIn('ada', scopes);
    const client = await new SocketClient(app.port).open({ accessToken: token });
    const query = 'subscription ($after: String) { activity(after: $after) { id type } }';
    client.send(subscribe('1', query, { after: start }));
    const events = await openEventStream(`${app.url}/feed`, token, { 'last-event-id': start });
    const sent = (): Line[] =>
      client.messages
        .filter(({ type }) => type === 'next')
        .map(({ payload }) => (payload as { data: { activity: Line } }).data.activity);
    await waitUntil(() => sent().some(({ type }) => type === LAST), 'the last event');
    await waitUntil(() => events.text.includes(`"type":"${LAST}"`), 'the last event by SSE');
    const streamed = [...events.text.matchAll(/"type":"(\w+\.\w+)"/g)].map(([, type = '']) => type);
    client.socket.close();
    events.stop();
    const expected = visible(scopes);
    expect([...new Set(typesOf(sent()))]).toEqual(expected);
    expect([...new Set(streamed)].toSorted()).toEqual(expected);
  });

  test.each(SCOPES)('with %s: the unread count', async (scope) => {
    const scopes = scopesWith(scope);
    await app.graphql(
      'mutation ($id: ID!) { markFeedRead(eventId: $id) { id } }',
      { id: startId },
      { as: 'ada' },
    );
    const unread = async (as: { token: string }) =>
      (await app.graphql('{ me { unreadNotifications } }', {}, { as })).body.data?.['me'];
    const newer = await app.events(startId);
    const count = newer.filter(
      ({ type, org }) => org === 'acme' && visible(scopes).includes(type as EventType),
    );
    expect(await unread(await app.signIn('ada', scopes))).toEqual({ unreadNotifications: count.length });
    expect(await unread(await app.signIn('ada', ['read:users']))).toEqual({ unreadNotifications: null });
  });

  test('of an unknown type: they are in no list, also with every scope', async () => {
    const as = await app.signIn('ada');
    const { status, body } = await app.get<{ data: readonly Line[] }>('/feed?limit=100', { as });
    expect(status).toBe(200);
    const types = typesOf(body.data);
    expect(types).toContain(LAST);
    expect(types).not.toContain(UNKNOWN);
  });

  test('with read:feed alone: no events, and no error', async () => {
    const key = await createKey(app, { scopes: ['read:feed'] });
    const headers = { authorization: `ApiKey ${key.key}` };
    for (const path of ['/feed', '/feed?type=order.created', '/feed?type=charge.succeeded']) {
      const response = await app.get(path, { headers });
      expect([response.status, response.body]).toEqual([200, { data: [], next_cursor: null }]);
    }
  });

  test('of a demoted user: the new role applies from the next event on', async () => {
    const member = await addMember(app, 'admin');
    const { token } = await app.signIn('ada');
    const session = await app.post<{ access_token: string }>('/v1/auth/login', {
      body: { email: member.email, password: member.password },
    });
    const as = { token: session.body.access_token };
    const client = await new SocketClient(app.port).open({ accessToken: as.token });
    client.send(subscribe('1', 'subscription { activity { type } }'));
    const typesSent = () =>
      client.messages
        .filter(({ type }) => type === 'next')
        .map(({ payload }) => (payload as { data: { activity: Line } }).data.activity.type);
    // Missing events are detected by the ones after them.
    const order = () =>
      app.post('/v1/users/1/orders', { as: { token }, body: { items: [{ product_id: 1, qty: 1 }] } });
    await waitUntil(async () => {
      await order();
      return typesSent().length > 0;
    }, 'the stream to have begun');
    await createKey(app);
    await waitUntil(() => typesSent().includes('api_key.created'), 'the key');
    await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
    await createKey(app);
    await order();
    await waitUntil(
      () => typesSent().lastIndexOf('order.created') > typesSent().indexOf('user.role_changed'),
      'an order',
    );
    const after = typesSent().slice(typesSent().indexOf('user.role_changed'));
    expect(after).toEqual(['user.role_changed', 'order.created']);
    const feed = await app.get<{ data: Line[] }>('/feed?limit=100', { as });
    expect(feed.body.data.filter(({ type }) => /^(api_key|webhook)/.test(type))).toEqual([]);
    client.socket.close();
  });
});
