/** Authorization of apps: discovery, consent, authorization codes and devices. */
import { createHash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { claimsOf } from '../support/fixtures/members.ts';
import { type AppBody, Browser, basic, clientOf, oauthClient, REDIRECT, scopesIn } from '../support/oauth.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describeEachEngine('the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { http, server, createApp, authorization, exchange, get } = oauthClient(app);

  test('publishes metadata for OAuth and OpenID Connect', async () => {
    const issuer = new URL(PUBLIC_URL);
    const openid = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oidc' }),
    );
    expect(openid).toMatchObject({
      issuer: PUBLIC_URL,
      authorization_endpoint: `${PUBLIC_URL}/oauth/authorize`,
      token_endpoint: `${PUBLIC_URL}/oauth/token`,
      pushed_authorization_request_endpoint: `${PUBLIC_URL}/oauth/par`,
      revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
      introspection_endpoint: `${PUBLIC_URL}/oauth/introspect`,
      device_authorization_endpoint: `${PUBLIC_URL}/oauth/device`,
      userinfo_endpoint: `${PUBLIC_URL}/oauth/userinfo`,
      jwks_uri: `${PUBLIC_URL}/.well-known/jwks.json`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      revocation_endpoint_auth_methods_supported: openid.token_endpoint_auth_methods_supported,
      introspection_endpoint_auth_methods_supported: openid.token_endpoint_auth_methods_supported?.filter(
        (method) => method !== 'none',
      ),
      authorization_response_iss_parameter_supported: true,
    });
    const resource = await oauth.processResourceDiscoveryResponse(
      issuer,
      await oauth.resourceDiscoveryRequest(issuer, http),
    );
    expect(resource).toMatchObject({ resource: PUBLIC_URL, authorization_servers: [PUBLIC_URL] });
  });

  test.each([
    ['the response mode form_post', { response_mode: 'form_post', prompt: 'none' }, 400],
    ['signing out without a session', undefined, 200],
  ])('allows only the script that submits the form of %s', async (_title, params, status) => {
    const { url } = await authorization(await createApp(), params);
    const page = await app.get(params ? url.pathname + url.search : '/oauth/logout');
    expect(page.status).toBe(status);
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page.text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    const directives = page.headers.get('content-security-policy')?.split(/; */);
    expect(directives).toContain(`script-src 'sha256-${hash}'`);
    expect(directives).toContain("default-src 'none'");
  });

  test.each([
    ['login', true],
    ['select_account', true],
    ['select_account consent', true],
    ['', false],
  ])('shows a person who is signed in the sign-in again for the prompt %j: %j', async (prompt, isShown) => {
    const made = await createApp();
    const browser = new Browser(app);
    await browser.consent((await authorization(made)).url.href, 'ed');
    const { url } = await authorization(made, { prompt });
    const page = await browser.visit(url.href);
    expect(page.text.includes('name="password"')).toBe(isShown);
    const back = isShown ? await browser.consent(url.href, 'ed') : new URL(page.url);
    expect(back.searchParams.get('code')).toMatch(/./);
  });

  describe('accepts the parameters in a form', () => {
    // OpenID Connect Core, section 3.1.2.1. The browser's cookies are sent with redirects, but not with a form of another site.
    test('of a page of an app, and responds with the session of the browser', async () => {
      const made = await createApp();
      const browser = new Browser(app);
      await browser.consent((await authorization(made)).url.href, 'ed');
      const { verifier, url } = await authorization(made, { prompt: 'none' });
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', cookie: '' };
      const body = url.searchParams;
      const first = await app.post(url.pathname, { text: `${body}`, headers: { ...headers, ...FORM } });
      expect([first.status, first.headers.get('set-cookie')]).toEqual([303, null]);
      const back = await browser.visit(first.headers.get('location') ?? '');
      expect((await exchange(made, new URL(back.url), verifier)).status).toBe(200);
    });

    test('for a sign-out', async () => {
      const { text, url } = await new Browser(app).visit(
        '/oauth/logout',
        new URLSearchParams({ state: 'a b' }),
      );
      expect(url).toBe(`${PUBLIC_URL}/oauth/logout?state=a+b`);
      expect(text).toContain('logout');
    });

    test.each([
      ['with letters that are not escaped', 'state=é', 303, '/oauth/logout?state=%C3%A9'],
      ['that is longer escaped than URLs may be', `state=${'~'.repeat(3000)}`, 413, null],
    ])('%s', async (_title, text, status, location) => {
      const redirect = await app.post('/oauth/logout', { text, headers: FORM });
      expect([redirect.status, redirect.headers.get('location')]).toEqual([status, location]);
    });

    test.each(['/oauth/authorize', '/oauth/logout'])('and no others: %s', async (path) => {
      const { status, text } = await app.post(path, { body: { client_id: 'app_1' } });
      expect([status, text.includes('invalid_request')]).toEqual([415, true]);
    });
  });

  test('lets a user of another organisation consent if the app is installed there', async () => {
    const made = await createApp();
    const { url } = await authorization(made);
    const browser = new Browser(app);
    const refused = await browser.signIn(await browser.visit(url.href), 'gil');
    expect(refused.text).toContain('not installed');
    const body = { client_id: made.client_id, scopes: ['read:orders', 'read:users'], role: 'viewer' };
    expect((await app.post('/v1/installations', { as: 'gil', body })).status).toBe(201);
    const asked = await browser.visit(refused.url);
    expect(scopesIn(asked)).toEqual(['read:users', 'read:orders']);

    const { verifier, url: second } = await authorization(made);
    const back = await new Browser(app).consent(second.href, 'gil', ['read:users']);
    expect(back.searchParams.get('iss')).toBe(PUBLIC_URL);
    const response = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await exchange(made, back, verifier),
    );
    expect(response).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'read:orders' });
    const claims = JSON.parse(Buffer.from(response.access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: '4', org: 'globex', role: 'admin', scopes: ['read:orders'] });
    expect(claims).toMatchObject({
      client_id: made.client_id,
      gid: expect.stringMatching(/^\d+$/),
      iss: PUBLIC_URL,
    });
    expect((await get('/v1/users/4/orders', response.access_token)).status).toBe(200);
    expect((await get('/v1/users/4', response.access_token)).status).toBe(403);
    expect((await get('/v1/users/1/orders', response.access_token)).status).toBe(403);
  });

  test.each([
    ['web', 'https://ledger.example/callback', 'https://ledger.example/about', 'ledger.example', true],
    ['web', 'https://ledger.example/callback', 'https://bank.example', 'ledger.example', false],
    ['web', 'https://ledger.example/callback', 'https://www.ledger.example', 'ledger.example', false],
    ['native', 'http://127.0.0.1/callback', 'https://bank.example', 'an app on this device', false],
    ['native', 'example.ledger:/callback', 'https://bank.example', 'an app on this device', false],
  ])(
    'names who receives the response to a %s app at %s with the homepage %s: %s',
    async (type, redirect, homepage_url, receiver, isShown) => {
      const made = await createApp({ type, redirect_uris: [redirect], homepage_url });
      const { url } = await authorization(made, { redirect_uri: redirect });
      const browser = new Browser(app);
      const { text } = await browser.signIn(await browser.visit(url.href), 'ed');
      expect(text).toContain(`You will be redirected to <strong>${receiver}</strong>`);
      const maker = isShown
        ? `<strong>acme</strong>, <strong>${receiver}</strong>.`
        : '<strong>acme</strong>.';
      expect(text).toContain(`is made by ${maker}`);
      expect(text).not.toContain('bank.example');
    },
  );

  test.each([PUBLIC_URL, `${PUBLIC_URL}/`, `${PUBLIC_URL}/mcp`])(
    'accepts the resource %s',
    async (resource) => {
      const { url } = await authorization(await createApp(), { resource });
      const back = await new Browser(app).consent(url.href, 'ed', ['read:orders']);
      expect(back.searchParams.get('code')).toMatch(/./);
    },
  );

  describe('responds to the app', () => {
    let made: AppBody;
    beforeAll(async () => {
      made = await createApp();
    });

    test('with access_denied after a refusal', async () => {
      const { url } = await authorization(made);
      const browser = new Browser(app);
      const back = new URL(
        (await browser.deny(await browser.signIn(await browser.visit(url.href), 'ed'))).url,
      );
      expect(back.searchParams.get('error')).toBe('access_denied');
      expect(() => oauth.validateAuthResponse(server, clientOf(made), back, 'state-1')).toThrow();
    });

    test('with login_required for prompt=none', async () => {
      const { url } = await authorization(made, { prompt: 'none' });
      const { url: back } = await new Browser(app).visit(url.href);
      expect(new URL(back).searchParams.get('error')).toBe('login_required');
    });

    test.each([
      ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['with another response type', { response_type: 'token' }, 'unsupported_response_type'],
      ['with another resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
      ['with a path below a resource', { resource: `${PUBLIC_URL}/mcp/` }, 'invalid_target'],
    ])('with an error to a request %s', async (_title, params, error) => {
      const { url } = await authorization(made, params);
      const { url: back } = await new Browser(app).visit(url.href);
      expect(new URL(back).origin + new URL(back).pathname).toBe(REDIRECT);
      const { search, hash } = new URL(back);
      const { iss, ...answer } = Object.fromEntries(new URLSearchParams(search || hash.slice(1)));
      // RFC 9207, section 2: in errors, too.
      expect([answer['error'], answer['state'], iss]).toEqual([error, 'state-1', PUBLIC_URL]);
    });

    test.each([
      'https://ledger.example/Callback',
      'https://ledger.example/callback/',
      'https://ledger.example/callback/more',
      'https://ledger.example/callback?more=1',
      'https://LEDGER.example/callback',
      'http://ledger.example/callback',
      'https://elsewhere.example/callback',
    ])('but not at another redirect URI: %s', async (redirectUri) => {
      const { url } = await authorization(made, { redirect_uri: redirectUri });
      const response = await new Browser(app).visit(url.href);
      expect([response.status, response.url.startsWith(PUBLIC_URL)]).toEqual([400, true]);
      expect(response.text).toContain('invalid_redirect_uri');
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    });

    test('with an error for another verifier, another redirect URI and another client', async () => {
      const { verifier, url } = await authorization(made);
      const back = await new Browser(app).consent(url.href, 'ed');
      const wrong = await exchange(made, back, oauth.generateRandomCodeVerifier());
      expect([wrong.status, await wrong.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_grant' }),
      ]);
      const other = await createApp();
      const stolen = await oauth.authorizationCodeGrantRequest(
        server,
        clientOf(other),
        basic(other),
        oauth.validateAuthResponse(server, clientOf(made), back, 'state-1'),
        REDIRECT,
        verifier,
        http,
      );
      expect(stolen.status).toBe(400);
      const mixedUp = new URL(back);
      mixedUp.searchParams.set('iss', 'https://elsewhere.example');
      expect(() => oauth.validateAuthResponse(server, clientOf(made), mixedUp, 'state-1')).toThrow('iss');
    });
  });

  test('requires a sign-in that is recent enough, and of the person whom the app expects', async () => {
    const made = await createApp();
    const ask = async (params: Record<string, string>) =>
      authorization(made, { scope: 'openid read:orders', ...params });
    const browser = new Browser(app);
    const { url } = await ask({ login_hint: '"><b>@acme.test' });
    const page = await browser.visit(url.href);
    expect(page.text).toContain('value="&#34;&#62;&#60;b&#62;@acme.test"');
    await browser.consent(page.url, 'ed');
    const errorOf = async (params: Record<string, string>, by = browser) => {
      const silent = await ask({ prompt: 'none', ...params });
      return new URL((await by.visit(silent.url.href)).url).searchParams.get('error');
    };
    expect(await errorOf({ max_age: '3600' })).toBeNull();
    expect(await errorOf({ max_age: '0' })).toBe('login_required');
    const { verifier, url: again } = await ask({ max_age: '0' });
    const back = await browser.consent(again.href, 'ed');
    const tokens = Object(await (await exchange(made, back, verifier)).json());
    expect(claimsOf(tokens.id_token)).toMatchObject({ sub: '2', auth_time: expect.any(Number) });
    const hint = { id_token_hint: tokens.id_token };
    expect(await errorOf(hint)).toBeNull();
    const other = new Browser(app);
    await other.consent((await ask({})).url.href, 'vic');
    expect(await errorOf(hint, other)).toBe('login_required');
  });

  /** Pushes the parameters of an authorization request. @returns the URL that refers to them. */
  const pushed = async (made: AppBody, { searchParams }: URL) => {
    const response = await oauth.pushedAuthorizationRequest(
      server,
      clientOf(made),
      basic(made),
      searchParams,
      http,
    );
    const { request_uri } = await oauth.processPushedAuthorizationResponse(server, clientOf(made), response);
    return `${PUBLIC_URL}/oauth/authorize?client_id=${made.client_id}&request_uri=${request_uri}`;
  };

  test('accepts pushed authorization requests', async () => {
    const made = await createApp();
    const { verifier, url } = await authorization(made);
    const back = await new Browser(app).consent(await pushed(made, url), 'ed');
    const response = await exchange(made, back, verifier);
    const { scope } = await oauth.processAuthorizationCodeResponse(server, clientOf(made), response);
    expect(scope?.split(' ').toSorted()).toEqual(['read:orders', 'read:users']);
  });

  describe.each(['sent in the URL', 'pushed'])('a request for offline_access that is %s', (way) => {
    let made: AppBody;
    const browser = new Browser(app);
    beforeAll(async () => {
      made = await createApp();
    });

    test.each([
      ['', true],
      ['login', true],
      ['consent', true],
      ['login consent', true],
      ['none', false],
    ])('with the prompt "%s" leads to a refresh token: %s', async (prompt, isGiven) => {
      const { verifier, url } = await authorization(made, { scope: 'read:orders offline_access', prompt });
      const back = await browser.consent(way === 'pushed' ? await pushed(made, url) : url.href, 'ed');
      const response = await exchange(made, back, verifier);
      const tokens = await oauth.processAuthorizationCodeResponse(server, clientOf(made), response);
      expect(tokens.refresh_token !== undefined).toBe(isGiven);
    });
  });

  test('revokes the grant when a code is used twice', async () => {
    const made = await createApp();
    const { verifier, url } = await authorization(made);
    const back = await new Browser(app).consent(url.href, 'ed');
    const responses = await Promise.all(Array.from({ length: 8 }, () => exchange(made, back, verifier)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    const good = responses.find(({ status }) => status === 200);
    const { access_token: token = '' } = Object(await good?.json());
    expect((await get('/v1/orders/1', token)).status).toBe(401);
    const feed = await app.get<{ data: { data: object }[] }>('/feed?type=grant.revoked&limit=1', {
      as: 'ada',
    });
    expect(feed.body.data[0]?.data).toMatchObject({
      client_id: made.client_id,
      user_id: 2,
      reason: 'code_reused',
    });
  });

  test('refuses forms from other sites, and expired requests', async () => {
    const { url } = await authorization(await createApp());
    const browser = new Browser(app);
    const page = await browser.visit(url.href);
    const form = new URLSearchParams({ email: 'ed@acme.test', password: 'portico-demo' });
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await browser.visit(page.url, form, headers)).status).toBe(403);
    }
    expect((await new Browser(app).visit(page.url)).status).toBe(400);
    app.clock.advance(601_000);
    expect((await browser.visit(page.url, form)).status).toBe(400);
  });

  describe.each([
    [
      'loses its redirect URI',
      (path: string) =>
        app.patch(path, { as: 'ada', body: { redirect_uris: ['https://ledger.example/other'] } }),
    ],
    ['is deleted', (path: string) => app.delete(path, { as: 'ada' })],
  ])('if the app %s', (_title, change) => {
    test.each(['sign-in', 'consent'])('during the %s, it gets no code', async (name) => {
      const made = await createApp();
      const { url } = await authorization(made);
      const browser = new Browser(app);
      const first = await browser.visit(url.href);
      const page = name === 'consent' ? await browser.signIn(first, 'ed') : first;
      expect(page.text).toContain(name === 'consent' ? 'name="scope"' : 'name="password"');
      expect((await change(`/v1/apps/${made.id}`)).status).toBeLessThan(300);
      const send = () => (name === 'consent' ? browser.allow(page) : browser.signIn(page, 'ed'));
      for (const visit of [() => browser.visit(page.url), send]) {
        const { status, url: at, text } = await visit();
        expect([status, at, text]).toEqual([400, page.url, expect.stringContaining('has expired')]);
      }
      const { data } = (await app.get<{ data: { client_id: string }[] }>('/v1/grants', { as: 'ed' })).body;
      expect(data.map((grant) => grant.client_id)).not.toContain(made.client_id);
    });

    test.each(['allow', 'deny'])('after the button %s, its URI gets no response', async (action) => {
      const made = await createApp();
      const { url } = await authorization(made);
      let isAnswered = false;
      const browser = new Browser(app, PUBLIC_URL, async (address, init) => {
        // Between the form and the resumption to which it redirects.
        if (isAnswered && String(address).includes('/oauth/authorize/')) await change(`/v1/apps/${made.id}`);
        return fetch(address, init);
      });
      const page = await browser.signIn(await browser.visit(url.href), 'ed');
      isAnswered = true;
      const form = new URLSearchParams({ action, scope: 'read:orders' });
      const { status, url: at, text } = await browser.visit(page.url, form);
      expect(at).toContain(`${PUBLIC_URL}/oauth/authorize/`);
      expect([status, text]).toEqual([400, expect.stringContaining('interaction session not found')]);
    });
  });
});
