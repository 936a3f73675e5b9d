/** Every route has a price: requests without credentials cost points of the network. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { sendExample } from '../support/inputs/openapi-requests.ts';
import { operations } from '../support/openapi.ts';

/** Probes must work without points: their responses are constant, and concurrent ones share their checks. */
const FREE = ['/healthz', '/readyz', '/metrics'];

const routes = new Set<string>();

/** Records the routes of a server. */
function watch(message: unknown): void {
  // A channel of Fastify (its reference: Hooks, Diagnostics Channel Hooks).
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'OPTIONS') routes.add(`${each} ${url}`);
  });
}

describeOnSqlite('a request without credentials', (engine) => {
  beforeAll(() => subscribe('fastify.initialization', watch));
  const app = startApp(engine);
  afterAll(() => void unsubscribe('fastify.initialization', watch));

  test('costs points on each route, and on none', async () => {
    expect([...routes]).toEqual(expect.arrayContaining(['GET /healthz', 'GET /metrics', 'POST /graphql']));
    const taking = vi.spyOn(app.services.budget, 'take');
    const free = new Set<string>();
    for (const route of [...routes, 'GET /nowhere', 'POST /nowhere']) {
      taking.mockClear();
      const [method = '', template = ''] = route.split(' ');
      const path = template.replaceAll(/::|:\w+|\*/g, (found) => (found === '::' ? ':' : '1'));
      const headers = { origin: 'https://portico.test', 'sec-fetch-site': 'same-origin' };
      const hasBody = !['GET', 'HEAD'].includes(method);
      await fetch(app.url + path, {
        method,
        headers,
        redirect: 'manual',
        ...(hasBody && { body: '{}' }),
      });
      const paid = taking.mock.calls.some(([key, points]) => key === 'network:127.0.0.1' && points > 0);
      if (!paid) free.add(template);
    }
    expect([...free]).toEqual(FREE);
  });

  test('without points gets no page, which is not cached, but preflights and probes are served', async () => {
    const taking = vi.spyOn(app.services.budget, 'take');
    taking.mockReturnValue({ granted: false, available: 0, retryAfter: 3, bucket: 'own' });
    const page = await app.get('/docs');
    expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
      429,
      '3',
      'private, no-cache',
    ]);
    expect(page.text).toContain('rate_limited');
    expect(page.headers.get('etag')).toBeNull();
    for (const described of operations.filter(({ operation }) => operation.tags?.includes('Server'))) {
      const expected = FREE.includes(described.path) ? 200 : 429;
      expect((await sendExample(app, described)).status, described.name).toBe(expected);
    }
    expect((await fetch(`${app.url}/assets/pages/style.css`)).status).toBe(429);
    expect((await fetch(`${app.url}/nowhere`)).status).toBe(429);
    expect((await fetch(`${app.url}/v1/orders/1`, { method: 'OPTIONS' })).status).toBe(204);
    taking.mockRestore();
    expect((await app.get('/docs')).status).toBe(200);
  });
});
