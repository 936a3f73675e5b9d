import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { FaultyGateway } from '../scenarios/faulty-gateway.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE } from '../support/fixtures/charges.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream } from '../support/raw-clients.ts';

const PASSWORD = 'a-pass-word-to-keep-secret';

describeEachEngine('the log', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });
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

  describe('of requests whose clients disconnect', () => {
    const noted = (id: string) => lines().filter(({ msg, reqId }) => msg === 'request' && reqId === id);
    const counted = async (route: string, status: string) =>
      sumOf(readMetrics((await app.get('/metrics')).text), 'portico_http_requests_total', { route, status });

    test('has a line with 499 if there was no response yet', async () => {
      const before = await counted('/v2/charges', '499');
      const held = gateway.holdCharge();
      const headers = {
        authorization: `Bearer ${(await app.signIn('ada')).token}`,
        'content-type': 'application/json',
        'idempotency-key': 'left',
        'x-request-id': 'left',
      };
      const client = request(`${app.url}/v2/charges`, { method: 'POST', agent: false, headers });
      client.on('error', () => undefined).end(JSON.stringify(CHARGE));
      const { go } = await held;
      client.destroy();
      await waitUntil(() => noted('left').length > 0, 'the line of the request');
      go();
      await app.get('/v1/orders/1', { as: 'ada' });
      const caller = { principal: { kind: 'user', id: 1, org: 'acme' }, address: '127.0.0.1' };
      expect(noted('left')).toMatchObject([{ operation: 'CreateCharge', status: 499, ...caller }]);
      expect(await counted('/v2/charges', '499')).toBe(before + 1);
    });

    test.each([
      ['a stream', 'streamed', {}],
      ['a stream whose request has a body that never arrives', 'unsent', { 'content-length': '9' }],
    ])('has a line with the status of %s', async (_, id, headers) => {
      const { token } = await app.signIn('ada');
      const stream = await openEventStream(`${app.url}/feed`, token, { 'x-request-id': id, ...headers });
      const before = await counted('/feed', '200');
      stream.stop();
      await waitUntil(() => noted(id).length > 0, 'the line of the stream');
      expect(noted(id)).toMatchObject([{ operation: 'GetFeed', status: 200 }]);
      expect(await counted('/feed', '200')).toBe(before + 1);
    });
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
