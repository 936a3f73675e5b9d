import { beforeAll, describe, expect, test } from 'vitest';
import { purgeEventsBefore } from '../../src/db/queries/log-starts.ts';
import { restFolder, startApp } from '../support/app.ts';
import { codesOf, type ErrorBody, type Sender } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { shareDocument, writeDocument } from '../support/fixtures/documents.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream } from '../support/raw-clients.ts';
import type { CursorPage } from '../support/response-bodies.ts';

interface FeedItem {
  readonly id: number;
  readonly type: string;
  readonly actor_id: number | null;
  readonly subject: { readonly type: string; readonly id: number };
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

type Page = CursorPage<FeedItem>;

describeEachEngine('the feed', (engine) => {
  const app = startApp(engine);

  const pageAt = async (query: string, as: Sender = 'ada'): Promise<Page> => {
    const { status, body, text } = await app.get<Page>(`/feed?${query}`, { as });
    expect(status, text).toBe(200);
    return body;
  };
  const failureAt = async (query: string, as: Sender = 'ada') => {
    const { status, body } = await app.get<ErrorBody>(`/feed?${query}`, { as });
    return [status, body.error.code, body.error.details?.map(({ path }) => path)];
  };
  const wholeFeed = async (query: string, between: () => Promise<unknown> = async () => {}) => {
    const items: FeedItem[] = [];
    let cursor: string | null = null;
    do {
      const next: Page = await pageAt(`${query}${cursor ? `&cursor=${cursor}` : ''}`);
      items.push(...next.data);
      cursor = next.next_cursor;
      await between();
    } while (cursor);
    return items;
  };
  const countOf = async (as: Sender) => {
    const { body } = await app.graphql<{ me: { unreadNotifications: number } }>(
      '{ me { unreadNotifications } }',
      {},
      { as },
    );
    return body.data?.me.unreadNotifications;
  };

  test('lists events, newest first, with the same result over REST and GraphQL', async () => {
    const order = await placeOrder(app);
    const { data } = await pageAt('limit=2');
    expect(data[0]).toEqual({
      id: expect.any(Number),
      type: 'order.created',
      actor_id: 1,
      subject: { type: 'order', id: order.id },
      data: { user_id: 1, status: 'pending', total: order.total, currency: 'USD' },
      created_at: '2026-09-01T12:00:00.000Z',
    });
    expect((await app.get(`/feed/${data[0]?.id}`, { as: 'ada' })).body).toEqual(data[0]);
    expectError(await app.get('/feed/999999', { as: 'ada' }), { status: 404, code: 'not_found' });
    const { body } = await app.graphql<{ feed: { nodes: unknown[] } }>(
      '{ feed(first: 1) { nodes { id type actorId actor { name } subjectType subjectId subject { type id } data createdAt } } }',
      {},
      { as: 'ada' },
    );
    expect(body.data?.feed.nodes[0]).toEqual({
      id: String(data[0]?.id),
      type: 'order.created',
      actorId: '1',
      actor: { name: expect.any(String) },
      subjectType: 'order',
      subjectId: String(order.id),
      subject: { type: 'order', id: String(order.id) },
      data: data[0]?.data,
      createdAt: data[0]?.created_at,
    });
  });

  describe('page by page', () => {
    beforeAll(async () => {
      // The clock stands still: all of these have the same timestamp.
      for (let n = 0; n < 30; n += 1) await placeOrder(app);
    });

    test.each(['limit=7', 'limit=7&type=order.created', 'limit=5&type=order.created&type=order.shipped'])(
      '%s returns each event once while new ones are written',
      async (query) => {
        const before = await wholeFeed(query.replace(/limit=\d/, 'limit=100'));
        const paged = await wholeFeed(query, () => placeOrder(app));
        expect(paged).toEqual(before);
        const ids = paged.map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((a, b) => b - a));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeGreaterThan(30);
      },
    );

    test('a filter may name several types, in any order and more than once', async () => {
      const first = await pageAt('limit=3&type=order.shipped&type=order.created');
      const rest = await pageAt(
        `limit=3&type=order.created&type=order.shipped&type=order.created&cursor=${first.next_cursor}`,
      );
      const ids = [...first.data, ...rest.data].map(({ id }) => id);
      expect(new Set(ids).size).toBe(6);
      const types = new Set((await wholeFeed('limit=100&type=order.shipped')).map(({ type }) => type));
      expect(types).toEqual(new Set(['order.shipped']));
    });

    test('returns 400 for a modified cursor, or one of another list, organisation or filter', async () => {
      const { next_cursor: plain } = await pageAt('limit=1');
      const { next_cursor: filtered } = await pageAt('limit=1&type=order.created');
      const { body: products } = await app.get<CursorPage<unknown>>('/v1/products?limit=1', { as: 'ada' });
      const { body } = await app.graphql<{ feed: { nodes: { cursor: string }[] } }>(
        '{ feed(first: 1) { nodes { cursor } } }',
        {},
        { as: 'gil' },
      );
      const foreign = body.data?.feed.nodes[0]?.cursor;
      const changed = `${plain?.slice(0, -1)}${plain?.endsWith('A') ? 'B' : 'A'}`;
      const invalid = [400, 'invalid_cursor', undefined];
      expect(await failureAt(`cursor=${changed}`)).toEqual(invalid);
      expect(await failureAt('cursor=1')).toEqual(invalid);
      expect(await failureAt(`cursor=${products.next_cursor}`)).toEqual(invalid);
      expect(await failureAt(`cursor=${plain}&type=order.created`)).toEqual(invalid);
      expect(await failureAt(`cursor=${filtered}`)).toEqual(invalid);
      expect(await failureAt(`cursor=${filtered}&type=order.shipped`)).toEqual(invalid);
      expect(await failureAt(`cursor=${plain}`, 'gil')).toEqual(invalid);
      expect(await failureAt(`cursor=${foreign}`)).toEqual(invalid);
      await pageAt(`cursor=${plain}`);
      await pageAt(`cursor=${filtered}&type=order.created`);
    });

    test('names an unknown type in GraphQL as well', async () => {
      const response = await app.graphql(
        '{ feed(types: ["order.created", "order"]) { nodes { id } } }',
        {},
        { as: 'ada' },
      );
      expect(codesOf(response)).toEqual(['validation_failed']);
      expect(response.body.errors?.[0]?.extensions.details).toEqual([
        {
          path: 'types.1',
          message: 'must be an event type, such as order.created; only webhooks accept patterns',
        },
      ]);
      const none = await app.graphql('{ feed(types: []) { nodes { id } } }', {}, { as: 'ada' });
      expect(codesOf(none)).toEqual(['validation_failed']);
    });
  });

  describe('is continued by a stream', () => {
    /** Opens a stream, and returns the ids of its first events, and its last cursor. */
    async function follow(path: string, count: number, headers: Record<string, string> = {}) {
      const stream = await openEventStream(`${app.url}${path}`, (await app.signIn('ada')).token, headers);
      const ids = () => [...stream.text.matchAll(/^data: \{"id":(\d+),/gm)].map(([, id]) => Number(id));
      await waitUntil(() => ids().length >= count, `events of ${path}`);
      stream.stop();
      return { ids: ids(), cursor: stream.lastId ?? '' };
    }

    const streamAfter = async (path: string) => {
      const { headers } = await app.get(path, { as: 'ada' });
      return /<([^>]+)>; rel="monitor"/.exec(headers.get('link') ?? '')?.[1];
    };

    const pageOf = async (args: string) => {
      const query = `{ feed(${args}) { edges { cursor } pageInfo { startCursor } streamCursor } }`;
      const { body } = await app.graphql<{
        feed: {
          edges: { cursor: string }[];
          pageInfo: { startCursor: string };
          streamCursor: string | null;
        };
      }>(query, {}, { as: 'ada' });
      return body.data?.feed;
    };

    test.each(['/feed?limit=2', '/feed?limit=2&type=order.created&type=order.shipped'])(
      'after the newest event of %s, to which it links',
      async (path) => {
        await placeOrder(app);
        await placeOrder(app);
        const { body } = await app.get<Page>(path, { as: 'ada' });
        const url = (await streamAfter(path)) ?? '';
        const later = [await placeOrder(app), await placeOrder(app)];
        const { ids, cursor } = await follow(url, 2);
        expect((await pageAt('limit=2')).data.map(({ id }) => id)).toEqual(ids.toReversed());
        expect((await pageAt('limit=2')).data.map(({ subject }) => subject.id)).toEqual(
          later.map(({ id }) => id).toReversed(),
        );
        // The cursor of an event leads to the events before it, with any filter.
        const [before] = (await pageAt(`limit=2&cursor=${cursor}&type=order.created`)).data;
        expect(before?.id).toBe(ids[0]);
        // The next page links to no stream, since the first page has newer events.
        expect(await streamAfter(`${path}&cursor=${body.next_cursor}`)).toBeUndefined();
      },
    );

    test('after a page without events, at the end of the log before it was read', async () => {
      const path = '/feed?type=api_key.created';
      expect((await pageAt('type=api_key.created')).data).toEqual([]);
      const url = (await streamAfter(path)) ?? '';
      expect(new URL(url, app.url).searchParams.get('type')).toBe('api_key.created');
      await placeOrder(app);
      await app.post('/v1/api-keys', { as: 'ada', body: { name: 'ci', scopes: ['read:feed'] } });
      const { ids } = await follow(url, 1);
      expect((await pageAt('type=api_key.created')).data.map(({ id }) => id)).toEqual(ids);
    });

    test('after the cursor of any position of a page with the same types', async () => {
      const page = await pageOf('first: 2, types: ["order.created"]');
      const [first, second] = (await pageAt('limit=2&type=order.created')).data;
      const { id } = await placeOrder(app);
      const start = page?.pageInfo.startCursor ?? '';
      expect(page?.edges[0]?.cursor).toBe(start);
      for (const headers of [{ 'last-event-id': start }, { 'last-event-id': page?.streamCursor ?? '' }]) {
        const { ids } = await follow('/feed?type=order.created', 1, headers);
        expect(ids[0]).toBeGreaterThan(first?.id ?? 0);
      }
      const { ids } = await follow(`/feed?type=order.created&cursor=${page?.edges[1]?.cursor}`, 2);
      expect(ids.slice(0, 1)).toEqual([first?.id]);
      expect(second?.id).toBeLessThan(first?.id ?? 0);
      expect((await pageAt('limit=1')).data[0]?.subject.id).toBe(id);
      const stream = { accept: 'text/event-stream', 'last-event-id': start };
      const refused = await app.get<ErrorBody>('/feed', { as: 'ada', headers: stream });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_cursor']);
    });

    const ACTIVITY = encodeURIComponent('subscription { activity { id } }');

    test.each(['/feed?cursor=', `/graphql?query=${ACTIVITY}&lastEventId=`])(
      'after the last id that a library adds to %s',
      async (path) => {
        const [newest, older] = (await pageOf('first: 2'))?.edges ?? [];
        const { id } = await placeOrder(app);
        const url = `${app.url}${path}${older?.cursor}&lastEventId=${newest?.cursor}`;
        const stream = await openEventStream(url, (await app.signIn('ada')).token);
        await waitUntil(() => stream.text.includes('\ndata: '), `an event of ${path}`);
        stream.stop();
        const [event] = (await pageAt('limit=1')).data;
        expect(event?.subject.id).toBe(id);
        expect(/"id":"?(\d+)/.exec(stream.text)?.[1]).toBe(String(event?.id));
      },
    );
  });

  test('hides events of documents from callers that may not read them', async () => {
    const secret = await writeDocument(app, 'ada', { classification: 'confidential' });
    const subjects = async (as: Sender) =>
      (await pageAt('limit=10&type=document.created', as)).data.map(({ subject }) => subject.id);
    expect(await subjects('ada')).toContain(secret.id);
    expect(await subjects('vic')).not.toContain(secret.id);
    await shareDocument(app, secret.id, 3, 'reader');
    expect(await subjects('vic')).toContain(secret.id);
    expect(await subjects('gil')).not.toContain(secret.id);
  });

  test('events marked as read are not counted, and never become unread again', async () => {
    await placeOrder(app);
    await placeOrder(app);
    const [newest, second] = (await pageAt('limit=2', 'vic')).data;
    const mark = async (eventId?: number, as: Sender = 'vic') => {
      const document = 'mutation ($id: ID) { markFeedRead(eventId: $id) { id unreadNotifications } }';
      const { body } = await app.graphql<{ markFeedRead: { unreadNotifications: number } | null }>(
        document,
        eventId === undefined ? {} : { id: eventId },
        { as },
      );
      return body.data?.markFeedRead?.unreadNotifications ?? body.errors?.[0]?.extensions.code;
    };
    expect(await mark(second?.id)).toBe(1);
    expect(await countOf('vic')).toBe(1);
    expect(await mark(newest?.id)).toBe(0);
    expect(await mark(second?.id)).toBe(0);
    const before = await app.fingerprint();
    expect(await mark()).toBe(0);
    await placeOrder(app);
    expect(await countOf('vic')).toBe(1);
    expect(await mark()).toBe(0);
    // Marking events as read writes no event.
    expect((await app.fingerprint()).events.newest).toBe(before.events.newest + 1);
    expect(await mark(newest?.id, 'gil')).toBe('forbidden');
    expect(await mark(2 ** 40)).toBe('not_found');
    const { body: key } = await app.post<{ key: string }>('/v1/api-keys', {
      as: 'ada',
      body: { name: 'reader', scopes: ['read:feed'] },
    });
    const byKey = await app.graphql(
      'mutation { markFeedRead { id } }',
      {},
      { headers: { authorization: `ApiKey ${key.key}` } },
    );
    expect(codesOf(byKey)).toEqual(['forbidden']);
  });
});

describeEachEngine('a log with limited retention', (engine) => {
  const app = startApp(engine);

  test('returns 410 for a deleted position, with the oldest available cursor', async () => {
    const { body: feed } = await app.graphql<{ feed: { nodes: [{ cursor: string }] } }>(
      '{ feed(first: 1) { nodes { cursor } } }',
      {},
      { as: 'ada' },
    );
    const tooOld = feed.data?.feed.nodes[0].cursor ?? '';
    await placeOrder(app);
    await engine.database.transaction((tx) => purgeEventsBefore(tx, new Date('2999-01-01T00:00:00Z'), 1000));
    const { status, body } = await app.get<{ error: { code: string; oldest_cursor: string } }>('/feed', {
      as: 'ada',
      headers: { accept: 'text/event-stream', 'last-event-id': tooOld },
    });
    expect([status, body.error.code]).toEqual([410, 'resume_expired']);
    expect(body.error.oldest_cursor).not.toBe(tooOld);
  });
});

describeOnSqlite('a route for the newest events only', (engine) => {
  const documents = `
    query GetNews @rest(method: GET, path: "/news") {
      feed(first: 2) { data: nodes { id } at: streamCursor @streamLink }
    }
    subscription StreamNews($cursor: String) @rest(method: GET, path: "/news") {
      activity(after: $cursor) { id }
    }`;
  const app = startApp(engine, { restFolder: restFolder({ 'news.graphql': documents }, 'own documents') });

  test('links to its stream', async () => {
    const { headers } = await app.get('/news', { as: 'ada' });
    expect(headers.get('link')).toMatch(/^<\/news\?cursor=[\w-]+>; rel="monitor"$/);
  });
});
