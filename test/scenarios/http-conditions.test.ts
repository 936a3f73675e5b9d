/** Preconditions on every route with entity tags (RFC 9110, section 13). */
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/rest/compile/route.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { callOf, requestOf as requestFor } from '../access/shared/rules.ts';
import { routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { createKey } from '../support/fixtures/api-keys.ts';

/**
 * The outcome of a read and of a change, and the request headers, where `v` is the current entity tag. Rows with `OF_ROWS` also run on
 * PostgreSQL: one per outcome that depends on rows, since parsing headers does not depend on the engine.
 */
type Row = readonly [
  read: 200 | 304 | 400 | 412,
  change: 'done' | 400 | 412,
  clause: string,
  headers: (v: string) => Readonly<Record<string, string>>,
  ofRows?: typeof OF_ROWS,
];

const OF_ROWS = 'of rows';

/** Tags of other versions: as many as `ifVersion` may have, and one more, for which the server reads the current version first. */
const MANY = Array.from({ length: 20 }, (_, version) => `"v${version + 1000}"`).join(', ');
const TOO_MANY = `${MANY}, "v1020"`;

const TABLE: readonly Row[] = [
  [200, 'done', '13.1.1: If-Match *', () => ({ 'if-match': '*' })],
  [200, 'done', '13.1.1: If-Match with the tag', (v) => ({ 'if-match': v }), OF_ROWS],
  [200, 'done', '13.1.1: If-Match with the tag in a list', (v) => ({ 'if-match': `"a", ${v} ,"b"` })],
  [
    200,
    'done',
    '13.1.1: If-Match with the tag in a list of many',
    (v) => ({ 'if-match': `${MANY}, ${v}` }),
    OF_ROWS,
  ],
  [412, 412, '13.1.1: If-Match with many other tags', () => ({ 'if-match': MANY })],
  [412, 412, '13.1.1: If-Match with more other tags than a change accepts', () => ({ 'if-match': TOO_MANY })],
  [412, 412, '13.1.1: If-Match with another tag', () => ({ 'if-match': '"v999999"' }), OF_ROWS],
  [412, 412, '8.8.3.2: If-Match compares strongly', (v) => ({ 'if-match': `W/${v}` })],
  [400, 400, '13.1.1: an empty If-Match', () => ({ 'if-match': '' })],
  [400, 400, '13.1.1: If-Match without quotes', (v) => ({ 'if-match': v.replaceAll('"', '') })],
  [400, 400, '13.1.1: If-Match * with others', (v) => ({ 'if-match': `*, ${v}` })],
  [304, 412, '13.1.2: If-None-Match *', () => ({ 'if-none-match': '*' })],
  [304, 412, '13.1.2: If-None-Match with the tag', (v) => ({ 'if-none-match': v }), OF_ROWS],
  [304, 412, '8.8.3.2: If-None-Match compares weakly', (v) => ({ 'if-none-match': `W/${v}` })],
  [304, 412, '13.1.2: If-None-Match with the tag in a list', (v) => ({ 'if-none-match': `"a",${v}` })],
  [200, 'done', '13.1.2: If-None-Match with another tag', () => ({ 'if-none-match': '"v999999"' })],
  [400, 400, '13.1.2: an empty If-None-Match', () => ({ 'if-none-match': '' })],
  [400, 400, '13.1.2: If-None-Match without quotes', (v) => ({ 'if-none-match': v.replaceAll('"', '') })],
  [400, 400, '13.1.2: If-None-Match * with others', (v) => ({ 'if-none-match': `${v}, *` })],
  [
    412,
    412,
    '13.2.2: If-Match before If-None-Match',
    (v) => ({ 'if-match': '"v999999"', 'if-none-match': v }),
  ],
  [200, 'done', '13.2.2: both hold', (v) => ({ 'if-match': v, 'if-none-match': '"v999999"' })],
  [304, 412, '13.2.2: If-Match holds alone', (v) => ({ 'if-match': v, 'if-none-match': v })],
  [
    200,
    'done',
    '13.1.3: dates are ignored',
    () => ({ 'if-modified-since': 'Sun, 06 Nov 2044 08:49:37 GMT' }),
  ],
  [
    200,
    'done',
    '13.1.4: dates are ignored',
    () => ({ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
  ],
  [200, 'done', '13.1.5: If-Range is ignored without Range', () => ({ 'if-range': '"a"' })],
];

const CASES = TABLE.map(([read, change, clause, headers, ofRows]) => ({
  read,
  change,
  clause,
  headers,
  ofRows: ofRows === OF_ROWS,
}));

/** Each case that does not depend on rows runs on one in this many routes, and on each route one in this many cases. */
const SHARES = 4;

const named = (wanted: (route: Route) => boolean) =>
  routes.filter(wanted).map((route) => [routeName(route), route] as const);
/** /v1 routes that are also served under /v2 share their code. */
const hasTag = ({ method, view, carriedOver }: Route) =>
  method === 'GET' && view.etag !== undefined && !carriedOver;
const tagged = new Set(routes.filter(hasTag).map(({ path }) => path));
/** The path at which a resource is read: members are read as people. */
const readPath = (path: string) => path.replace(/\/orgs\/[^/]+\/users\//, '/users/');
const changes = ({ method, path }: Route) =>
  ['PUT', 'PATCH', 'DELETE'].includes(method) && tagged.has(readPath(path));

describeEachEngine('RFC 9110, section 13', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);

  const requestOf = async (route: Route) => {
    const { path, body } = requestFor(route, await callOf(route, fixtures));
    return { path, ...(body !== undefined && { body }), as: 'ada' as const };
  };
  const tagOf = async (path: string) => {
    const { headers } = await app.get(readPath(path), { as: 'ada' });
    return headers.get('etag') ?? '';
  };

  const cases = runsAllCases(engine) ? CASES : CASES.filter(({ ofRows }) => ofRows);
  describe.each(cases)('$clause', ({ headers, read, change, ofRows }) => {
    // All routes read these headers with the same code, so the other cases run on some routes each.
    const share = CASES.findIndex((one) => one.headers === headers) % SHARES;
    const isTested = (_: unknown, index: number) => ofRows || index % SHARES === share;

    test.each(named(hasTag).filter(isTested))(`%s is ${read}`, async (_name, route) => {
      const { path, ...options } = await requestOf(route);
      const tag = await tagOf(path);
      expect(tag).toMatch(/^"v\d+"$/);
      for (const method of ['GET', 'HEAD']) {
        const response = await app.request(method, path, { ...options, headers: headers(tag) });
        expect(response.status, response.text).toBe(read);
        if (read === 304) {
          // 15.4.5: the headers that a 200 would have had.
          expect(response.headers.get('etag')).toBe(tag);
          expect(response.headers.get('cache-control')).toBe('private, no-cache');
          expect(response.headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding');
          expect(response.text).toBe('');
        }
      }
    });

    test.each(named(changes).filter(isTested))(`%s is ${change}`, async (_name, route) => {
      const { path, ...options } = await requestOf(route);
      const send = async () =>
        app.request(route.method, path, { ...options, headers: headers(await tagOf(path)) });
      if (change === 'done') {
        const response = await send();
        expect(response.status, response.text).toBe(route.status);
        return;
      }
      const code = change === 412 ? 'precondition_failed' : 'malformed_request';
      expectError(await writesNothing(app, send), { status: change, code });
    });
  });

  test('13.2.1: another refusal has precedence', async () => {
    const headers = { 'if-match': '"v999999"' };
    for (const read of [{ headers }, { headers: { 'if-none-match': '*' } }]) {
      expectError(await app.get('/v1/orders/1', read), { status: 401, code: 'unauthenticated' });
      expectError(await app.get('/v1/orders/999999', { as: 'ada', ...read }), {
        status: 404,
        code: 'not_found',
      });
      expectError(await app.get('/v1/orders/1', { as: 'gil', ...read }), { status: 403, code: 'forbidden' });
    }
    expectError(await app.patch('/v1/orders/1', { as: 'vic', body: { status: 'shipped' }, headers }), {
      status: 403,
      code: 'insufficient_scope',
    });
    // The current version is read before these changes.
    for (const [name, tag] of [
      ['if-none-match', '"v1"'],
      ['if-match', TOO_MANY],
    ] as const) {
      const options = { as: 'ada', headers: { [name]: tag } } as const;
      const unknown = { ...options, body: { status: 'unknown' } };
      expect((await app.patch('/v1/orders/1', unknown)).status).toBe(422);
      const member = { ...options, body: { role: 'viewer' } };
      expect((await app.patch('/v1/orgs/globex/users/3', member)).status).toBe(403);
    }
  });

  test('13.1.2: tags of a change require the right to read', async () => {
    const { key } = await createKey(app, { scopes: ['write:orders'] });
    const statusOf = async (headers: Record<string, string>) => {
      const options = { body: {}, headers: { authorization: `ApiKey ${key}`, ...headers } };
      return (await app.patch('/v1/orders/1', options)).status;
    };
    expect(await statusOf({ 'if-match': await tagOf('/v1/orders/1') })).toBe(200);
    expect(await statusOf({ 'if-none-match': '*' })).toBe(412);
    expect(await statusOf({ 'if-none-match': '"v999999"' })).toBe(403);
  });

  describe('resources without entity tags', () => {
    test.each(named(({ method, view }) => method === 'GET' && view.etag === undefined))(
      '13.1: %s',
      async (_name, route) => {
        const { path, ...options } = await requestOf(route);
        const status = async (headers: Record<string, string>) =>
          (await app.get(path, { ...options, headers })).status;
        expect(await status({ 'if-match': '"a"' })).toBe(412);
        expect(await status({ 'if-match': '*' })).toBe(200);
        expect(await status({ 'if-none-match': '"a"' })).toBe(200);
        expect(await status({ 'if-none-match': '*' })).toBe(304);
      },
    );
  });

  describe('pages of the server', () => {
    test.each(['/', '/docs', '/openapi.json', '/docs/versions', '/assets/pages/style.css'])(
      '13.1: %s',
      async (path) => {
        const tag = (await app.get(path)).headers.get('etag') ?? '';
        const status = async (headers: Record<string, string>) => (await app.get(path, { headers })).status;
        expect(await status({ 'if-none-match': tag })).toBe(304);
        expect(await status({ 'if-none-match': `"a", ${tag}` })).toBe(304);
        expect(await status({ 'if-none-match': '*' })).toBe(304);
        expect(await status({ 'if-none-match': '"a"' })).toBe(200);
        expect(await status({ 'if-none-match': 'a' })).toBe(400);
        expect(await status({ 'if-match': '*' })).toBe(200);
        expect(await status({ 'if-match': '"a"' })).toBe(412);
        expect(await status({ 'if-match': '' })).toBe(400);
        expect(await status({ 'if-match': tag })).toBe(tag.startsWith('W/') ? 412 : 200);
      },
    );

    test.each(['/healthz', '/.well-known/jwks.json', '/images/user-1.svg'])('13.1: %s', async (path) => {
      const status = async (headers: Record<string, string>) => (await app.get(path, { headers })).status;
      expect(await status({ 'if-none-match': '*' })).toBe(304);
      expect(await status({ 'if-match': '"a"' })).toBe(412);
      expect(await status({ 'if-match': 'a' })).toBe(400);
    });

    test('13.2.1: an unknown resource returns 404', async () => {
      const { status } = await app.get('/images/nope', { headers: { 'if-none-match': '*' } });
      expect(status).toBe(404);
    });

    test('13.1: POST /graphql', async () => {
      const send = async (headers: Record<string, string>) =>
        (await app.post('/graphql', { body: { query: '{ __typename }' }, headers })).status;
      expect(await send({ 'if-match': '"a"' })).toBe(412);
      expect(await send({ 'if-match': 'a' })).toBe(400);
      expect(await send({ 'if-match': '*' })).toBe(200);
    });
  });
});
