/** PATCH accepts JSON as a merge patch (RFC 7396), under both media types, and advertises it (RFC 5789). */
import { describe, expect, test } from 'vitest';
import { createFixtures } from '../access/shared/fixtures.ts';
import { callOf, requestOf } from '../access/shared/rules.ts';
import { routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const TAKEN = `application/json, ${MERGE_PATCH}`;

const withBody = routes.filter(({ method, signed }) => !signed && ['POST', 'PUT', 'PATCH'].includes(method));

describeEachEngine(
  'a merge patch',
  (engine) => {
    const app = startApp(engine);
    const fixtures = createFixtures(app, engine);

    describe('is accepted by every PATCH and by no other method', () => {
      test.each(withBody.map((route) => [routeName(route), route] as const))('%s', async (_name, route) => {
        const { path, body = {} } = requestOf(route, await callOf(route, fixtures));
        const send = (type: string) =>
          app.request(route.method, path, {
            as: 'ada',
            text: JSON.stringify(body),
            headers: { 'content-type': type },
          });
        const response = await send(MERGE_PATCH);
        const refused = await send('text/csv');
        expect(refused.status).toBe(415);
        const options = await app.request('OPTIONS', path);
        if (route.method === 'PATCH') {
          expect(response.status, response.text).toBe(route.status);
          expect(refused.headers.get('accept-patch')).toBe(TAKEN);
          expect(options.headers.get('accept-patch')).toBe(TAKEN);
        } else {
          expect(response.status).toBe(415);
          expect(refused.headers.get('accept-patch')).toBeNull();
        }
      });
    });

    test('removes members that are null, and keeps omitted ones', async () => {
      const path = `/v1/apps/${await fixtures.app()}`;
      const patch = (body: object) =>
        app.request<{ homepage_url: string | null }>('PATCH', path, {
          as: 'ada',
          text: JSON.stringify(body),
          headers: { 'content-type': `${MERGE_PATCH}; charset=utf-8` },
        });
      await patch({ homepage_url: 'https://ledger.example' });
      expect((await patch({ name: 'Ledger' })).body.homepage_url).toBe('https://ledger.example');
      expect((await patch({ homepage_url: null })).body.homepage_url).toBeNull();
    });
  },
  'sqlite',
);
