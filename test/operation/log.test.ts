import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

const PASSWORD = 'a-pass-word-to-keep-secret';

describeEachEngine('the log', (engine) => {
  const app = startApp(engine);
  const lines = () => app.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  const lastRequest = () => lines().findLast(({ msg }) => msg === 'request');

  test('has a line for each request, with its route and operation', async () => {
    await app.get('/v1/orders/7?nothing=1', { as: 'ada', headers: { 'x-request-id': 'mine-1' } });
    expect(lastRequest()).toMatchObject({
      level: 30,
      reqId: 'mine-1',
      method: 'GET',
      route: '/v1/orders/:order_id',
      operation: 'GetOrder',
      status: 400,
      principal: { kind: 'user', id: 1, org: 'acme' },
      address: '127.0.0.1',
    });
    expect(lastRequest()?.['milliseconds']).toBeGreaterThan(0);
    await app.get('/v1/orders/7');
    expect(lastRequest()).not.toHaveProperty('principal');
  });

  describe('after requests of users and machines with secrets', () => {
    const secrets: string[] = [PASSWORD, 'portico-demo'];

    test('contains no secret, even at the most verbose level', async () => {
      const { token } = await app.signIn('ada');
      secrets.push(token);
      const login = { email: 'ada@acme.test', password: 'portico-demo' };
      const session = await app.post<{ refresh_token: string }>('/v1/auth/login', { body: login });
      secrets.push(session.body.refresh_token);
      await app.post('/v1/auth/login', { body: { ...login, password: PASSWORD } });
      await app.post('/v1/auth/login', { text: `{"password":"${PASSWORD}"` });
      await app.post('/v1/auth/refresh', { body: { refresh_token: session.body.refresh_token } });
      await app.post('/v1/auth/refresh', { body: { refresh_token: `x${session.body.refresh_token}` } });

      const input = { name: 'ci', scopes: ['read:orders'] };
      const made = await app.post<{ key: string }>('/v1/api-keys', { as: 'ada', body: input });
      secrets.push(made.body.key);
      for (const key of [made.body.key, `${made.body.key}x`]) {
        await app.get('/v1/orders/1', { headers: { authorization: `ApiKey ${key}` } });
      }
      await app.post('/v1/orgs/acme/users', {
        as: 'ada',
        body: { email: 'eve@acme.test', name: 'Eve', role: 'viewer', password: PASSWORD },
      });
      const IDEMPOTENCY_KEY = '8e03978e-40d5-43e8-bc93-6894a57f9324';
      secrets.push(IDEMPOTENCY_KEY);
      await app.post('/v1/users/1/orders', {
        as: 'ada',
        body: { items: [{ product_id: 1, qty: 1 }] },
        headers: { 'idempotency-key': IDEMPOTENCY_KEY },
      });
      // Also in places where they do not belong.
      await app.get(`/v1/orders/1?access_token=${token}`);
      await app.get(`/feed?access_token=${token}`);
      await app.get(`/v1/${token}`);
      await app.get('/v1/orders/1', { headers: { authorization: `Bearer ${token}broken` } });
      await app.get('/v1/orders/1', {
        headers: { authorization: `Basic ${PASSWORD}`, cookie: `token=${token}` },
      });
      await app.graphql(
        `mutation { login(email: "ada@acme.test", password: "${PASSWORD}") { accessToken } }`,
      );
      await app.graphql('mutation ($p: String!) { login(email: "x", password: $p) { accessToken } }', {
        p: PASSWORD,
      });
      await app.graphql(`{ ${PASSWORD.replaceAll('-', '_')} }`);

      const log = app.log.join('');
      expect(app.log.length).toBeGreaterThan(15);
      for (const secret of secrets) expect(log).not.toContain(secret);
      expect(log).not.toMatch(/eyJ[\w-]{10}|pk_\d+_\w|\$argon2|Bearer /);
    });
  });
});
