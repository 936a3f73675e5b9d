/** The pages of this server identify the browser at a sign-in, so that wrong passwords of others do not lock it out. */
import { afterEach, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { PEOPLE } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { Browser, oauthClient } from '../support/oauth.ts';
import { startBrowser } from '../support/page-tabs.ts';

describeEachEngine('a browser that has signed in before', (engine) => {
  const app = startApp(engine, {
    realTime: true,
    http: { trustProxy: '127.0.0.1' },
    signIns: { perAccount: 5, fromUnknown: 8, perAddress: 300 },
  });
  const { createApp, authorization } = oauthClient(app);
  afterEach(() => vi.unstubAllGlobals());
  const from = (address: string) => ({ 'x-forwarded-for': address });

  /** Sends wrong passwords from many addresses, until the account is locked for unknown ones. */
  const attack = async (email: string) => {
    for (let n = 0; n < 9; n += 1) {
      const body = { email, password: 'wrong' };
      await app.post('/v1/auth/login', { body, headers: from(`203.0.113.${n}`) });
    }
  };

  test('can sign in again at the authorization server while its account is under attack', async () => {
    const made = await createApp();
    const signIn = async (browser: Browser, address: string) => {
      const { url } = await authorization(made, { prompt: 'login' });
      const page = await browser.visit(url.href, undefined, from(address));
      const form = new URLSearchParams({ email: PEOPLE.vic, password: DEMO_PASSWORD });
      return browser.visit(page.url, form, from(address));
    };
    const browser = new Browser(app);
    expect((await signIn(browser, '198.51.100.1')).status).toBe(200);
    await attack(PEOPLE.vic);
    expect((await signIn(new Browser(app), '198.51.100.2')).status).toBe(429);
    expect((await signIn(browser, '198.51.100.3')).status).toBe(200);
  });

  test('keeps the device in a cookie that scripts and other pages cannot read', async () => {
    const { url } = await authorization(await createApp());
    const page = await new Browser(app).visit(url.href);
    const cookies: string[] = [];
    const spying = async (address: string, init?: object) => {
      const response = await fetch(address, init as RequestInit);
      cookies.push(...response.headers.getSetCookie());
      return response;
    };
    await new Browser(app, undefined, spying).consent(url.href, 'ed');
    const [cookie, ...others] = cookies.filter((each) => each.startsWith('portico_device='));
    expect(others).toEqual([]);
    expect(cookie?.split('; ').slice(1).toSorted()).toEqual(
      [
        'HttpOnly',
        `Max-Age=${LIMITS.deviceTokenLifetime / 1000}`,
        `Path=${new URL(page.url).pathname.replace(/\/[^/]+$/, '')}`,
        'SameSite=Lax',
        'Secure',
      ].toSorted(),
    );
  });

  test('can sign in again in the console, in a new tab', async () => {
    let address = '198.51.100.11';
    const openTab = startBrowser(app, () => from(address));
    await (await openTab()).signIn(PEOPLE.gil, DEMO_PASSWORD);
    await attack(PEOPLE.gil);
    address = '198.51.100.12';
    await (await openTab()).signIn(PEOPLE.gil, DEMO_PASSWORD);
    address = '198.51.100.13';
    localStorage.removeItem('portico.device');
    await expect((await openTab()).signIn(PEOPLE.gil, DEMO_PASSWORD)).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });
});
