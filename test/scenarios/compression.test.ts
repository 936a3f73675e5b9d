/** Compression: responses from 1 KiB for clients that accept it; never streams or secrets. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { beginCompression } from '../../src/http/hooks/compression.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

interface Sent {
  readonly method?: string;
  readonly coding?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const DOCUMENT = '/v1/orgs/acme/docs';
const LIST = '/v1/users/1/orders?limit=20';
const QUERY = '{ orders(userId: 1, limit: 20) { nodes { id status total createdAt items { name qty } } } }';

describeEachEngine('compression', (engine) => {
  const app = startApp(engine);

  /** `fetch` decodes the body; this also returns its encoding. */
  async function send(path: string, { method = 'GET', coding = 'identity', headers, body }: Sent = {}) {
    const { token } = await app.signIn('ada');
    const response = await fetch(app.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'accept-encoding': coding,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      text: await response.text(),
      coding: response.headers.get('content-encoding'),
      etag: response.headers.get('etag'),
      length: Number(response.headers.get('content-length')),
      vary: response.headers.get('vary'),
    };
  }

  describe.each(['br', 'gzip'])('%s', (coding) => {
    test.each([
      ['a list', LIST],
      ['a page', '/docs'],
      ['a file', '/assets/pages/docs.js'],
      ['the description of the server', '/openapi.json'],
      ['GraphQL by GET', `/graphql?${new URLSearchParams({ query: QUERY })}`],
    ])('%s is smaller when compressed, and has the same content', async (_what, path) => {
      const plain = await send(path);
      // The second response may come from a cache.
      for (const packed of [await send(path, { coding }), await send(path, { coding })]) {
        expect([packed.status, packed.coding]).toEqual([200, coding]);
        expect(packed.text.length).toBe(plain.text.length);
        expect(packed.length).toBeLessThan(plain.length / 2);
        expect(packed.vary).toContain('Accept-Encoding');
      }
      expect(plain.coding).toBeNull();
      expect(plain.vary).toContain('Accept-Encoding');
    });

    test('GraphQL returns the same for new and known documents', async () => {
      const body = { query: `query Packed_${coding} ${QUERY}` };
      const plain = await send('/graphql', { method: 'POST', body: { query: QUERY } });
      const data = (text: string) => (JSON.parse(text) as { data: unknown }).data;
      for (const packed of [
        await send('/graphql', { method: 'POST', body, coding }),
        await send('/graphql', { method: 'POST', body, coding }),
      ]) {
        expect(packed.coding).toBe(coding);
        expect(data(packed.text)).toEqual(data(plain.text));
      }
    });

    test('an entity tag belongs to the encoded response, and works in conditions', async () => {
      const created = await app.post<{ id: number }>(DOCUMENT, {
        as: 'ada',
        body: { title: 'Long', body: 'Lorem ipsum. '.repeat(500), classification: 'internal' },
      });
      const path = `${DOCUMENT}/${created.body.id}`;
      expect((await send(path)).etag).toBe('"v1"');
      const { etag, coding: used } = await send(path, { coding });
      expect([etag, used]).toEqual([`"v1+${coding}"`, coding]);
      for (const tag of [`"v1+${coding}"`, '"v1"', `W/"v1+${coding}"`]) {
        const again = await send(path, { coding, headers: { 'if-none-match': tag } });
        expect([again.status, again.text, again.coding]).toEqual([304, '', null]);
        if (tag.startsWith('"v1+')) expect(again.etag).toBe(tag);
      }
      const change = { method: 'PATCH', body: { title: 'Longer' }, coding };
      const wrong = await send(path, { ...change, headers: { 'if-match': `"v2+${coding}"` } });
      expect(wrong.status).toBe(412);
      const changed = await send(path, { ...change, headers: { 'if-match': `"v1+${coding}"` } });
      expect([changed.status, changed.etag]).toEqual([200, `"v2+${coding}"`]);
      const back = await send(path, { ...change, body: { title: 'Long' }, headers: { 'if-match': '"v2"' } });
      expect(back.status).toBe(200);
    });

    test('HEAD returns the headers of GET', async () => {
      const [head, get] = [await send('/docs', { method: 'HEAD', coding }), await send('/docs', { coding })];
      expect([head.coding, head.etag, head.length]).toEqual([get.coding, get.etag, get.length]);
      expect(head.text).toBe('');
    });

    test('an unchanged page is not sent again', async () => {
      const { etag } = await send('/docs', { coding });
      const again = await send('/docs', { coding, headers: { 'if-none-match': etag ?? '' } });
      expect([again.status, again.text, again.etag]).toEqual([304, '', etag]);
    });
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', null],
    ['identity', null],
    ['zstd', null],
    ['identity, gzip;q=0.5', null],
    ['', null],
  ])('RFC 9110, 12.5.3: %s gets %s', async (accepted, coding) => {
    expect((await send(LIST, { coding: accepted })).coding).toBe(coding);
  });

  test('a short response is not compressed', async () => {
    const { coding, text } = await send('/healthz', { coding: 'br' });
    expect([coding, text]).toEqual([null, '{"status":"ok"}']);
    expect((await send('/v1/orders/1', { coding: 'br' })).coding).toBeNull();
  });

  test('a response with a secret is not compressed', async () => {
    const body = { url: `https://hooks.example.com/${'packed/'.repeat(200)}`, types: ['*'] };
    const { status, coding, text } = await send('/v1/webhooks', { method: 'POST', body, coding: 'br' });
    expect(status).toBe(201);
    expect(text).toContain('"secret"');
    expect(text.length).toBeGreaterThan(1024);
    expect(coding).toBeNull();
  });

  test('a stream is not compressed', async () => {
    const { token } = await app.signIn('ada');
    const gone = new AbortController();
    const response = await fetch(`${app.url}/feed`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        'accept-encoding': 'br, gzip',
      },
      signal: gone.signal,
    });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
    gone.abort();
  });

  test('responses are compressed while exports are, which can take long', async () => {
    const request = { headers: { 'accept-encoding': 'gzip' } };
    const exports = Array.from({ length: LIMITS.exportsAtOnce }, () => beginCompression(request));
    const { coding } = await send(LIST, { coding: 'gzip' });
    for (const each of exports) each?.stream.destroy();
    expect([...exports, { coding }].map((each) => each?.coding)).toEqual([...exports, 1].map(() => 'gzip'));
  });

  test('many simultaneous responses are equal, compressed or not', async () => {
    const { text } = await send(LIST);
    const all = await Promise.all(Array.from({ length: 40 }, () => send(LIST, { coding: 'br' })));
    for (const each of all) expect([each.status, each.text]).toEqual([200, text]);
    expect(all.some(({ coding }) => coding === 'br')).toBe(true);
  });
});

describeEachEngine(
  'disabled',
  (engine) => {
    const app = startApp(engine, { http: { compression: false } });

    test('sends an uncompressed response to a client that accepts compression', async () => {
      const response = await fetch(`${app.url}/docs`, { headers: { 'accept-encoding': 'br' } });
      expect(response.headers.get('content-encoding')).toBeNull();
    });
  },
  'sqlite',
);
