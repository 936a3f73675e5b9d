/** Response headers for browsers: security headers on every response, caching, and CORS. */
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { metadataPathOf, RESOURCE_PATHS } from '../../src/http/resources.ts';
import { GUIDES } from '../../src/rest/openapi/guides.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { exchange } from '../support/raw-clients.ts';

// These headers are added to every response, whatever the engine.
describeOnSqlite('headers for browsers on every response', (engine) => {
  const app = startApp(engine, { http: { corsOrigins: ['https://app.example'] } });

  const expectCommon = (headers: Pick<Headers, 'get'>) => {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('vary')).toMatch(/(^|, )Origin$/);
  };

  test.each(['/v1/orders/7', '/v1/nope', '/graphql', '/healthz', '/', '/images/user-1.svg'])(
    '%s',
    async (path) => expectCommon((await app.get(path)).headers),
  );

  const host = 'Host: x';
  const close = 'Connection: close';
  const stream = 'Accept: text/event-stream';
  test.each([
    { source: 'a route', line: 'GET /v1/orders/7', more: [host], status: 200, cache: 'private, no-cache' },
    {
      source: 'a stream',
      line: 'HEAD /feed',
      more: [host, stream],
      status: 200,
      cache: 'no-cache, no-store',
    },
    { source: 'a page', line: 'GET /', more: [host], status: 200, cache: 'public, no-cache' },
    { source: 'an unknown route', line: 'GET /nope', more: [host], status: 404, cache: 'private, no-cache' },
    { source: 'the router', line: 'GET /%zz', more: [host], status: 400, cache: 'private, no-cache' },
    { source: 'Node', line: 'GET /v1/orders/7', more: [], status: 400, cache: 'private, no-cache' },
  ])('are sent by $source, with $status', async ({ line, more, status, cache }) => {
    const { token } = await app.signIn('ada');
    const lines = [`${line} HTTP/1.1`, ...more, close, `Authorization: Bearer ${token}`];
    const response = await exchange(app.port, lines);
    expect(response.status).toBe(status);
    // The route's own value takes precedence over the default of every response.
    expect(response.headers.get('cache-control')).toBe(cache);
    const headers = new Headers([...response.headers]);
    expectCommon(headers);
    expect(headers.get('connection')).toBe('close');
  });

  test('the Host of a request is never echoed', async () => {
    for (const path of [
      '/',
      '/v1/users/1/orders/7',
      '/graphql',
      '/openapi.json',
      '/.well-known/jwks.json',
      '/nope',
    ]) {
      const lines = [
        `GET ${path} HTTP/1.1`,
        'Host: evil.test',
        'X-Forwarded-Host: evil.test',
        'Connection: close',
      ];
      const response = await exchange(app.port, lines);
      expect(response.text + [...response.headers.values()].join()).not.toContain('evil.test');
    }
  });

  describe('CORS', () => {
    const origin = 'https://app.example';

    test('a page of an allowed origin may read the response and its headers', async () => {
      const { headers } = await app.get('/v1/orders/7', { as: 'ada', headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Retry-After', 'WWW-Authenticate']));
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    });

    test.each([
      { path: '/v1/nope', status: 404 },
      { path: '/v1/products/50%', status: 400 },
    ])('and the refusal of $path, which is not sent without its preflight', async ({ path, status }) => {
      const ask = { origin, 'access-control-request-method': 'GET' };
      const preflight = await app.options(path, { headers: ask });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
      const { headers, ...refused } = await app.get(path, { as: 'ada', headers: { origin } });
      expect(refused.status).toBe(status);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    });

    test('its preflight request is allowed', async () => {
      const ask = {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization',
      };
      const response = await app.options('/v1/orders/7', { headers: ask });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
      const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'apollo-require-preflight',
          'apollographql-client-name',
          'apollographql-client-version',
          'authorization',
          'baggage',
          'dpop',
          'sentry-trace',
          'traceparent',
          'tracestate',
        ]),
      );
    });

    test.each(['https://evil.example', 'https://app.example.evil.test', 'http://app.example', 'null'])(
      'a page of %s may not read the response',
      async (other) => {
        const { headers } = await app.get('/v1/orders/7', { as: 'ada', headers: { origin: other } });
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('vary')).toContain('Origin');
        const ask = { origin: other, 'access-control-request-method': 'PATCH' };
        const response = await app.options('/v1/orders/7', { headers: ask });
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      },
    );

    test.each([
      '/.well-known/jwks.json',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      ...RESOURCE_PATHS.map(metadataPathOf),
    ])('pages of every origin may read %s', async (path) => {
      const { headers } = await app.get(path, { headers: { origin: 'https://evil.example' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
    });

    test.each([
      ['this server', PUBLIC_URL, 'open'],
      ['an allowed origin', origin, 'open'],
      ['another origin', 'https://evil.example', 'refused'],
      ['no origin', 'null', 'refused'],
    ])('a WebSocket of a page %s is %s: %s', async (_, from, outcome) => {
      expect(await openSocket(app.url, from)).toBe(outcome);
    });
  });
});

