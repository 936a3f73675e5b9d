/** Devices without a browser, which poll until a person has decided in another one (RFC 8628). */
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, clientOf, oauthClient } from '../support/oauth.ts';

describeEachEngine('a device', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { http, server, createApp, get } = oauthClient(app);
  let made: AppBody;

  beforeAll(async () => {
    made = await createApp({ type: 'native', redirect_uris: [] });
  });

  const request = async (scope: string) =>
    oauth.processDeviceAuthorizationResponse(
      server,
      clientOf(made),
      await oauth.deviceAuthorizationRequest(server, clientOf(made), oauth.None(), { scope }, http),
    );

  const poll = async (code: string, options: object = {}) => {
    const response = await oauth.deviceCodeGrantRequest(server, clientOf(made), oauth.None(), code, {
      ...http,
      ...options,
    });
    return { status: response.status, body: Object(await response.json()) };
  };

  const refresh = async (token: string) => {
    const response = await oauth.refreshTokenGrantRequest(server, clientOf(made), oauth.None(), token, http);
    return { status: response.status, body: Object(await response.json()) };
  };

  /** Enters the code in a browser. @returns the next page, and the secret of the form. */
  const submit = async ({ user_code, verification_uri_complete = '' }: oauth.DeviceAuthorizationResponse) => {
    const browser = new Browser(app);
    const form = await browser.visit(verification_uri_complete);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
    expect(form.text).toContain(`value="${user_code}"`);
    return { browser, xsrf, page: await browser.visit('/device', new URLSearchParams({ xsrf, user_code })) };
  };

  /** Enters the code in a browser, and signs in. @returns the browser at the page of consent. */
  const enter = async (asked: oauth.DeviceAuthorizationResponse) => {
    const { user_code } = asked;
    const { browser, xsrf, page: confirm } = await submit(asked);
    expect(confirm.text).toContain(user_code);
    const fields = new URLSearchParams({ xsrf, user_code, confirm: 'yes' });
    return { browser, page: await browser.signIn(await browser.visit('/device', fields), 'vic') };
  };

  /** Returns a code that a person has allowed. */
  const allowed = async (scope = 'read:orders offline_access') => {
    const asked = await request(scope);
    const { browser, page } = await enter(asked);
    expect((await browser.allow(page)).text).toContain('Connected');
    return asked.device_code;
  };

  const isSignedIn = async (token: string) => (await get('/v1/orders/1', token)).status === 200;

  test('is connected', async () => {
    const asked = await request('read:orders');
    expect(asked.verification_uri).toBe(`${PUBLIC_URL}/device`);
    expect((await poll(asked.device_code)).body).toMatchObject({ error: 'authorization_pending' });
    const { browser, page } = await enter(asked);
    expect((await browser.allow(page)).text).toContain('Connected');
    const { body } = await poll(asked.device_code);
    expect(await isSignedIn(body.access_token)).toBe(true);
  });

  test('that polls too fast is slowed down, until the person has decided', async () => {
    const asked = await request('read:orders');
    const errorNow = async () => (await poll(asked.device_code)).body.error;
    expect(await errorNow()).toBe('authorization_pending');
    // On a busy machine, a poll may be late enough.
    await expect.poll(errorNow, { interval: 1 }).toBe('slow_down');
    const { browser, page } = await enter(asked);
    await browser.allow(page);
    expect((await poll(asked.device_code)).status).toBe(200);
  });

  test('shows the form for a code again to a browser that sends it without a session', async () => {
    const fields = new URLSearchParams({ xsrf: 'x', user_code: 'BCDF-GHJK' });
    const form = await new Browser(app).visit('/device', fields);
    expect([form.status, form.text.includes('name="xsrf"')]).toEqual([200, true]);
  });

  describe('that polls again after the response with its tokens', () => {
    test.each(['read:orders', 'read:orders offline_access'])(
      'gets tokens again for %s, since the response may have been lost',
      async (scope) => {
        const code = await allowed(scope);
        const first = await poll(code);
        expect(first.status).toBe(200);
        const again = await Promise.all([poll(code), poll(code), poll(code)]);
        app.clock.advance(LIMITS.deviceReplayWindow / 2);
        again.push(await poll(code));
        for (const { status, body } of again) {
          // One refresh token, so that a second holder is noticed when both have used it.
          expect([status, body.refresh_token]).toEqual([200, first.body.refresh_token]);
          expect(await isSignedIn(body.access_token)).toBe(true);
        }
        expect(await isSignedIn(first.body.access_token)).toBe(true);
      },
    );

    test.each([
      ['later', async () => app.clock.advance(LIMITS.deviceReplayWindow + 1)],
      ['when the refresh token was used', async (token: string) => refresh(token)],
    ])('%s, ends the grant, since one of the two is a thief', async (_when, act) => {
      const code = await allowed();
      const { refresh_token, access_token } = (await poll(code)).body;
      await act(refresh_token);
      expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await isSignedIn(access_token)).toBe(false);
      expect((await refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
      const feed = await app.get<{ data: { data: object }[] }>('/feed?type=grant.revoked&limit=1', {
        as: 'ada',
      });
      expect(feed.body.data[0]?.data).toMatchObject({ client_id: made.client_id, reason: 'code_reused' });
    });

    test('with another key, ends the grant', async () => {
      const proving = async () => ({
        DPoP: oauth.DPoP(clientOf(made), await oauth.generateKeyPair('ES256')),
      });
      const [own, other] = [await proving(), await proving()];
      for (const [first, second, status] of [
        [own, own, 200],
        [own, other, 400],
        [own, {}, 400],
        [{}, other, 400],
      ] as const) {
        const code = await allowed();
        const { refresh_token } = (await poll(code, first)).body;
        const again = await poll(code, second);
        expect([again.status, again.body.refresh_token]).toEqual(
          status === 200 ? [200, refresh_token] : [400, undefined],
        );
        expect((await poll(code, first)).status).toBe(status);
      }
    });

    test('as another app, gets nothing, and the grant stays', async () => {
      const code = await allowed();
      const { access_token } = (await poll(code)).body;
      const thief = await createApp({ type: 'native', redirect_uris: [] });
      const stolen = await oauth.deviceCodeGrantRequest(server, clientOf(thief), oauth.None(), code, http);
      expect([stolen.status, Object(await stolen.json()).error]).toEqual([400, 'invalid_grant']);
      expect(await isSignedIn(access_token)).toBe(true);
    });
  });

  test('gets the refusal of the person again', async () => {
    const asked = await request('read:orders');
    const { browser, page } = await enter(asked);
    await browser.deny(page);
    for (let left = 2; left > 0; left -= 1) {
      expect((await poll(asked.device_code)).body).toMatchObject({ error: 'access_denied' });
    }
    app.clock.advance(LIMITS.deviceReplayWindow + 1);
    expect((await poll(asked.device_code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('learns for some time that its code has expired, as does the person who enters it', async () => {
    const asked = await request('read:orders');
    app.clock.advance(LIMITS.deviceCodeLifetime);
    expect(await poll(asked.device_code)).toMatchObject({ status: 400, body: { error: 'expired_token' } });
    expect((await submit(asked)).page.text).toContain('The code has expired.');
    app.clock.advance(LIMITS.expiredCodeRetention);
    expect((await poll(asked.device_code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('has a row that expires with its code, as in versions that may run alongside', async () => {
    const { expires_in } = await request('read:orders');
    const query = "select max(expires_at) as expiry from oauth_records where model = 'DeviceCode'";
    const [row] = await engine.place.query(query);
    const latest = app.clock().getTime() + expires_in * 1000;
    expect(new Date(Object(row).expiry).getTime()).toBeLessThanOrEqual(latest);
  });
});
