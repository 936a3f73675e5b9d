/** The authorization server while the database is unavailable, or accepts no writes. The endpoints are those of its lists. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ApiError, type ErrorCode } from '../../src/core/errors.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { INTERACTION_PATH, PATHS } from '../../src/http/oauth/paths.ts';
import { PROVIDED } from '../../src/http/oauth/routes.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { type AppBody, oauthClient, REDIRECT } from '../support/oauth.ts';
import { membersOf } from '../support/test-doubles.ts';

/** Code of the error that the database throws; undefined while it works. */
interface Outage {
  reads?: ErrorCode | undefined;
  writes?: ErrorCode | undefined;
}

const breaking =
  (outage: Outage) =>
  (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: async (statement, params, signal, flow) => {
      if (outage.reads) throw new ApiError(outage.reads);
      return database.run(statement, params, signal, flow);
    },
    transaction: async (work, signal, flow) => {
      if (outage.writes) throw new ApiError(outage.writes);
      return database.transaction(work, signal, flow);
    },
  });

const ALL: Readonly<Record<string, readonly ('GET' | 'POST')[]>> = {
  ...PROVIDED,
  [`${INTERACTION_PATH}/:uid`]: ['GET', 'POST'],
  [PATHS.userinfo]: ['GET', 'POST'],
  [PATHS.jwks]: ['GET'],
};

const endpoints = Object.entries(ALL).flatMap(([path, methods]) =>
  methods.map((method) => ({ method, path, name: `${method} ${path}` })),
);

/** Endpoints that do not use the database. */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
  `GET ${PATHS.jwks}`,
  `POST ${PATHS.authorization}`,
  `POST ${PATHS.end_session}`,
]);

/** Endpoints whose errors are always pages. */
const ONLY_PAGES: ReadonlySet<string> = new Set([
  `GET ${PATHS.authorization}`,
  `GET ${PATHS.authorization}/:uid`,
]);

describeEachEngine('the authorization server without a database', (engine) => {
  const outage: Outage = {};
  const app = startApp(engine, { realTime: true, around: breaking(outage) });
  const { createApp, authorization } = oauthClient(app);
  let made: AppBody;
  let query = '';

  beforeAll(async () => {
    made = await createApp();
    query = (await authorization(made)).url.search;
  });
  afterEach(() => {
    outage.reads = undefined;
    outage.writes = undefined;
  });

  /** Sends a request that needs the database, with cookies of sessions and interactions. */
  async function send(method: 'GET' | 'POST', path: string, accept: string, cookie?: string) {
    const form = new URLSearchParams(query);
    form.set('client_secret', made.client_secret);
    form.set('grant_type', 'client_credentials');
    form.set('token', 'unknown');
    const url = app.url + path.replace(':uid', 'unknown') + (method === 'GET' ? query : '');
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        accept,
        'sec-fetch-site': 'same-origin',
        ...(cookie !== undefined && { cookie }),
        // An opaque access token.
        ...(path === PATHS.userinfo && { authorization: `Bearer ${'x'.repeat(43)}` }),
      },
      ...(method === 'POST' && { body: form }),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  const COOKIES = '__Host-portico=unknown; portico_resume=unknown; portico_interaction=unknown';

  describe.each(endpoints)('$name', ({ method, path, name }) => {
    test.each([
      ['unavailable', 'application/json'],
      ['unavailable', 'text/html'],
      ['timeout', 'application/json'],
      ['overloaded', 'application/json'],
    ] as const)('is 503 with Retry-After for %s as %s', async (code, accept) => {
      outage.reads = code;
      outage.writes = code;
      const { status, headers, text } = await send(method, path, accept, COOKIES);
      if (INDEPENDENT.has(name)) {
        // Forms are redirected.
        expect(status).toBe(method === 'POST' ? 303 : 200);
        return;
      }
      expect({ status, retryAfter: headers.get('retry-after') }, text).toEqual({
        status: 503,
        retryAfter: '1',
      });
      const { message } = new ApiError(code);
      // Its errors are those of the API, since it is called with an access token.
      if (path === PATHS.userinfo) expect(JSON.parse(text)).toEqual({ error: { code, message } });
      else if (accept === 'text/html' || ONLY_PAGES.has(name)) {
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(text).toContain('<h1>Temporarily unavailable</h1>');
        expect(text).toContain(message);
      } else {
        expect(JSON.parse(text)).toEqual({ error: 'temporarily_unavailable', error_description: message });
      }
    });
  });

  test.each([PATHS.token, PATHS.pushed_authorization_request, PATHS.device_authorization])(
    'POST %s is 503 with Retry-After while nothing can be written',
    async (path) => {
      outage.writes = 'unavailable';
      const { status, headers, text } = await send('POST', path, 'application/json');
      expect([status, headers.get('retry-after')], text).toEqual([503, '1']);
      expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable' });
    },
  );

  test('a session that cannot be saved is 503 with Retry-After, after the page was prepared', async () => {
    outage.writes = 'unavailable';
    const { status, headers, text } = await send('GET', PATHS.code_verification, 'text/html');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(text).toContain('<h1>Temporarily unavailable</h1>');
  });

  test('an authorization request whose app is known gets the error at its redirect URI', async () => {
    outage.writes = 'unavailable';
    const { status, headers } = await send('GET', PATHS.authorization, 'text/html');
    expect([status, headers.get('retry-after')]).toEqual([303, null]);
    const back = new URL(headers.get('location') ?? '');
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'temporarily_unavailable',
      error_description: new ApiError('unavailable').message,
      state: 'state-1',
      iss: PUBLIC_URL,
    });
  });
});

// The budget does not depend on the engine.
describeOnSqlite('the authorization server, for a client without points', (engine) => {
  const app = startApp(engine, { budget: { points: 20, perSecond: 1 } });

  test.each([
    ['application/json', '{"error":"temporarily_unavailable","error_description":"'],
    ['text/html', '<h1>Temporarily unavailable</h1>'],
  ])('is 429 with Retry-After as %s', async (accept, content) => {
    const send = () => app.request('POST', PATHS.token, { headers: { accept } });
    await send();
    const { status, headers, text } = await send();
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(headers.get('content-type')).toContain(accept);
    expect(text).toContain(content);
  });
});
