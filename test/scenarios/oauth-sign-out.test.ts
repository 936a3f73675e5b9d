/** Signing out at the authorization server, and going back to the app (OpenID Connect RP-Initiated Logout 1.0). */
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, clientOf, oauthClient, REDIRECT } from '../support/oauth.ts';

const HOME = 'https://ledger.example/signed-out?from=portico';

describeEachEngine('a sign-out', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { server, createApp, authorization, exchange } = oauthClient(app);
  const withHome = () => createApp({ post_logout_redirect_uris: [HOME] });

  const open = (browser: Browser, params: Record<string, string>) =>
    browser.visit(`/oauth/logout?${new URLSearchParams(params)}`);

  /** Sends the form of a page, as a person does, or a script without a sign-in. @returns where the browser ends. */
  const confirm = async (browser: Browser, { text }: { readonly text: string }) => {
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return browser.visit('/oauth/logout/confirm', new URLSearchParams({ xsrf, logout: 'yes' }));
  };

  /** Returns a browser in which a person has signed in for an app, and the ID token of the app. */
  async function signedIn(made: AppBody) {
    const browser = new Browser(app);
    const { verifier, url } = await authorization(made, { scope: 'openid' });
    const back = await browser.consent(url.href, 'ed');
    const response = await exchange(made, back, verifier);
    const { id_token: hint = '' } = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      response,
    );
    return { browser, hint };
  }

  describe.each(['client_id', 'id_token_hint'])('by an app that names itself with %s', (name) => {
    test('leads back to the app with its state, and its page says whose app that is, and where', async () => {
      const made = await withHome();
      const { browser, hint } = await signedIn(made);
      const itself = { [name]: name === 'client_id' ? made.client_id : hint };
      const page = await open(browser, { ...itself, post_logout_redirect_uri: HOME, state: 'a b' });
      expect(page.status).toBe(200);
      // The name alone could be that of anyone.
      for (const part of ['Ledger', 'acme', 'ledger.example'])
        expect(page.text).toContain(`<strong>${part}</strong>`);
      expect((await confirm(browser, page)).url).toBe(`${HOME}&state=a+b`);
      const silent = await browser.visit((await authorization(made, { prompt: 'none' })).url.href);
      expect(new URL(silent.url).searchParams.get('error')).toBe('login_required');
    });
  });

  test.each([
    ['of the app', true],
    ['without an app', false],
  ])('%s keeps apps connected, as its page says', async (_who, isOfApp) => {
    const made = await withHome();
    const browser = new Browser(app);
    const { verifier, url } = await authorization(made, { scope: 'read:orders' });
    const back = await browser.consent(url.href, 'ed');
    const response = await exchange(made, back, verifier);
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      response,
    );
    const read = () => app.get('/v1/users/2/orders', { as: { token } });
    expect((await read()).status).toBe(200);
    const page = await open(browser, isOfApp ? { client_id: made.client_id } : {});
    expect(page.text).toContain('Apps stay connected.');
    await confirm(browser, page);
    expect((await read()).status).toBe(200);
  });

  test('leads back also without a sign-in', async () => {
    const browser = new Browser(app);
    const { client_id } = await withHome();
    const page = await open(browser, { client_id, post_logout_redirect_uri: HOME });
    expect((await confirm(browser, page)).url).toBe(HOME);
  });

  test('of a native app leads to any port of its loopback address, and to its own scheme', async () => {
    const uris = ['http://127.0.0.1/done', 'com.example.ledger:/done'];
    const { client_id } = await createApp({
      type: 'native',
      redirect_uris: [],
      post_logout_redirect_uris: uris,
    });
    for (const uri of ['http://127.0.0.1:4711/done', 'com.example.ledger:/done']) {
      const browser = new Browser(app);
      const page = await open(browser, { client_id, post_logout_redirect_uri: uri });
      expect((await confirm(browser, page)).url).toBe(uri);
    }
  });

  test.each<[string, (made: AppBody) => Promise<Record<string, string>>]>([
    ['a redirect URI', async ({ client_id }) => ({ client_id, post_logout_redirect_uri: REDIRECT })],
    [
      'an address below its own',
      async ({ client_id }) => ({ client_id, post_logout_redirect_uri: `${HOME}/more` }),
    ],
    [
      'an address of another app',
      async () => ({ client_id: (await createApp()).client_id, post_logout_redirect_uri: HOME }),
    ],
    [
      'an address that was removed',
      async ({ id, client_id }) => {
        const body = { post_logout_redirect_uris: [] };
        expect((await app.patch(`/v1/apps/${id}`, { as: 'ada', body })).body).toMatchObject(body);
        return { client_id, post_logout_redirect_uri: HOME };
      },
    ],
  ])('does not lead to %s', async (_what, paramsFor) => {
    const page = await open(new Browser(app), await paramsFor(await withHome()));
    expect([page.status, page.text.includes('post_logout_redirect_uri not registered')]).toEqual([400, true]);
  });

  test('that names no app leads nowhere else', async () => {
    await withHome();
    const browser = new Browser(app);
    const page = await confirm(browser, await open(browser, { post_logout_redirect_uri: HOME }));
    expect([page.status, page.text.includes('Signed out')]).toEqual([200, true]);
  });
});
