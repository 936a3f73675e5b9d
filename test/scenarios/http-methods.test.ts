/**
 * Every method on every path of the server (RFC 9110). The paths are those of openapi.json, of the
 * authorization server, and of static files.
 */
import { describe, expect, test } from 'vitest';
import { PROVIDED } from '../../src/http/oauth/routes.ts';
import { requests } from '../access/shared/rules.ts';
import { distinctRoutes, routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { exampleOf } from '../support/inputs/openapi-requests.ts';
import { type DescribedOperation, operations } from '../support/openapi.ts';
import { exchange } from '../support/raw-clients.ts';

/** A path without variables, and the methods that it supports. */
interface Place {
  readonly path: string;
  readonly own: readonly string[];
}

const filled = (described: DescribedOperation) => exampleOf(described).path.split('?', 1)[0] ?? '';

const described: readonly Place[] = [...Map.groupBy(operations, ({ path }) => path).values()].flatMap(
  (ofPath) => {
    const [first] = ofPath;
    return first ? [{ path: filled(first), own: ofPath.map(({ method }) => method) }] : [];
  },
);

/** Paths of the authorization server, whose errors have their own format. */
const provided: readonly Place[] = Object.entries(PROVIDED).map(([path, own]) => ({
  path: path.replace(':uid', 'unknown'),
  own,
}));

const places: readonly Place[] = [
  ...described,
  ...provided,
  { path: '/assets/pages/style.css', own: ['GET'] },
  { path: '/mcp', own: ['POST'] },
  { path: '/.well-known/oauth-protected-resource/mcp', own: ['GET'] },
].map(({ path, own }) => ({
  path,
  own: [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted(),
}));

/** The paths of routes, each without one of its parameters: `/v1/orders/` is not a path. */
const incomplete = new Set(
  distinctRoutes
    .flatMap(({ path, movedFrom }) => [path, ...movedFrom])
    .flatMap((path) =>
      [...path.matchAll(/\{\w+\}/g)].map(([parameter]) =>
        path.replace(parameter, '').replaceAll(/\{\w+\}/g, '1'),
      ),
    ),
);

const IMPLEMENTED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Methods that Node's parser supports, and one that it does not. */
const NOT_IMPLEMENTED = ['TRACE', 'PROPFIND', 'QUERY', 'LOCK', 'BREW'];

const allowed = (header: string | null | undefined) => header?.split(', ').toSorted();

// These responses need no database.
describeOnSqlite('RFC 9110, without an operation', (engine) => {
  const app = startApp(engine);

  const raw = (method: string, path: string) =>
    exchange(app.port, [`${method} ${path} HTTP/1.1`, 'Host: portico.test', 'Connection: close']);

  describe.each(places.map((place, index) => ({ ...place, index })))('$path', ({ path, own, index }) => {
    test('9.3.7: OPTIONS has Allow', async () => {
      const { status, headers } = await app.options(path);
      expect(status).toBe(204);
      expect(allowed(headers.get('allow'))).toEqual(own);
      // 8.6: a 204 has no Content-Length.
      expect(headers.has('content-length')).toBe(false);
    });

    test('15.5.6: the other methods are 405 with Allow', async () => {
      for (const method of IMPLEMENTED.filter((one) => !own.includes(one))) {
        const { status, headers, text } = await app.request(method, path);
        expect(status, method).toBe(405);
        expect(allowed(headers.get('allow')), method).toEqual(own);
        if (method !== 'HEAD') expect(text, method).toContain('"method_not_allowed"');
      }
    });

    // No path has a route for these methods, so each path is tested with one of them.
    test('9.1, 15.6.2: a method that the server does not implement is 501', async () => {
      const method = NOT_IMPLEMENTED[index % NOT_IMPLEMENTED.length] ?? '';
      const { status, text } = await raw(method, path);
      expect(status, method).toBe(501);
      expect(text, method).toContain('"not_implemented"');
    });
  });

  test('9.3.7: OPTIONS * applies to the server as a whole', async () => {
    const { status, headers } = await raw('OPTIONS', '*');
    expect(status).toBe(204);
    expect(allowed(headers.get('allow'))).toEqual(IMPLEMENTED.toSorted());
  });

  test('9.3.6: CONNECT is 501', async () => {
    const { status } = await exchange(app.port, ['CONNECT portico.test:443 HTTP/1.1', 'Host: portico.test']);
    expect(status).toBe(501);
  });

  test.each(['/nope', '/v1/nope', '/assets/pages/nope/nope', ...incomplete])(
    '15.5.5: every method of %s returns 404',
    async (path) => {
      for (const method of IMPLEMENTED) expect((await app.request(method, path)).status).toBe(404);
    },
  );
});

// Methods, ranges, challenges and headers do not depend on the engine either.
describeOnSqlite('RFC 9110', (engine) => {
  const app = startApp(engine);

  const answered = places.flatMap(({ path, own }) =>
    own.filter((method) => method !== 'OPTIONS').map((method) => ({ method, path })),
  );
  test.each(answered)('9.1: $method $path is supported', async ({ method, path }) => {
    const { status, headers } = await app.request(method, path);
    expect([405, 500, 501]).not.toContain(status);
    // 6.6.1
    expect(Date.parse(headers.get('date') ?? '')).not.toBeNaN();
  });

  const reads = places.filter(({ own }) => own.includes('GET'));

  /** Headers that differ between responses, and those that HEAD may omit. */
  const PASSING =
    /^(date|x-request-id|set-cookie|ratelimit|content-length|transfer-encoding|connection|keep-alive)$/;
  const lasting = (headers: Headers) => [...headers].filter(([name]) => !PASSING.test(name));

  test.each(reads)('9.3.2: HEAD $path returns GET without content', async ({ path }) => {
    const options = { as: 'ada' as const };
    const [head, get] = [await app.head(path, options), await app.get(path, options)];
    expect(head.status).toBe(get.status);
    expect(lasting(head.headers)).toEqual(lasting(get.headers));
    expect(head.text).toBe('');
    // 8.6
    const length = head.headers.get('content-length');
    // Counters change in between.
    if (length !== null && path !== '/metrics') expect(Number(length)).toBe(Buffer.byteLength(get.text));
    // 8.3
    if (get.text !== '') expect(get.headers.get('content-type')).toMatch(/^[\w/.+-]+/);
    // 12.5.5. A shared cache stores a public response once, not for each caller.
    expect(get.headers.get('vary')).toMatch(/./);
    if (get.headers.get('cache-control')?.startsWith('public'))
      expect(get.headers.get('vary')).not.toContain('Authorization');
  });

  test.each(reads)('14.2: Range is ignored by $path', async ({ path }) => {
    const options = { as: 'ada' as const };
    const [part, all] = [
      await app.get(path, { ...options, headers: { range: 'bytes=0-0' } }),
      await app.get(path, options),
    ];
    expect(part.status).toBe(all.status);
    expect(part.headers.has('content-range')).toBe(false);
  });

  /** Sends a request that succeeds for acme's administrator as another caller. */
  const requestOf = requests(app, engine);
  const named = (wanted: readonly (typeof routes)[number][]) =>
    wanted.map((route) => [routeName(route), route] as const);
  const scopesOf = new Map(
    operations.map(({ name, operation }) => [name, operation['x-required-scopes'] ?? []] as const),
  );

  test.each(named(routes.filter((route) => scopesOf.get(routeName(route))?.length)))(
    '11.6.1: %s returns a challenge to a caller without credentials',
    async (_name, route) => {
      const { path, ...options } = await requestOf(route);
      const { status, headers } = await app.request(route.method, path, options);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="portico".*, ApiKey realm="portico"/);
    },
  );

  test.each(named(routes.filter((route) => scopesOf.get(routeName(route))?.length === 1)))(
    '11.6.1, RFC 6750, 3.1: %s names the scope that the caller lacks',
    async (_name, route) => {
      const [scope] = scopesOf.get(routeName(route)) ?? [];
      const { path, ...options } = await requestOf(route);
      const other = scope === 'read:orders' ? 'read:users' : 'read:orders';
      const as = await app.signIn('ada', [other]);
      const { status, headers } = await app.request(route.method, path, { ...options, as });
      expect(status).toBe(403);
      const challenge = headers.get('www-authenticate');
      expect(challenge).toMatch(/^Bearer realm="portico"/);
      expect(challenge).toContain(`, error="insufficient_scope", scope="${scope}"`);
    },
  );

  test.each(named(routes.filter(({ location }) => location)))(
    '15.3.2: %s returns the Location of the new resource',
    async (_name, route) => {
      const { path, ...options } = await requestOf(route);
      const { status, headers } = await app.request(route.method, path, { ...options, as: 'ada' });
      expect(status).toBe(201);
      expect((await app.get(headers.get('location') ?? '', { as: 'ada' })).status).toBe(200);
    },
  );

  test.each(named(routes.filter(({ movedFrom }) => movedFrom.length > 0)))(
    '15.4.2: former paths of %s redirect to it',
    async (_name, { movedFrom }) => {
      for (const former of movedFrom) {
        const { status, headers } = await app.get(former.replace(/\{\w+\}/g, '1'), { as: 'ada' });
        expect(status).toBe(301);
        expect((await app.get(headers.get('location') ?? '', { as: 'ada' })).status).toBe(200);
      }
    },
  );
});
