/** Streams whose rights change: removed users, revoked keys, new roles and expiry. */
import { expect, test } from 'vitest';
import { LIMITS, MINUTE } from '../../src/core/limits.ts';
import { Janitor } from '../../src/jobs/janitor.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey, letPass } from '../support/fixtures/api-keys.ts';
import { writeDocument } from '../support/fixtures/documents.ts';
import { addMember, type Member, signIn } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { waitUntil } from '../support/process.ts';
import { eventsIn, type Message, openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';

const ACTIVITY = 'subscription ($types: [String!]) { activity(types: $types) { type subjectId cursor } }';

interface Result {
  readonly activity: { readonly type: string; readonly subjectId: string; readonly cursor: string };
  readonly orderChanged: { readonly id: string; readonly status: string } | null;
}

type SignedIn = Awaited<ReturnType<typeof signIn>>;

describeEachEngine('a stream', (engine) => {
  const app = startApp(engine);

  const resultsOf = ({ messages }: SocketClient) =>
    messages.filter(({ type }) => type === 'next').map(({ payload }) => (payload as { data: Result }).data);
  const subjectsOf = (client: SocketClient) =>
    resultsOf(client).map(({ activity }) => Number(activity.subjectId));
  const read = async () => readMetrics((await app.get('/metrics')).text);
  const open = async (door: string) => sumOf(await read(), 'portico_subscriptions_open', { door });
  const isOpen = (door: string, count: number) =>
    waitUntil(async () => (await open(door)) === count, `${count} streams by ${door}`);
  /** The only WebSocket subscription at this time. */
  const follow = async (params: Message, query = ACTIVITY, variables?: Message) => {
    await isOpen('websocket', 0);
    const client = await new SocketClient(app.port).open(params);
    client.send(subscribe('1', query, variables));
    await isOpen('websocket', 1);
    return client;
  };
  const has = (client: SocketClient, subjectId: number) =>
    waitUntil(() => subjectsOf(client).includes(subjectId), `an event of ${subjectId}`);

  test('ends with 4403 when its user is removed, before that event', async () => {
    const member = await addMember(app, 'editor');
    const client = await follow({ accessToken: (await signIn(app, member)).token });
    const { id } = await placeOrder(app);
    await has(client, id);
    await app.delete(`/v1/orgs/acme/users/${member.id}`, { as: 'ada' });
    await placeOrder(app);
    expect(await client.end()).toBe(4403);
    const { cursor } = resultsOf(client).at(-1)?.activity ?? {};
    expect(client.closed?.reason).toBe(`invalid_token; cursor=${cursor}`);
    expect(subjectsOf(client)).toEqual([id]);
  });

  test('ends with 4403 when its key is revoked, before that event', async () => {
    const key = await createKey(app, { scopes: ['read:feed', 'read:orders'] });
    const client = await follow({ authorization: `ApiKey ${key.key}` });
    const { id } = await placeOrder(app);
    await has(client, id);
    await app.delete(`/v1/api-keys/${key.id}`, { as: 'ada' });
    expect(await client.end()).toBe(4403);
    expect(client.closed?.reason).toMatch(/^invalid_token; cursor=/);
    expect(subjectsOf(client)).toEqual([id]);
  });

  test.each([
    {
      what: 'access token',
      authorize: async () => `Bearer ${(await signIn(app, await addMember(app, 'editor'))).token}`,
    },
    {
      what: 'API key',
      authorize: async () => {
        const expiresAt = new Date(app.clock().getTime() + MINUTE).toISOString();
        return `ApiKey ${(await createKey(app, { scopes: ['read:feed'], expires_at: expiresAt })).key}`;
      },
    },
  ])('ends when its $what expires, and says what has expired', async ({ what, authorize }) => {
    const stream = await openEventStream(`${app.url}/feed`, '', { authorization: await authorize() });
    letPass(app, LIMITS.accessTokenLifetime);
    await placeOrder(app);
    await waitUntil(() => stream.ended, 'the end of the event stream');
    const end = JSON.parse(eventsIn(stream.text).at(-1)?.data ?? '{}');
    expect(end).toMatchObject({ code: 'token_expired', message: `The ${what} has expired.` });
  });

  const endings: readonly [string, (member: Member, session: SignedIn) => Promise<unknown>][] = [
    [
      'its user signs out',
      (_member, { refresh_token }) => app.post('/v1/auth/logout', { body: { refresh_token } }),
    ],
    [
      'its session is ended',
      async ({ id }) => {
        const sessions = await app.get<{ data: { id: number }[] }>(`/v1/sessions?user_id=${id}`, {
          as: 'ada',
        });
        for (const each of sessions.body.data) await app.delete(`/v1/sessions/${each.id}`, { as: 'ada' });
      },
    ],
    [
      'its user changes the password elsewhere',
      async (member) => {
        const { token } = await signIn(app, member);
        await app.put(`/v1/users/${member.id}/password`, {
          headers: { authorization: `Bearer ${token}` },
          body: { current_password: member.password, new_password: 'another long secret' },
        });
      },
    ],
  ];
  test.each(endings)('ends with 4403 when %s, before the next event', async (_title, end) => {
    const member = await addMember(app, 'editor');
    const session = await signIn(app, member);
    const client = await follow({ accessToken: session.token });
    const { id } = await placeOrder(app);
    await has(client, id);
    await end(member, session);
    await placeOrder(app);
    expect(await client.end()).toBe(4403);
    expect(client.closed?.reason).toMatch(/^invalid_token; cursor=/);
    expect(subjectsOf(client).filter((subject) => subject > id)).toEqual([]);
  });

  test.each(endings)('ends with 4403 when %s, also without another event', async (_title, end) => {
    const member = await addMember(app, 'editor');
    const session = await signIn(app, member);
    const client = await follow({ accessToken: session.token });
    const stream = await openEventStream(`${app.url}/feed`, session.token);
    await end(member, session);
    expect(await client.end()).toBe(4403);
    await waitUntil(() => stream.text.includes('"code":"invalid_token"'), 'the end of the event stream');
  });

  test('continues with the rights of a new role, from the next event on', async () => {
    const member = await addMember(app, 'admin');
    const types = ['document.created'];
    const client = await follow({ accessToken: (await signIn(app, member)).token }, ACTIVITY, { types });
    const events = await openEventStream(
      `${app.url}/feed?type=document.created`,
      (await signIn(app, member)).token,
    );
    const write = async (classification: 'public' | 'confidential') =>
      (await writeDocument(app, 'ada', { classification })).id;
    const asAdmin = await write('confidential');
    await has(client, asAdmin);
    await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
    await write('confidential');
    const open = await write('public');
    await has(client, open);
    expect(subjectsOf(client)).toEqual([asAdmin, open]);
    await waitUntil(() => events.text.includes(`"id":${open}}`), 'the public document');
    const seen = [...events.text.matchAll(/"subject":\{"type":"document","id":(\d+)\}/g)];
    expect(seen.map(([, id]) => Number(id))).toEqual([asAdmin, open]);
    events.stop();
    client.socket.close();
  });

  test('of one order shows its state after each change, and null when it is deleted', async () => {
    const query = 'subscription ($id: ID!) { orderChanged(id: $id) { id status } }';
    const { id } = await placeOrder(app);
    const client = await follow({ accessToken: (await app.signIn('ada')).token }, query, { id: String(id) });
    await placeOrder(app);
    await app.patch(`/v1/orders/${id}`, { as: 'ada', body: { status: 'shipped' } });
    await waitUntil(() => resultsOf(client).length === 1, 'the change');
    const other = await placeOrder(app);
    await app.delete(`/v1/orders/${other.id}`, { as: 'ada' });
    expect(resultsOf(client)).toEqual([{ orderChanged: { id: String(id), status: 'shipped' } }]);

    client.send(subscribe('3', query, { id: String(other.id) }));
    expect(await client.got((message) => message['id'] === '3')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'not_found' } }],
    });
    const third = await placeOrder(app);
    client.send(subscribe('4', query, { id: String(third.id) }));
    await isOpen('websocket', 2);
    await app.delete(`/v1/orders/${third.id}`, { as: 'ada' });
    expect(await client.got((message) => message['id'] === '4' && message['type'] === 'next')).toMatchObject({
      payload: { data: { orderChanged: null } },
    });
    client.socket.close();
  });

  test('of one order that continues after its deletion shows the deletion', async () => {
    const { id } = await placeOrder(app);
    const feed = '{ feed(first: 1) { streamCursor } }';
    const { body } = await app.graphql<{ feed: { streamCursor: string } }>(feed, {}, { as: 'ada' });
    await app.delete(`/v1/orders/${id}`, { as: 'ada' });
    const client = await follow(
      { accessToken: (await app.signIn('ada')).token },
      'subscription ($id: ID!, $after: String) { orderChanged(id: $id, after: $after) { id } }',
      { id: String(id), after: body.data?.feed.streamCursor },
    );
    await waitUntil(() => resultsOf(client).length === 1, 'the deletion');
    expect(resultsOf(client)).toEqual([{ orderChanged: null }]);
    client.socket.close();
  });

  test('is refused after deleted events, with the cursor of the oldest retained one', async () => {
    const { body } = await app.graphql<{ feed: { nodes: [{ cursor: string }] } }>(
      '{ feed(first: 1) { nodes { cursor } } }',
      {},
      { as: 'ada' },
    );
    const tooOld = body.data?.feed.nodes[0].cursor ?? '';
    await placeOrder(app);
    const { events } = DEFAULTS;
    app.clock.advance(events.lifetime + 1);
    app.signOutAll();
    const janitor = new Janitor({
      events,
      database: engine.database,
      clock: app.clock,
      onFailure: () => undefined,
    });
    await janitor.sweep();
    expect(await app.events()).toEqual([]);
    const { id } = await placeOrder(app);
    const { token } = await app.signIn('ada');

    const refused = await openEventStream(`${app.url}/feed`, token, { 'last-event-id': tooOld });
    await waitUntil(() => refused.ended, 'the refusal');
    expect(refused.answer.statusCode).toBe(410);
    const { error: told } = JSON.parse(refused.text) as { error: { code: string; oldest_cursor: string } };
    expect(told.code).toBe('resume_expired');

    const query = 'subscription ($after: String) { activity(after: $after) { subjectId } }';
    const client = await new SocketClient(app.port).open({ accessToken: token });
    client.send(subscribe('1', query, { after: tooOld }));
    const { payload } = await client.got((message) => message['id'] === '1');
    const [error] = payload as [{ extensions: { code: string; oldestCursor: string } }];
    expect(error.extensions.code).toBe('resume_expired');
    const stream = await openEventStream(`${app.url}/feed`, token, { 'last-event-id': told.oldest_cursor });
    await waitUntil(() => stream.text.includes(`"id":${id}}`), 'the event after it');
    stream.stop();
    client.messages.splice(0);
    client.send(subscribe('2', query, { after: error.extensions.oldestCursor }));
    await client.got(({ type }) => type === 'next');
    expect(subjectsOf(client)).toEqual([id]);
    client.socket.close();
  });

  test('is counted while it is open, with the delay of its events', async () => {
    const lags = async () =>
      sumOf(await read(), 'portico_log_reader_lag_seconds_count', { reader: 'streams' });
    await isOpen('sse', 0);
    const { token } = await app.signIn('ada');
    const client = await follow({ accessToken: token });
    const streams = [
      await openEventStream(`${app.url}/feed`, token),
      await openEventStream(
        `${app.url}/graphql?query=${encodeURIComponent('subscription { activity { id } }')}`,
        token,
      ),
    ];
    expect([await open('sse'), await open('websocket')]).toEqual([2, 1]);
    const before = await lags();
    await placeOrder(app);
    await waitUntil(async () => (await lags()) > before, 'the event');
    for (const stream of streams) stream.stop();
    client.socket.close();
    await isOpen('sse', 0);
    await isOpen('websocket', 0);
  });
});
