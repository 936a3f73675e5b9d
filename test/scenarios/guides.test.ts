/** Guide pages that response headers link to. */
import { describe, expect, test } from 'vitest';
import { VERSIONS_PAGE } from '../../src/http/headers.ts';
import { POLICY } from '../../src/http/routes/pages/page.ts';
import { GUIDES } from '../../src/rest/openapi/guides.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { operations } from '../support/openapi.ts';

describeEachEngine(
  'guides',
  (engine) => {
    const app = startApp(engine);

    test.each(['contributing', 'internals', 'internals/data', 'requests'])(
      'for contributors are not pages: %s',
      async (name) => {
        expect((await app.get(`/docs/${name}`)).status).toBe(404);
        expect((await app.get('/docs')).text).not.toContain(`/docs/${name}"`);
      },
    );

    test('are listed with a sentence about each', async () => {
      const { text } = await app.get('/docs');
      const pages = [...text.matchAll(/<li><a href="\/docs\/([\w-]+)">[^<]*<\/a><span>(.*?)<\/span>/g)];
      expect(pages.map(([, name]) => name)).toEqual(expect.arrayContaining([...GUIDES]));
      expect(pages.filter(([, , lead]) => lead === '').map(([, name]) => name)).toEqual([]);
    });

    test.each(GUIDES)('name pages in links, not files: %s', async (name) => {
      expect((await app.get(`/docs/${name}`)).text).not.toMatch(/[.]md<\/a>/);
    });

    test('are searched by titles as people read them, which lead to their places', async () => {
      // No part of the API, so it is not described.
      const response = await fetch(`${app.url}/docs/search.json`);
      const entries = (await response.json()) as readonly {
        readonly title: string;
        readonly place: string;
      }[];
      const titles = entries.map(({ title }) => title.replace(/ Deprecated$/, ''));
      const summaries = operations.map(
        ({ method, path, operation }) => `${method} ${path} ${operation.summary.replaceAll('`', '')}`,
      );
      expect(summaries.filter((title) => !titles.includes(title))).toEqual([]);
      for (const [name, places] of Map.groupBy(entries, ({ place }) => place.split('#', 1)[0] ?? '')) {
        const { text } = await app.get(`/docs/${name}`);
        const ids = places.flatMap(({ place }) => place.split('#').slice(1));
        expect(ids.filter((id) => !text.includes(` id="${id}"`))).toEqual([]);
      }
    });

    describe('the guide to versions', () => {
      test('is a public, cacheable page', async () => {
        const { status, headers, text } = await app.get(VERSIONS_PAGE);
        expect(status).toBe(200);
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(headers.get('cache-control')).toBe('public, no-cache');
        expect(headers.get('content-security-policy')).toBe(POLICY);
        expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
        expect(text).toContain('<title>Versions · Portico</title>');
        expect(text).toContain('<h1>Versions</h1>');
        expect(text).toContain('<td><code>POST /v2/charges</code></td>');
      });

      test('has no broken links', async () => {
        const { text } = await app.get(VERSIONS_PAGE);
        expect(text).not.toContain('.md"');
        for (const [, href = ''] of text.matchAll(/href="([^"#]+)/g)) {
          const { pathname } = new URL(href, `${app.url}${VERSIONS_PAGE}`);
          expect((await app.get(pathname, { headers: { accept: 'text/html' } })).status, pathname).toBe(200);
        }
      });

      test('supports only GET and HEAD', async () => {
        expect((await app.head(VERSIONS_PAGE)).status).toBe(200);
        const { status, headers } = await app.post(VERSIONS_PAGE, { body: {} });
        expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      });
    });
  },
  'sqlite',
);
