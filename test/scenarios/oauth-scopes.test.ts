/** Requested scopes: no request gets more than it asks for, and one that gets nothing is refused. */
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { type AppBody, Browser, basic, clientOf, oauthClient, REDIRECT } from '../support/oauth.ts';

describeEachEngine('the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { http, server, createApp, authorization, exchange, get } = oauthClient(app);

  const SCOPES = ['read:orders', 'write:orders'];
  const UNAVAILABLE: [string, string][] = [
    ['unknown', 'foo'],
    ['several unknown', 'foo read:everything'],
    ['beyond those of the app', 'read:docs'],
  ];
  // They are refused after the same statements, so PostgreSQL tests one of them.
  const refusedOf = (all: typeof UNAVAILABLE) => (runsAllCases(engine) ? all : all.slice(0, 1));

  describe.each(['jwt', 'opaque'])('responds to client credentials with a %s token', (token_format) => {
    const service = () => createApp({ type: 'service', redirect_uris: [], scopes: SCOPES, token_format });
    const ask = async (made: AppBody, params: Record<string, string>) => {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        clientOf(made),
        basic(made),
        params,
        http,
      );
      return { status: response.status, body: Object(await response.json()) };
    };

    test.each(refusedOf(UNAVAILABLE))('refuses scopes that are %s', async (_title, scope) => {
      const { status, body } = await ask(await service(), { scope });
      expect([status, body.error, body.access_token]).toEqual([400, 'invalid_scope', undefined]);
    });

    test('refuses scopes that the installation does not include', async () => {
      const made = await service();
      const body = { client_id: made.client_id, scopes: ['read:orders'], role: 'viewer' };
      expect((await app.post('/v1/installations', { as: 'gil', body })).status).toBe(201);
      const refused = await ask(made, { scope: 'write:orders', org: 'globex' });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
    });

    test.each([
      [{ org: 'gl\u00f6"bex\\\n' }, 'unauthorized_client'],
      [{ org: '' }, 'unauthorized_client'],
      [{ scope: 'read:audit' }, 'invalid_scope'],
    ])('describes the error of %o with the characters of RFC 6749, section 5.2', async (params, error) => {
      const { body } = await ask(await service(), params);
      expect(body).toMatchObject({
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      });
    });

    test.each([
      ['the requested ones', { scope: 'read:orders' }, 'read:orders'],
      ['the available ones', { scope: 'read:orders read:docs foo' }, 'read:orders'],
      ['all without a scope', {}, SCOPES.join(' ')],
      ['all with an empty scope', { scope: '' }, SCOPES.join(' ')],
    ])('gives %s', async (_title, params, scope) => {
      const { status, body } = await ask(await service(), params);
      expect([status, body.scope]).toEqual([200, scope]);
    });
  });

  describe.each(refusedOf([...UNAVAILABLE, ['empty', '']]))(
    'refuses an authorization request with scopes that are %s',
    (_title, scope) => {
      test.each([{}, { prompt: 'none' }, { prompt: 'consent' }])('by a redirect with %o', async (params) => {
        const { url } = await authorization(await createApp(), { scope, ...params });
        const back = new URL((await new Browser(app).visit(url.href)).url);
        expect(back.origin + back.pathname).toBe(REDIRECT);
        expect(Object.fromEntries(back.searchParams)).toMatchObject({
          error: 'invalid_scope',
          error_description: expect.stringMatching(/scope/),
          state: 'state-1',
        });
      });

      test('pushed', async () => {
        const made = await createApp();
        const { url } = await authorization(made, { scope });
        const response = await oauth.pushedAuthorizationRequest(
          server,
          clientOf(made),
          basic(made),
          url.searchParams,
          http,
        );
        expect([response.status, Object(await response.json()).error]).toEqual([400, 'invalid_scope']);
      });

      test('of a device', async () => {
        const made = await createApp({ type: 'native', redirect_uris: [] });
        const response = await oauth.deviceAuthorizationRequest(
          server,
          clientOf(made),
          oauth.None(),
          { scope },
          http,
        );
        expect([response.status, Object(await response.json()).error]).toEqual([400, 'invalid_scope']);
      });
    },
  );

  test('ignores an unknown scope beside others, and offers none to a person who has none of them', async () => {
    const made = await createApp();
    const { url } = await authorization(made, { scope: 'read:orders foo' });
    const back = await new Browser(app).consent(url.href, 'ed');
    expect(back.searchParams.get('code')).toMatch(/./);
    const { url: beyond } = await authorization(made, { scope: 'write:orders' });
    const browser = new Browser(app);
    const page = await browser.signIn(await browser.visit(beyond.href), 'vic');
    expect(page.text).toContain('Nothing to allow');
    expect(page.text).not.toContain('value="allow"');
    const denied = new URL((await browser.deny(page)).url);
    expect(denied.searchParams.get('error')).toBe('access_denied');
  });

  test.each([
    ['says that an app can see what it may change', 'read:orders write:orders', true],
    ['does not say so to an app that changes nothing', 'read:orders', false],
  ])('the consent page %s', async (_title, scope, isSaid) => {
    const made = await createApp();
    const { url } = await authorization(made, { scope });
    const browser = new Browser(app);
    const { text } = await browser.signIn(await browser.visit(url.href), 'ed');
    expect(text).toContain('value="allow"');
    expect(text.includes('It can see what it may change.')).toBe(isSaid);
  });

  describe.each(['jwt', 'opaque'])(
    'requires consent for scopes that identify a person, with a %s token',
    (token_format) => {
      test.each(['openid profile email', 'read:orders openid', 'profile', 'email read:orders'])(
        '%s',
        async (scope) => {
          const made = await createApp({ token_format });
          const browser = new Browser(app);
          const consented = async (asked: string) =>
            browser.consent((await authorization(made, { scope: asked })).url.href, 'ed');
          const silently = async (asked: string) => {
            const { verifier, url } = await authorization(made, { scope: asked, prompt: 'none' });
            return { verifier, back: new URL((await browser.visit(url.href)).url) };
          };
          expect((await consented('read:orders')).searchParams.get('code')).toMatch(/./);
          const refused = await silently(scope);
          expect(refused.back.searchParams.get('error')).toBe('consent_required');
          expect((await consented(scope)).searchParams.get('code')).toMatch(/./);
          const { back, verifier } = await silently(scope);
          const tokens = Object(await (await exchange(made, back, verifier)).json());
          expect(tokens.scope.split(' ').toSorted()).toEqual(scope.split(' ').toSorted());
          const isOpenId = scope.includes('openid');
          expect((await get('/oauth/userinfo', tokens.access_token)).status).toBe(isOpenId ? 200 : 403);
          const { body } = await app.get<{ data: { client_id: string; scopes: string[] }[] }>('/v1/grants', {
            as: 'ed',
          });
          const grant = body.data.find(({ client_id }) => client_id === made.client_id);
          expect(grant?.scopes.toSorted()).toEqual(
            [...new Set(['read:orders', ...scope.split(' ')])].toSorted(),
          );
        },
      );
    },
  );
});
