/** Exports of every list by cursor, in every format. The lists are derived from the routes. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { EXPORT_TYPES } from '../../src/rest/export/formats.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { callOf, requestOf } from '../access/shared/rules.ts';
import { distinctRoutes, routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeConcurrently, runsAllCases } from '../support/engines.ts';
import { GROWN, grow } from '../support/fixtures/table-rows.ts';
import { openExport } from './export-client.ts';

const lists = routes.filter(({ variables }) => variables.some(({ name }) => name === 'cursor'));
const others = routes.filter((route) => route.method === 'GET' && !lists.includes(route));

type Row = Readonly<Record<string, unknown>>;

interface Page {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

/** The CSV value of an item's member, given its path; JSON if the member is not a scalar. */
function fieldOf(row: Row, title: string): string {
  const value = title.split('.').reduce<unknown>((owner, name) => (owner as Row | null)?.[name], row) ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

test('exactly the lists by cursor can be exported', () => {
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter((route) => !route.export).map(routeName)).toEqual([]);
  expect(routes.filter((route) => route.export && !lists.includes(route)).map(routeName)).toEqual([]);
});

describeConcurrently('every list by cursor', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);

  const longLists = new Set<(typeof lists)[number]>();

  beforeAll(async () => {
    await grow(engine, 0, 120);
  });

  const pathOf = async (route: (typeof lists)[number]) => {
    const withList = /\{(?:webhook|charge)_id\}/;
    if (withList.test(route.path)) return route.path.replace(withList, String(GROWN + 1));
    return requestOf(route, await callOf(route, fixtures)).path;
  };
  const headersFor = async (accept: string) => ({
    accept,
    authorization: `Bearer ${(await app.signIn('ada')).token}`,
  });
  const wholeList = async (path: string) => {
    const rows: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '?limit=100' : `?limit=100&cursor=${cursor}`;
      const { body } = await app.get<Page>(path + query, { as: 'ada' });
      rows.push(...body.data);
      cursor = body.next_cursor;
    }
    return rows;
  };

  // A list under /v2 that shares the operation of a list under /v1 is read by the same statements.
  const tested = runsAllCases(engine) ? lists : lists.filter((route) => distinctRoutes.includes(route));
  describe.each(tested.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
    test('is the same in every format, and is marked as complete', async () => {
      const path = await pathOf(route);
      await headersFor(NDJSON);
      const rows = await wholeList(path);
      expect(rows.length).toBeGreaterThan(0);
      if (rows.length > LIMITS.exportPage) longLists.add(route);

      const lines = (await app.get(path, { as: 'ada', headers: { accept: NDJSON } })).text.split('\n');
      expect(lines.pop()).toBe('');
      expect(JSON.parse(lines.pop() ?? '')).toEqual({ complete: true, rows: rows.length });
      expect(lines.map((line) => JSON.parse(line))).toEqual(rows);

      const csv = await app.get(path, { as: 'ada', headers: { accept: CSV } });
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      const records = parse(csv.text, { columns: true }) as Record<string, string>[];
      const titles = Object.keys(records[0] ?? {});
      expect(new Set(titles.map((title) => title.split('.')[0]))).toEqual(
        new Set(Object.keys(rows[0] ?? {})),
      );
      expect(records).toEqual(
        rows.map((row) => Object.fromEntries(titles.map((title) => [title, fieldOf(row, title)]))),
      );

      for (const accept of EXPORT_TYPES) {
        const client = await openExport(app.url + path, await headersFor(accept));
        expect(client.headers['trailer']).toBe('portico-complete');
        const { isWhole, trailers } = await client.rest();
        expect([isWhole, trailers['portico-complete']]).toEqual([true, `rows=${rows.length}`]);
      }
    });

    // These responses do not depend on the engine.
    test.each(runsAllCases(engine) ? EXPORT_TYPES : [])(
      'as %s supports HEAD, refuses conditions and pages, and requires a caller',
      async (accept) => {
        const path = await pathOf(route);
        const asked = { as: 'ada', headers: { accept } } as const;
        const head = await app.head(path, asked);
        expect([head.status, head.text, head.headers.get('content-type')?.split(';')[0]]).toEqual([
          200,
          '',
          accept,
        ]);
        expect(head.headers.get('vary')).toContain('Accept');
        const conditional = async (name: string, value: string) =>
          (await app.get(path, { as: 'ada', headers: { accept, [name]: value } })).status;
        expect(await conditional('if-none-match', '"other"')).toBe(200);
        expect(await conditional('if-none-match', '*')).toBe(304);
        expect(await conditional('if-match', '"other"')).toBe(412);
        for (const parameter of ['limit=10', 'cursor=x']) {
          const { status, body } = await app.get<ErrorBody>(`${path}?${parameter}`, asked);
          expect([status, body.error.code]).toEqual([400, 'invalid_parameter']);
        }
        expect((await app.get(path, { headers: { accept } })).status).toBe(401);
      },
    );
  });

  test('most of these lists have several pages', () => {
    expect(longLists.size).toBeGreaterThan(tested.length / 2);
  });

  test('JSON is the default for clients without a preference', async () => {
    const typeFor = async (accept: string, path = '/v1/products') =>
      (await app.get(path, { as: 'ada', headers: { accept } })).headers.get('content-type')?.split(';')[0];
    expect(await typeFor('*/*')).toBe('application/json');
    expect(await typeFor('text/*')).toBe('application/json');
    expect(await typeFor('application/json, text/csv')).toBe('application/json');
    expect(await typeFor('text/csv;q=0')).toBe('application/json');
    expect(await typeFor('application/json;q=0.5, text/csv;q=0.8, application/x-ndjson;q=0.6')).toBe(CSV);
    expect(await typeFor('TEXT/CSV; charset=utf-8')).toBe(CSV);
    for (const route of others) {
      if (!route.path.includes('{')) expect(await typeFor(CSV, route.path)).not.toBe(CSV);
    }
  });

  test('the last line of CSV marks completeness for clients that request it', async () => {
    const { text } = await app.get('/v1/products', {
      as: 'ada',
      headers: { accept: 'text/csv; end=line' },
    });
    expect(text.split('\r\n').slice(-2)).toEqual([expect.stringMatching(/^# complete: rows=\d+$/), '']);
  });

  test('HTTP/1.0, which has no trailers, gets the rows', async () => {
    const { exchange } = await import('../support/raw-clients.ts');
    const { authorization } = await headersFor(NDJSON);
    const { status, headers, text } = await exchange(app.port, [
      'GET /v1/products HTTP/1.0',
      `Authorization: ${authorization}`,
      `Accept: ${NDJSON}`,
    ]);
    expect([status, headers.get('trailer'), headers.get('transfer-encoding')]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect(text).toMatch(/\n\{"complete":true,"rows":\d+\}\n$/);
  });

  test.each(['br', 'gzip'])('%s', async (coding) => {
    const headers = await headersFor(NDJSON);
    const plain = await fetch(`${app.url}/v1/orders`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    const packed = await fetch(`${app.url}/v1/orders`, {
      headers: { ...headers, 'accept-encoding': coding },
    });
    expect(packed.headers.get('content-encoding')).toBe(coding);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await packed.text()).toBe(await plain.text());
  });
});
