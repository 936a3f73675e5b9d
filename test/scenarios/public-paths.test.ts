/**
 * Behind a path prefix, every URL in a response begins with the prefix. The routes are derived from the
 * documents.
 */
import { describe, expect, test } from 'vitest';
import { createFixtures } from '../access/shared/fixtures.ts';
import { ROUTE_CALLS, ROUTES } from '../access/shared/rules.ts';
import { routeName, routes } from '../support/api.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';

const BASE = '/shop';

/** All strings in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Paths and URLs of this server in a response: those in headers, and strings of the body that look like one. */
function addressesIn(headers: Headers, body: unknown): string[] {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, target = '']) => target);
  const location = headers.get('location');
  const headerUrls = [...links, ...(location === null ? [] : [location])];
  return [
    ...headerUrls,
    ...textsIn(body).filter((text) => text.startsWith('/') || text.startsWith(PUBLIC_URL)),
  ];
}

// The prefix is added to the results of operations, whatever the engine.
describeOnSqlite(`behind ${PUBLIC_URL}${BASE}`, (engine) => {
  const app = startApp(engine, { http: { publicUrl: `${PUBLIC_URL}${BASE}` } });
  const fixtures = createFixtures(app, engine);

  const expectPublic = (addresses: readonly string[]) => {
    for (const address of addresses) expect(address).toMatch(new RegExp(`^(${PUBLIC_URL})?${BASE}/`));
  };

  const found = new Set<string>();

  describe('URLs in responses are reachable', () => {
    test.each(routes.map((route) => [routeName(route), route] as const))('%s', async (_, route) => {
      const origin = routes.find(({ document }) => document === route.document) ?? route;
      const line = [route, origin].map(routeName).find((name) => ROUTE_CALLS[name]) ?? '';
      const call = ROUTE_CALLS[line];
      if (!call) throw new Error(`Write a call for ${routeName(route)}.`);
      const as = ROUTES[line]?.['admin']?.startsWith('2') ? 'ada' : 'ed';
      const { params = {}, body, text, headers } = await call(fixtures);
      const fill = (path: string, values: Readonly<Record<string, string | number>>) =>
        path.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? 1));
      const query = route.view.pageLinks.length > 0 ? '?limit=1' : '';
      const response = await app.request(route.method, fill(route.path, params) + query, {
        as,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
        ...(text !== undefined && { text }),
      });
      expect(response.status).toBe(route.status);
      const addresses = addressesIn(response.headers, response.body);
      expectPublic(addresses);
      if (route.location !== undefined) {
        const location = response.headers.get('location') ?? '';
        expect((await app.get(location.slice(BASE.length), { as: 'ada' })).status).toBe(200);
        found.add('location');
      }
      if (query) found.add('next');
      if (response.headers.has('link')) found.add('link');
      for (const former of route.movedFrom) {
        const moved = await app.request(route.method, `${fill(former, params)}?a=1`, { as: 'ada' });
        expect(moved.status).toBe(301);
        expect(moved.headers.get('location')).toBe(`${BASE}${fill(route.path, params)}?a=1`);
        found.add('moved');
      }
    });

    test('and each kind of URL was checked', () => {
      expect(found).toEqual(new Set(['location', 'next', 'link', 'moved']));
    });
  });

  test.each([
    ['oauth-authorization-server', ''],
    ['oauth-protected-resource', ''],
    ['oauth-protected-resource', '/mcp'],
  ])(
    'the metadata %s of "%s" are also where RFC 8414 and RFC 9728 insert their path',
    async (name, resource) => {
      const stripped = await app.get(`/.well-known/${name}${resource}`);
      const inserted = await app.get(`/.well-known/${name}${BASE}${resource}`);
      expect(stripped.status).toBe(200);
      expect(inserted.text).toBe(stripped.text);
      expect(inserted.headers.get('access-control-allow-origin')).toBe('*');
      const identifier = `${PUBLIC_URL}${BASE}${resource}`;
      expect(inserted.body).toMatchObject(
        name === 'oauth-authorization-server' ? { issuer: identifier } : { resource: identifier },
      );
      expect((await app.request('POST', `/.well-known/${name}${BASE}${resource}`)).status).toBe(405);
    },
  );

  test('OpenAPI has the base URL', async () => {
    const { body } = await app.get<{ servers: { url: string }[] }>('/openapi.json');
    expect(body.servers.map(({ url }) => url)).toEqual([`${PUBLIC_URL}${BASE}`]);
  });

  test.each(['/', '/docs', '/graphql', '/docs/versions'])(
    '%s has no links outside the prefix',
    async (path) => {
      const { text } = await app.get(path, { headers: { accept: 'text/html' } });
      const links = [...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, link = '']) => link);
      for (const link of links.filter((each) => !/^https?:/.test(each))) {
        // The first page has a path that ends in a slash.
        expect(new URL(link, `${PUBLIC_URL}${BASE}${path}`).href).toContain(`${PUBLIC_URL}${BASE}/`);
      }
    },
  );
});
