/** Pages of every list have a weak entity tag, a link to the next page and at most 100 rows. The lists are derived from the routes. */
import { getNamedType } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { createFixtures } from '../access/shared/fixtures.ts';
import { callOf, requestOf } from '../access/shared/rules.ts';
import { routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';

const lists = routes.filter(({ view }) => view.isPage);

/** The target of `rel="next"` in a `Link` header. */
const nextOf = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

describeEachEngine('every page of a list', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);

  // At least two rows of each kind, so that a page of one row has a next page.
  beforeAll(async () => {
    for (let n = 0; n < 2; n += 1) {
      await fixtures.invitation();
      await fixtures.grant();
      await fixtures.apiKey();
      await fixtures.charge();
      await fixtures.installation();
    }
  });

  const pathOf = async (route: (typeof lists)[number]) =>
    requestOf(route, await callOf(route, fixtures)).path;

  test.each(lists.map((route) => [routeName(route), route] as const))('%s', async (_name, route) => {
    const path = `${await pathOf(route)}?limit=1`;
    const first = await app.get<{ data: readonly unknown[]; next_cursor?: string | null }>(path, {
      as: 'ada',
    });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\da-f]{16}"$/);

    const again = await app.get(path, { as: 'ada', headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(nextOf(again.headers)).toBe(nextOf(first.headers));
    const changed = await app.get(path, { as: 'ada', headers: { 'if-match': etag } });
    expect(changed.status).toBe(412);

    // Refused before any statement, so PostgreSQL tests none of them.
    for (const size of runsAllCases(engine) ? ['', '1%20', 'x'] : []) {
      const invalid = await app.get(path.replace(/1$/, size), { as: 'ada' });
      expect([invalid.status, invalid.text]).toEqual([
        400,
        expect.stringContaining('of at least 1; more than'),
      ]);
    }

    const next = nextOf(first.headers);
    if (next === undefined) {
      expect(first.body.next_cursor).toBeNull();
      return;
    }
    const second = await app.get<{ data: readonly unknown[] }>(next, { as: 'ada' });
    expect(second.status).toBe(200);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.data).not.toEqual(first.body.data);
    expect(second.headers.get('etag')).not.toBe(etag);
  });

  const sizes = routes.flatMap((route) =>
    route.variables
      .filter(({ source, type }) => source === 'query' && getNamedType(type).name === 'Int')
      .filter(({ name }) => name !== 'page')
      .map(({ name }) => [`${name} of ${routeName(route)}`, name, route] as const),
  );
  const WHOLE = ['100', '101', '2147483647', '2147483648', '99999999999', '9'.repeat(400)];
  const NOT_SIZES = ['0', '-1', '-99999999999', '99999999999.5', '1e99', '099999999999', '+99999999999', ''];

  test.each(sizes)('the %s is capped, however large it is', async (_name, parameter, route) => {
    const path = await pathOf(route);
    const read = (size: string) =>
      app.get<{ data: readonly unknown[]; pagination?: { limit: number } }>(
        `${path}?${parameter}=${encodeURIComponent(size)}`,
        { as: 'ada' },
      );
    for (const size of WHOLE) {
      const { status, text, body } = await read(size);
      expect(status, `${size} ${text}`).toBe(200);
      expect(body.data.length, size).toBeLessThanOrEqual(100);
      expect(body.pagination?.limit ?? 100, size).toBe(100);
    }
    for (const size of runsAllCases(engine) ? NOT_SIZES : []) {
      expectError(await read(size), { status: 400, code: 'invalid_parameter', paths: [parameter] });
    }
  });

  test('has another tag after a change, and no link on the last page', async () => {
    const before = await app.get('/v1/products?limit=100', { as: 'ada' });
    await fixtures.product();
    const etag = before.headers.get('etag') ?? '';
    const after = await app.get('/v1/products?limit=100', { as: 'ada', headers: { 'if-none-match': etag } });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(etag);
    expect(nextOf(after.headers)).toBeUndefined();
  });
});
