/** What the pages outside the console say when the server refuses or cannot be reached, and their theme. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkToken } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { closePage, launch, noBrowser, openPage, signInOn } from './chromium.ts';

const error = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code, message } } });

/** The failures, and what people read instead of a text of the browser. */
const FAILURES = [
  ['no network', (route: Route) => route.abort(), /cannot be reached/],
  [
    'an HTML page of a proxy',
    (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    /HTTP 502/,
  ],
  ['503', error(503, 'unavailable', 'The server is busy.'), /The server is busy/],
  ['429', error(429, 'rate_limited', 'Too many requests.'), /Too many requests/],
] as const;

/** Reports of the browser about the requests that fail here. */
const CAUSED = /Failed to load resource/;

describeEachEngine(
  'pages with failures',
  (engine) => {
    const app = startApp(engine);
    let browser: Browser;

    beforeAll(async () => {
      if (noBrowser === undefined) browser = await launch();
    });
    afterAll(() => browser?.close());

    const onPage = (title: string, run: (page: Page) => Promise<void>) =>
      test(title, async ({ skip }) => {
        skip(noBrowser !== undefined, noBrowser);
        const { page, offences } = await openPage(browser, app.url);
        page.setDefaultTimeout(15_000);
        await run(page);
        expect(offences.filter((text) => !CAUSED.test(text))).toEqual([]);
        await closePage(page);
      });

    for (const [what, fail, message] of FAILURES) {
      onPage(`an invitation says so, and can be tried again: ${what}`, async (page) => {
        const { body } = await app.post<{ id: number }>('/v1/orgs/acme/invitations', {
          as: 'ada',
          body: {
            email: `invited-${FAILURES.findIndex(([name]) => name === what)}@people.test`,
            role: 'viewer',
          },
        });
        await page.route('**/v1/auth/invitations/*', fail);
        await page.goto(`/invitation#${await linkToken(engine, { invitationId: body.id })}`);
        await page.getByRole('alert').getByText(message).waitFor();
        expect(await page.getByText('no longer valid').isVisible()).toBe(false);
        await page.unroute('**/v1/auth/invitations/*');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('Ada Brandt invites you').waitFor();
      });

      onPage(`placing an order says so: ${what}`, async (page) => {
        await page.goto('/');
        await signInOn(page);
        await page.route('**/v1/users/*/orders', fail);
        await page.getByRole('button', { name: 'Place an order' }).click();
        await page.getByText(message).waitFor();
      });

      onPage(`signing in says so: ${what}`, async (page) => {
        await page.goto('/');
        await page.route('**/graphql', fail);
        await page.getByText('Sign in', { exact: true }).first().click();
        await page.getByLabel('Email').fill('ada@acme.test');
        await page.getByLabel('Password').fill('wrong');
        await page.locator('.sign-in button[type=submit]').click();
        await page.getByRole('alert').getByText(message).waitFor();
      });

      onPage(`requesting a link says so: ${what}`, async (page) => {
        await page.goto('/reset-password');
        await page.route('**/v1/auth/password-resets', fail);
        await page.locator('main').getByLabel('Email').fill('vic@acme.test');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').getByText(message).waitFor();
      });
    }

    onPage('an invitation that arrives late leaves the focus in another form', async (page) => {
      const { body } = await app.post<{ id: number }>('/v1/orgs/acme/invitations', {
        as: 'ada',
        body: { email: 'late@people.test', role: 'viewer' },
      });
      const token = await linkToken(engine, { invitationId: body.id });
      const typed = Promise.withResolvers<void>();
      await page.route('**/v1/auth/invitations/*', async (route) => {
        await typed.promise;
        await route.fallback();
      });
      await page.goto(`/invitation#${token}`);
      await page.getByText('Sign in', { exact: true }).first().click();
      await page.locator('.sign-in').getByLabel('Email').pressSequentially('ada');
      typed.resolve();
      await page.getByText('Ada Brandt invites you').waitFor();
      expect(await page.evaluate('document.activeElement.value')).toBe('ada');
    });

    onPage('what is typed to sign in stays while a sign-out is repeated', async (page) => {
      await page.goto('/docs');
      await signInOn(page);
      let attempts = 0;
      await page.route('**/graphql', (route) => {
        if (!route.request().postData()?.includes('SignOut')) return route.fallback();
        attempts += 1;
        return attempts > 2 ? route.fallback() : route.abort();
      });
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('.sign-in summary').click();
      const email = page.locator('.sign-in').getByLabel('Email');
      await email.fill('typed');
      await page.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      const problem = page.locator('.sign-in').getByText('The email address or the password is wrong.');
      await problem.waitFor();
      const message = page.locator('.sign-in').getByText('there the session continues');
      await message.waitFor();
      await message.waitFor({ state: 'detached' });
      expect(attempts).toBe(3);
      expect(await email.inputValue()).toBe('typed');
      expect(await problem.isVisible()).toBe(true);
    });

    for (const path of ['/', '/docs', '/graphql']) {
      onPage(`${path} keeps the focus when the token is renewed`, async (page) => {
        await page.goto(path);
        await signInOn(page);
        await page.getByRole('button', { name: 'Sign out' }).focus();
        const isRenewed = await page.evaluate(`import('/assets/pages/session.js').then(
          async ({ accessToken }) => {
            const token = await accessToken();
            return (await accessToken(token)) !== token;
          })`);
        expect(isRenewed).toBe(true);
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign out');
      });
    }

    for (const path of ['/', '/docs', '/reset-password', '/invitation']) {
      onPage(`${path} has the theme that was chosen in the console`, async (page) => {
        await page.goto('/console');
        await page.getByLabel('Email').waitFor();
        await page.evaluate("localStorage.setItem('portico.theme', 'dark')");
        await page.goto(path);
        const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        await expect.poll(background).toBe('rgb(18, 25, 26)');
      });
    }

    for (const path of ['/console', '/reset-password', `/invitation#plt_${'b'.repeat(43)}`]) {
      onPage(`a page whose scripts fail to load says so: ${path}`, async (page) => {
        await page.route('**/http.js', (route) => route.abort());
        await page.goto(path);
        await page.getByText(/loading\. If .*, reload/).waitFor();
        await page.unroute('**/http.js');
        await page.reload();
        await page.getByText(/Sign in to Portico|Send the link|no longer valid/).waitFor();
        const shown = await page.evaluate(`document.querySelector('.loading')?.getClientRects().length ?? 0`);
        expect(shown).toBe(0);
      });
    }

    onPage('an unknown invitation is no longer valid', async (page) => {
      await page.goto(`/invitation#plt_${'a'.repeat(43)}`);
      await page.getByText('no longer valid').waitFor();
    });

    onPage('a route that cannot be tried says so, and is requested once at a time', async (page) => {
      await page.goto('/docs/rest#GetOrder');
      await signInOn(page);
      const operation = page.locator('#GetOrder');
      await operation.getByLabel('order_id (path)').fill('7');
      let requests = 0;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/v2/orders/7', async (route) => {
        requests += 1;
        await held;
        await route.abort();
      });
      const send = operation.getByRole('button', { name: 'Send' });
      await send.dblclick();
      expect(await send.isDisabled()).toBe(true);
      release();
      await operation.getByRole('status').getByText('The server cannot be reached.').waitFor();
      expect(requests).toBe(1);
    });
  },
  'sqlite',
);
