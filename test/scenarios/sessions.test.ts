/** Signing in, refreshing and signing out, through both doors. For the rules of sessions, see `test/auth`. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { ADA, claimsOf, LOGIN, login } from '../support/fixtures/members.ts';
import type { Session } from '../support/response-bodies.ts';
import { DEFAULTS } from '../support/settings.ts';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const REFRESH = `mutation ($t: String!) { refreshSession(refreshToken: $t) { accessToken refreshToken tokenType expiresIn } }`;

describeEachEngine('sessions', (engine) => {
  const app = startApp(engine);
  const refresh = (refresh_token: unknown) =>
    app.post<Session>('/v1/auth/refresh', { body: { refresh_token } });
  const logout = (refresh_token: unknown) => app.post('/v1/auth/logout', { body: { refresh_token } });
  const read = (token: string) => app.get('/v1/users/1', { as: { token } });

  describe('signing in', () => {
    test('REST uses snake_case', async () => {
      const { status, body } = await login(app);
      expect(status).toBe(200);
      expect(body).toEqual({
        access_token: expect.stringMatching(JWT),
        device_token: expect.stringMatching(/^pdt_/),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.stringMatching(/^prt_/),
      });
      expect((await read(body.access_token)).status).toBe(200);
    });

    test('GraphQL uses camelCase', async () => {
      const { status, body } = await app.graphql<{ login: { accessToken: string } }>(LOGIN, ADA);
      expect(status).toBe(200);
      expect(body.data?.login).toEqual({
        accessToken: expect.stringMatching(JWT),
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: expect.stringMatching(/^prt_/),
      });
      expect((await read(body.data?.login.accessToken ?? '')).status).toBe(200);
    });

    test('the token has the user, organisation, scopes and expiry', async () => {
      const { body } = await login(app, { ...ADA, email: 'vic@acme.test' });
      const now = Math.floor(app.clock().getTime() / 1000);
      expect(claimsOf(body.access_token)).toEqual({
        sub: '3',
        org: 'acme',
        role: 'viewer',
        scopes: ['read:users', 'read:orders', 'read:docs', 'read:charges', 'read:feed'],
        iat: now,
        exp: now + 900,
        iss: PUBLIC_URL,
        aud: PUBLIC_URL,
        jti: expect.any(String),
        sid: expect.stringMatching(/^\d+$/),
      });
    });

    test('the address is case-insensitive', async () => {
      expect((await login(app, { ...ADA, email: ' Ada@ACME.test ' })).status).toBe(200);
    });

    test('scopes narrow the session', async () => {
      const { body } = await login(app, { ...ADA, scopes: ['read:orders'] });
      expect(claimsOf(body.access_token)['scopes']).toEqual(['read:orders']);
      expect((await app.get('/v1/orders/1', { as: { token: body.access_token } })).status).toBe(200);
      expectError(await read(body.access_token), { status: 403, code: 'insufficient_scope' });
      expectError(await app.delete('/v1/orders/1', { as: { token: body.access_token } }), {
        status: 403,
        code: 'insufficient_scope',
      });

      const next = await refresh(body.refresh_token);
      expect(claimsOf(next.body.access_token)['scopes'], 'still narrow after a refresh').toEqual([
        'read:orders',
      ]);
    });

    test('a response with tokens is not cached', async () => {
      // RFC 6749, section 5.1.
      expect((await login(app)).headers.get('cache-control')).toContain('no-store');
    });
  });

  describe('failing to sign in', () => {
    test('a wrong password and an unknown address get the same response', async () => {
      const wrong = await login(app, { ...ADA, password: 'portico-Demo' });
      const unknown = await login(app, { ...ADA, email: 'unknown@acme.test' });
      expectError(wrong, { status: 401, code: 'invalid_credentials' });
      expect(unknown.status).toBe(401);
      expect(unknown.text).toBe(wrong.text);
      expect(unknown.headers.get('www-authenticate')).toBe(wrong.headers.get('www-authenticate'));
      expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer realm="portico"/);
    });

    test('the same applies in GraphQL', async () => {
      const wrong = await app.graphql(LOGIN, { ...ADA, password: 'nope' });
      const unknown = await app.graphql(LOGIN, { ...ADA, email: 'unknown@acme.test' });
      expect(codesOf(wrong)).toEqual(['invalid_credentials']);
      expect(unknown.status).toBe(wrong.status);
      expect(unknown.body).toEqual(wrong.body);
      expect(unknown.cost?.actualQueryCost).toBe(wrong.cost?.actualQueryCost);
    });

    for (const { given, body, paths } of [
      { given: 'nothing', body: {}, paths: ['email', 'password'] },
      { given: 'empty strings', body: { email: '', password: '' }, paths: ['email', 'password'] },
      { given: 'numbers', body: { email: 1, password: 2 }, paths: ['email', 'password'] },
      {
        given: 'a scope that the role does not have',
        body: { ...ADA, email: 'vic@acme.test', scopes: ['write:orders'] },
        paths: ['scopes.0'],
      },
    ]) {
      test(`${given}: 422`, async () => {
        const response = await login(app, body);
        expectError(response, { status: 422, code: 'validation_failed', paths });
        expect(response.text).not.toMatch(/\.\./);
      });
    }

    test('refuses an address with NUL, on every engine', async () => {
      expectError(await login(app, { ...ADA, email: 'ada@acme.test\u0000' }), {
        status: 422,
        code: 'validation_failed',
        paths: ['email'],
      });
    });
  });

  describe('guessing passwords', () => {
    test('the sixth wrong password within a minute is refused unverified, on both doors, and others still sign in', async () => {
      const guess = { email: 'guessed@acme.test', password: 'guess' };
      for (let n = 0; n < DEFAULTS.signIns.perAccount; n += 1) {
        expectError(await login(app, guess), { status: 401, code: 'invalid_credentials' });
      }
      const rest = await login(app, guess);
      expectError(rest, { status: 429, code: 'rate_limited' });
      const wait = Number(rest.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);

      const spelledOtherwise = await app.graphql(LOGIN, { ...guess, email: ' GUESSED@acme.test' });
      expect(codesOf(spelledOtherwise)).toEqual(['rate_limited']);
      expect(spelledOtherwise.body.errors?.[0]?.extensions).toHaveProperty('retryAfter');
      expect((await login(app)).status).toBe(200);
    });

    test('correct passwords are never limited, also from several machines at once', async () => {
      const responses = await Promise.all(
        Array.from({ length: 2 * DEFAULTS.signIns.perAccount }, () => login(app)),
      );
      expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200));
    });
  });

  describe('refreshing', () => {
    for (const { door, next } of [
      {
        door: 'REST',
        next: async (token: string) => {
          const { body } = await refresh(token);
          return {
            accessToken: body.access_token,
            refreshToken: body.refresh_token,
            expiresIn: body.expires_in,
          };
        },
      },
      {
        door: 'the graph',
        next: async (t: string) => {
          const { body } = await app.graphql<{ refreshSession: Record<string, unknown> }>(REFRESH, { t });
          return body.data?.refreshSession ?? {};
        },
      },
    ]) {
      test(`${door} returns the next pair, and the same pair again to a client that lost it`, async () => {
        const { refresh_token } = (await login(app)).body;
        const first = await next(refresh_token);
        expect(first).toMatchObject({ accessToken: expect.stringMatching(JWT), expiresIn: 900 });
        expect(first['refreshToken']).not.toBe(refresh_token);
        expect((await next(refresh_token))['refreshToken']).toBe(first['refreshToken']);
        expect((await read(String(first['accessToken']))).status).toBe(200);
      });
    }

    for (const [given, token] of [
      ['invented', 'prt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['without the shape of a token', 'hello'],
    ]) {
      test(`a token that is ${given} returns 401 invalid_token on both doors`, async () => {
        expectError(await refresh(token), { status: 401, code: 'invalid_token' });
        expect(codesOf(await app.graphql(REFRESH, { t: token }))).toEqual(['invalid_token']);
      });
    }

    test('a token that is reused later ends the session, with an event without an actor', async () => {
      const { refresh_token } = (await login(app)).body;
      const next = (await refresh(refresh_token)).body;
      app.clock.advance(LIMITS.refreshReplayWindow + 1);

      expectError(await refresh(refresh_token), { status: 401, code: 'invalid_token' });
      expectError(await refresh(next.refresh_token), { status: 401, code: 'invalid_token' });
      expect((await app.events()).at(-1)).toMatchObject({
        type: 'session.revoked',
        actorId: null,
        subjectType: 'session',
        data: { reason: 'refresh_token_reused', user_id: 1 },
      });
    });
  });

  describe('signing out', () => {
    test('returns 204 without a body, also when repeated, and revokes the refresh token', async () => {
      const { refresh_token } = (await login(app)).body;
      for (const _ of ['first', 'again']) {
        const response = await logout(refresh_token);
        expect(response.status).toBe(204);
        expect(response.text).toBe('');
      }
      expectError(await refresh(refresh_token), { status: 401, code: 'invalid_token' });
    });

    test('GraphQL returns true', async () => {
      const { refresh_token } = (await login(app)).body;
      const document = 'mutation ($t: String!) { logout(refreshToken: $t) }';
      expect((await app.graphql(document, { t: refresh_token })).body).toEqual({ data: { logout: true } });
      expectError(await refresh(refresh_token), { status: 401, code: 'invalid_token' });
    });

    test('an unknown token is ignored: 204', async () => {
      expect((await logout('prt_unknown')).status).toBe(204);
    });
  });
});
