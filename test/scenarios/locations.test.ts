/**
 * Responses that create a resource: their Location, and no caching of secrets. The routes are derived from
 * the documents.
 */
import { getNamedType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { isSecret } from '../../src/graphql/directives/secret.ts';
import type { Schema } from '../../src/rest/openapi/types.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { ROUTE_CALLS } from '../access/shared/rules.ts';
import { routeName, routes, schema } from '../support/api.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

type Route = (typeof routes)[number];

/** The call of a route, or of the /v1 route that it was carried over from. */
function callOf(route: Route) {
  const own = ROUTE_CALLS[routeName(route)];
  const origin = routes.find(({ document }) => document === route.document) ?? route;
  const call = own ?? ROUTE_CALLS[routeName(origin)];
  if (!call) throw new Error(`Write a call for ${routeName(route)}.`);
  return call;
}

describeEachEngine('a response that', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);

  async function ask(route: Route) {
    const { params = {}, body, text, headers } = await callOf(route)(fixtures);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
    return app.request(route.method, path, {
      as: 'ada',
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      ...(text !== undefined && { text }),
    });
  }

  const located = routes.filter(({ location }) => location !== undefined);

  describe('has a location', () => {
    test.each(located.map((route) => [routeName(route), route] as const))('%s', async (_, route) => {
      const made = await ask(route);
      expect(made.status).toBe(route.status);
      const location = made.headers.get('location') ?? '';
      expect(location).toMatch(/^\/v\d\//);
      expect(new URL(location, PUBLIC_URL).pathname.split('/')[1]).toBe(route.path.split('/')[1]);
      const read = await app.get(location, { as: 'ada' });
      expect(read.status, `GET ${location}: ${read.text}`).toBe(200);
    });

    test('is returned by every route that creates a resource', () => {
      // A part of a resource without a URL of its own has that of the resource or list that contains it.
      const silent = routes.filter(({ status, location }) => status === 201 && location === undefined);
      expect(silent.map(routeName)).toEqual([]);
    });
  });

  describe('has a secret is not cached', () => {
    /** Names of fields with `@secret`, as REST spells them. */
    const secretFields = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(getNamedType(type)))
      .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
      .filter(isSecret)
      .map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const members = (view: Schema): string[] => [
      ...Object.entries(view.properties ?? {}).flatMap(([name, inner]) => [name, ...members(inner)]),
      ...(view.items ? members(view.items) : []),
    ];
    const secretRoutes = routes.filter((route) =>
      members(route.view.bodySchema).some((name) => secretFields.includes(name)),
    );

    test('on at least some routes', () => {
      expect(new Set(secretFields)).toEqual(
        new Set(['access_token', 'refresh_token', 'device_token', 'key', 'secret', 'client_secret']),
      );
      const expected = routes.filter(({ operation }) => operation.selectsSecret);
      expect(secretRoutes.map(routeName)).toEqual(expected.map(routeName));
    });

    test.each(secretRoutes.map((route) => [routeName(route), route] as const))('%s', async (_, route) => {
      const response = await ask(route);
      expect(response.status).toBe(route.status);
      expect(response.headers.get('cache-control')).toBe('no-store');
      await expectKeptNowhere(response.body as Readonly<Record<string, unknown>>, secretFields);
    });
  });

  /** No secret of a response is stored as plain text. */
  async function expectKeptNowhere(body: Readonly<Record<string, unknown>>, fields: readonly string[]) {
    const secrets = fields.flatMap((name) => (typeof body[name] === 'string' ? [body[name]] : []));
    expect(secrets.length).toBeGreaterThan(0);
    const rows = await allRows();
    expect(rows.length).toBeGreaterThan(10_000);
    for (const secret of secrets) expect(rows).not.toContain(secret);
  }

  async function allRows(): Promise<string> {
    const tables = await engine.place.query(
      engine.name === 'sqlite'
        ? `select name from sqlite_master where type = 'table'`
        : `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const contents: unknown[] = [];
    for (const { name } of tables) contents.push(await engine.place.query(`select * from "${name}"`));
    return JSON.stringify(contents);
  }
});
