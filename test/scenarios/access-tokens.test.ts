/** Access tokens in requests: malformed tokens, and the expiry of valid ones. */
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { challenge, expectError } from '../support/expectations.ts';
import { ADA, claimsOf, LOGIN, login } from '../support/fixtures/members.ts';
import { exchange } from '../support/raw-clients.ts';

describeEachEngine('sessions', (engine) => {
  const app = startApp(engine);

  const read = (token: string) => app.get('/v1/users/1', { as: { token } });

  describe('invalid credentials', () => {
    for (const { given, header, code } of [
      { given: 'a malformed token', header: 'Bearer hello', code: 'invalid_token' },
      { given: 'nothing after the scheme', header: 'Bearer ', code: 'invalid_token' },
      { given: 'another scheme', header: 'Basic YWRhOnBvcnRpY28=', code: 'invalid_token' },
      { given: 'an API key that does not exist', header: 'ApiKey abc', code: 'invalid_token' },
      { given: 'two tokens in one header', header: 'Bearer a, Bearer b', code: 'invalid_token' },
    ]) {
      test(`${given}: both doors return 401 with the reason`, async () => {
        const headers = { authorization: header };
        const rest = await app.get('/v1/users/1', { headers });
        expectError(rest, { status: 401, code });
        expect(rest.headers.get('www-authenticate')).toBe(challenge('invalid_token'));
        const graph = await app.graphql('{ me { id } }', {}, { headers });
        expect(graph.status).toBe(401);
        expect(codesOf(graph)).toEqual([code]);
      });

      test(`${given}: signing in still works`, async () => {
        expect((await login(app, ADA, { authorization: header })).status).toBe(200);
      });
    }

    test('returns 401 for a token with a modified claim', async () => {
      const [head, , signature] = (await app.signIn('vic')).token.split('.');
      const claims = { ...claimsOf((await app.signIn('vic')).token), role: 'admin' };
      const token = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
      expectError(await read(token), { status: 401, code: 'invalid_token' });
    });

    test('returns 401 for an unsigned token', async () => {
      const [, claims] = (await app.signIn('ada')).token.split('.');
      const head = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
      expectError(await read(`${head}.${claims}.`), { status: 401, code: 'invalid_token' });
    });

    test('returns 401 for two Authorization headers, even if they are equal and valid', async () => {
      const { token } = await app.signIn('ada');
      const lines = [
        'GET /v1/users/1 HTTP/1.1',
        'Host: portico.test',
        `Authorization: Bearer ${token}`,
        `Authorization: Bearer ${token}`,
        'Connection: close',
      ];
      const response = await exchange(app.port, lines);
      expect(response.status).toBe(401);
      expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'invalid_token' } });
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    });
  });

  describe('the expiry of a token', () => {
    // The tokens of the other tests expire too.
    afterEach(() => app.signOutAll());

    test('a token is valid to the last millisecond of its 15 minutes, then returns 401 token_expired', async () => {
      const { access_token } = (await login(app)).body;
      const end = Number(claimsOf(access_token)['exp']) * 1000;
      app.clock.advance(end - 1 - app.clock().getTime());
      expect((await read(access_token)).status).toBe(200);

      app.clock.advance(1);
      const rest = await read(access_token);
      expectError(rest, { status: 401, code: 'token_expired' });
      expect(rest.headers.get('www-authenticate')).toContain('error="invalid_token"');
      const graph = await app.graphql('{ me { id } }', {}, { as: { token: access_token } });
      expect(graph.status).toBe(401);
      expect(codesOf(graph)).toEqual(['token_expired']);
    });

    test('an expired token in the header does not prevent signing in, refreshing or signing out', async () => {
      const { access_token, refresh_token } = (await login(app)).body;
      app.clock.advance(LIMITS.accessTokenLifetime);
      const as = { token: access_token };

      expect((await app.post('/v1/auth/login', { as, body: ADA })).status).toBe(200);
      expect((await app.graphql(LOGIN, ADA, { as })).body.errors).toBeUndefined();
      expect((await app.post('/v1/auth/refresh', { as, body: { refresh_token } })).status).toBe(200);
      expect((await app.post('/v1/auth/logout', { as, body: { refresh_token } })).status).toBe(204);
    });

    test('returns 401 if a document has both a sign-in and a field that requires a caller', async () => {
      const { access_token } = (await login(app)).body;
      app.clock.advance(LIMITS.accessTokenLifetime);
      const document = `mutation { login(email: "ada@acme.test", password: "${ADA.password}") { expiresIn } deleteOrder(id: 2) }`;
      const response = await app.graphql(document, {}, { as: { token: access_token } });
      expect(response.status).toBe(401);
      expect(codesOf(response)).toEqual(['token_expired']);
      expect(await isThere(app, 2)).toBe(true);
    });
  });
});

async function isThere(app: TestApp, order: number): Promise<boolean> {
  app.signOutAll();
  return (await app.get(`/v1/orders/${order}`, { as: 'ada' })).status === 200;
}
