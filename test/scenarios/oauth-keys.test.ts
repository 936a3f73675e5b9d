/** The authorization server after a rotation of the keys, with what it issued before. */
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, basic, clientOf, oauthClient } from '../support/oauth.ts';

describeEachEngine('the authorization server after a rotation of the keys', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { http, server, createApp, authorization, exchange, tokensFor } = oauthClient(app);

  test.each(['a request without a page', 'a sign-out'])('accepts a former ID token in %s', async (way) => {
    const made = await createApp();
    const browser = new Browser(app);
    const scope = 'openid read:orders';
    const { verifier, url } = await authorization(made, { scope });
    const back = await browser.consent(url.href, 'ed');
    const { id_token: hint = '' } = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await exchange(made, back, verifier),
    );
    await app.rotateKeys();
    if (way === 'a sign-out') {
      const page = await browser.visit(`/oauth/logout?${new URLSearchParams({ id_token_hint: hint })}`);
      expect([page.status, page.text.includes('Sign out?')]).toEqual([200, true]);
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
