/** Pages of the server itself match openapi.json exactly. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { exampleOf, sendExample } from '../support/inputs/openapi-requests.ts';
import { operations } from '../support/openapi.ts';

const pages = operations.filter(({ operation }) => operation.tags.includes('Server'));

describeEachEngine(
  'pages of the server itself',
  (engine) => {
    const app = startApp(engine);

    // The test client compares every response with openapi.json: status, headers and body.
    test.each(pages)('$name is public', async (page) => {
      const { status, headers } = await sendExample(app, page);
      expect(status).toBe(200);
      expect(headers.get('www-authenticate')).toBeNull();
    });

    test.each(pages.filter(({ operation }) => operation.responses['304']))(
      '$name is not sent again to a client that has it',
      async ({ path, operation: { parameters = [] } }) => {
        const url = path.replace(/\{\w+\}/, String(parameters[0]?.example));
        const etag = (await app.get(url)).headers.get('etag') ?? '*';
        const again = await app.get(url, { headers: { 'if-none-match': etag } });
        expect([again.status, again.text]).toEqual([304, '']);
      },
    );

    test.each(pages.filter(({ operation }) => operation.responses['412']))(
      '$name supports preconditions',
      async (page) => {
        const { path } = exampleOf(page);
        const ask = async (headers: Record<string, string>) => (await app.get(path, { headers })).status;
        expect(await ask({ 'if-match': '"another"' })).toBe(412);
        expect(await ask({ 'if-none-match': 'no list' })).toBe(400);
      },
    );

    test.each([
      ['/docs/nope', 'route_not_found'],
      ['/images/nope', 'not_found'],
      ['/images/product-1.png', 'not_found'],
    ])('%s does not exist', async (path, code) => {
      const { status, body } = await app.get<ErrorBody>(path);
      expect([status, body.error.code]).toEqual([404, code]);
    });

    test.each([
      ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
    ])('a missing page of the documentation, with Accept: %s', async (accept, type) => {
      const { status, headers, text } = await app.get('/docs/nope', { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([404, type]);
      expect(headers.get('vary')).toContain('Accept,');
      const links = [...text.matchAll(/ href="(\/docs[\w/-]*)"/g)].map(([, link = '']) => link);
      expect(links.includes('/docs')).toBe(type.startsWith('text/html'));
      for (const link of new Set(links)) {
        const page = await app.get(link);
        expect(page.status).toBe(200);
        expect(page.text).not.toMatch(/\b1 points/);
      }
    });

    test('the page of the reference exists', async () => {
      const { body } = await app.get<{ paths: object }>('/openapi.json');
      expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(pages.map(({ path }) => path)));
    });
  },
  'sqlite',
);

describeEachEngine(
  'a server with metrics disabled',
  (engine) => {
    const app = startApp(engine, { telemetry: { metrics: false } });

    describe('GET /metrics', () => {
      test('is unavailable', async () => {
        const { status, body } = await app.get<ErrorBody>('/metrics');
        expect([status, body.error.code]).toEqual([404, 'route_not_found']);
      });
    });
  },
  'sqlite',
);
