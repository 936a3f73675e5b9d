/** The authorization server after a rotation of the keys, with what it issued before. */
import { decodeJwt, importJWK, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readKeyFile, rotateKeyFile } from '../../src/auth/key-file.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, basic, clientOf, oauthClient } from '../support/oauth.ts';

describeEachEngine('the authorization server after a rotation of the keys', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { http, server, createApp, authorization, exchange, tokensFor } = oauthClient(app);

  const scope = 'openid read:orders';

  /** Consents to an app, and returns the browser and the ID token. */
  async function signedIn(made: AppBody) {
    const browser = new Browser(app);
    const { verifier, url } = await authorization(made, { scope });
    const back = await browser.consent(url.href, 'ed');
    const { id_token: hint = '' } = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await exchange(made, back, verifier),
    );
    return { browser, hint };
  }

  const signOut = async (browser: Browser, hint: string) => {
    const page = await browser.visit(`/oauth/logout?${new URLSearchParams({ id_token_hint: hint })}`);
    return [page.status, page.text.includes('Sign out?')];
  };

  test('accepts an ID token that another instance has signed with a key that this one has not read', async () => {
    const made = await createApp();
    const { browser, hint } = await signedIn(made);
    await rotateKeyFile(app.keyFile, app.clock);
    const [newest] = await readKeyFile(app.keyFile);
    if (!newest) throw new Error('The file has no key.');
    const signed = await new SignJWT(decodeJwt(hint))
      .setProtectedHeader({ alg: 'EdDSA', kid: newest.kid })
      .sign(await importJWK(newest, 'EdDSA'));
    // As if it had read the file some seconds ago.
    vi.spyOn(app.keys, 'refresh').mockImplementation(async (maxAge = 0) => {
      if (maxAge < 10_000) await app.keys.reload();
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(app.keys.publicJwks().keys.map(({ kid }) => kid)).not.toContain(newest.kid);
    const { url } = await authorization(made, { scope, prompt: 'none', id_token_hint: signed });
    const back = new URL((await browser.visit(url.href)).url);
    expect([back.searchParams.get('error_description'), back.searchParams.has('code')]).toEqual([null, true]);
    expect(await signOut(browser, signed)).toEqual([200, true]);
    // Of a key that is not in the file.
    const unknown = await new SignJWT(decodeJwt(hint))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'unknown' })
      .sign(await importJWK(newest, 'EdDSA'));
    expect(await signOut(browser, unknown)).toEqual([400, false]);
  });

  test.each(['a request without a page', 'a sign-out'])('accepts a former ID token in %s', async (way) => {
    const made = await createApp();
    const { browser, hint } = await signedIn(made);
    await app.rotateKeys();
    if (way === 'a sign-out') {
      expect(await signOut(browser, hint)).toEqual([200, true]);
      return;
    }
    const again = await authorization(made, { scope, prompt: 'none', id_token_hint: hint });
    const silent = new URL((await browser.visit(again.url.href)).url);
    expect([silent.searchParams.get('error'), silent.searchParams.has('code')]).toEqual([null, true]);
    const { id_token } = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await exchange(made, silent, again.verifier),
    );
    const kidOf = (jwt = '') => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid;
    expect([kidOf(hint) === kidOf(id_token), kidOf(id_token)]).toEqual([
      false,
      app.keys.publicJwks().keys[0]?.kid,
    ]);
  });

  describe('issues no second refresh token for', () => {
    /** Rotates the keys so that the new key is used at once, as it is some time after a rotation. */
    const rotate = async () => {
      await rotateKeyFile(app.keyFile, () => new Date(app.clock().getTime() - 3_600_000));
      await app.keys.reload();
    };
    const refresh = async (made: AppBody, token: string | undefined) => {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        clientOf(made),
        basic(made),
        token ?? '',
        http,
      );
      return { status: response.status, token: Object(await response.json()).refresh_token };
    };

    test('a refresh token that is sent again', async () => {
      const made = await createApp();
      const { refresh_token } = await tokensFor(made, 'ed', 'read:orders offline_access');
      const first = await refresh(made, refresh_token);
      await rotate();
      expect(await refresh(made, refresh_token)).toEqual(first);
      expect((await refresh(made, first.token)).status).toBe(200);
      // Both of its holders have used it.
      expect((await refresh(made, refresh_token)).status).toBe(400);
    });

    test('a device code that is sent again', async () => {
      const made = await createApp();
      const asked = await oauth.processDeviceAuthorizationResponse(
        server,
        clientOf(made),
        await oauth.deviceAuthorizationRequest(
          server,
          clientOf(made),
          basic(made),
          new URLSearchParams({ scope: 'read:orders offline_access' }),
          http,
        ),
      );
      const browser = new Browser(app);
      const form = await browser.visit('/device');
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
      const send = (part: object) =>
        browser.visit('/device', new URLSearchParams({ xsrf, user_code: asked.user_code, ...part }));
      await send({});
      await browser.allow(await browser.signIn(await send({ confirm: 'yes' }), 'ed'));
      const poll = async () => {
        const { device_code } = asked;
        const response = await oauth.deviceCodeGrantRequest(
          server,
          clientOf(made),
          basic(made),
          device_code,
          http,
        );
        return { status: response.status, token: Object(await response.json()).refresh_token };
      };
      const first = await poll();
      expect(first).toEqual({ status: 200, token: expect.any(String) });
      await rotate();
      expect(await poll()).toEqual(first);
    });
  });
});