// CORS headers do not depend on the engine.
describeOnSqlite('a server that allows all origins', (engine) => {
  const origin = 'https://anybody.example';
  const app = startApp(engine, { http: { corsOrigins: ['*'] } });

  test('lets pages of any origin open a WebSocket', async () => {
    expect(await openSocket(app.url, origin)).toBe('open');
    expect(
      (await app.get('/v1/orders/7', { headers: { origin } })).headers.get('access-control-allow-origin'),
    ).toBe('*');
  });

  test.each(['/metrics', '/metrics?x=1', '/%6Detrics', '/healthz', '/readyz'])(
    'does not expose %s to other origins',
    async (path) => {
      const lines = ['Host: x', `Origin: ${origin}`, 'Connection: close'];
      const read = await exchange(app.port, [`GET ${path} HTTP/1.1`, ...lines]);
      expect(read.status).toBe(200);
      const asked = await exchange(app.port, [
        `OPTIONS ${path.replace('%6D', 'm')} HTTP/1.1`,
        'Access-Control-Request-Method: GET',
        ...lines,
      ]);
      for (const { headers } of [read, asked]) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );
});

/** The outcome of opening a WebSocket from a page of this origin. */
async function openSocket(url: string, origin: string): Promise<'open' | 'refused'> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { origin });
  const { promise, resolve } = Promise.withResolvers<'open' | 'refused'>();
  socket.on('open', () => resolve('open'));
  socket.on('error', () => resolve('refused'));
  const outcome = await promise;
  socket.terminate();
  return outcome;
}

// Pages are generated from the schema and the guides, so one engine is enough.
describeOnSqlite('every page of the server', (engine) => {
  const app = startApp(engine);
  const html = { accept: 'text/html' };

  /** The start page, every page that it links to, and the guides. */
  async function crawl(): Promise<Map<string, { readonly headers: Headers; readonly text: string }>> {
    const pages = new Map<string, { readonly headers: Headers; readonly text: string }>();
    const paths = ['/', ...GUIDES.map((name) => `/docs/${name}`)];
    for (const path of paths) {
      const { headers, text, status } = await app.get(path, { headers: html });
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      expect(status, path).toBe(200);
      pages.set(path, { headers, text });
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"#]*)/g)) {
        const url = new URL(href, `${PUBLIC_URL}${path}`);
        if (url.origin === PUBLIC_URL && !paths.includes(url.pathname)) paths.push(url.pathname);
      }
    }
    return pages;
  }

  test('cannot be framed, and loads nothing from other origins', async () => {
    const pages = await crawl();
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['/', '/docs', '/graphql', '/docs/versions']));
    for (const [path, { headers }] of pages) {
      const policy = headers.get('content-security-policy');
      for (const rule of ['default-src', 'frame-ancestors', 'base-uri', 'form-action']) {
        expect(policy, path).toContain(`${rule} 'none'`);
      }
      expect(policy, path).not.toMatch(/https?:|\*|unsafe-/);
    }
  });

  test('offers no demo account unless configured', async () => {
    for (const [path, { text }] of await crawl()) expect(text, path).not.toMatch(/data-demo|portico-demo"/);
  });
});
