/**
 * Signing in at the authorization server and consenting, in a real browser: an app of acme requests access
 * from Gil of globex.
 */
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEachEngine } from '../support/engines.ts';
import { freePort, manageServers, type ServerProcess } from '../support/process.ts';
import { Inspection } from './accessibility.ts';
import { doubleClick, launch, noBrowser, openPage } from './chromium.ts';

/** From RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describeEachEngine(
  'consenting',
  (engine) => {
    const servers = manageServers(afterAll);
    let browser: Browser;
    let server: ServerProcess;
    let issuer: string;
    /** The app: a server of its own. */
    let callback: string;
    const receiver = createServer((request, response) => {
      const { port, searchParams } = new URL(request.url ?? '', callback);
      if (searchParams.get('state') === 'moving') {
        response.writeHead(302, { location: `http://localhost:${port}/?state=moved` }).end();
        return;
      }
      const target = searchParams.get('target');
      response.setHeader('content-type', 'text/html').end(target ? evilPage(target) : BACK);
    });
    let app: { readonly client_id: string; readonly client_secret: string };

    beforeAll(async () => {
      if (noBrowser === undefined) browser = await launch();
      await once(receiver.listen(0, '127.0.0.1'), 'listening');
      // The server listens on a port.
      callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
      const [{ url }, port] = [await engine.create('bare'), await freePort()];
      issuer = `http://localhost:${port}`;
      server = await servers.start({ env: { DATABASE_URL: url, PORT: String(port) } });
      app = await post('ada@acme.test', '/v1/apps', {
        name: 'Ledger <b>Sync</b>',
        type: 'web',
        redirect_uris: [callback],
        post_logout_redirect_uris: [callback],
        scopes: ['read:orders', 'read:users', 'read:docs'],
        homepage_url: 'https://ledger.example',
      });
      await install(app, ['read:orders', 'read:users', 'read:docs']);
    });
    afterAll(async () => {
      await browser?.close();
      receiver.closeAllConnections();
      receiver.close();
    });

    async function post<T>(email: string, path: string, body: object): Promise<T> {
      const send = async (to: string, content: object, token = '') => {
        const headers = {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        };
        const response = await fetch(server.url + to, {
          method: 'POST',
          headers,
          body: JSON.stringify(content),
        });
        expect(response.ok, to).toBe(true);
        return response.json();
      };
      const { access_token: token } = Object(
        await send('/v1/auth/login', { email, password: 'portico-demo' }),
      );
      // The test asserts this status.
      return (await send(path, body, token)) as T;
    }

    const createApp = (name: string, scopes: readonly string[]) =>
      post<typeof app>('ada@acme.test', '/v1/apps', {
        name,
        type: 'web',
        redirect_uris: [callback],
        scopes,
      });

    const install = ({ client_id }: typeof app, scopes: readonly string[]) =>
      post('gil@globex.test', '/v1/installations', { client_id, scopes, role: 'viewer' });

    const address = (params: Record<string, string> = {}) =>
      `${issuer}/oauth/authorize?${new URLSearchParams({
        client_id: app.client_id,
        redirect_uri: callback,
        response_type: 'code',
        scope: 'read:orders read:users read:docs',
        state: 'here',
        prompt: 'consent',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        ...params,
      })}`;

    const signOut = (params: Record<string, string>) =>
      new URLSearchParams({ client_id: app.client_id, post_logout_redirect_uri: callback, ...params });

    const exchange = async (code: string | null, verifier = VERIFIER) => {
      const form = {
        grant_type: 'authorization_code',
        client_id: app.client_id,
        client_secret: app.client_secret,
        code: code ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
      };
      const response = await fetch(`${server.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return { status: response.status, body: Object(await response.json()) };
    };

    /** A code that a device of the app would show. */
    const codeOfDevice = async ({ client_id, client_secret } = app): Promise<string> => {
      const body = new URLSearchParams({ client_id, client_secret, scope: 'read:orders' });
      const response = await fetch(`${server.url}/oauth/device`, { method: 'POST', body });
      return Object(await response.json()).user_code;
    };

    /** A separate browser context; the app shows a page when it is redirected back. */
    async function open() {
      const watched = await openPage(browser, issuer, [new URL(callback).origin]);
      return { ...watched, context: watched.page.context() };
    }

    const arrived = async (page: Page) => {
      await page.getByText('Back in Ledger').waitFor();
      return new URL(page.url()).searchParams;
    };

    /** Signs in with the keyboard only. */
    async function signIn(page: Page): Promise<void> {
      await page.keyboard.press('Tab');
      await page.keyboard.type('gil@globex.test');
      await page.keyboard.press('Tab');
      await page.keyboard.type('portico-demo');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Allow' }).waitFor();
    }

    const inBrowser = (title: string, run: () => Promise<void>) =>
      test(title, async ({ skip }) => {
        skip(noBrowser !== undefined, noBrowser);
        await run();
      });

    inBrowser(
      'works with the keyboard only, and the app gets the scopes that were not deselected',
      async () => {
        const { page, offences, context } = await open();
        await page.goto(address());
        await signIn(page);
        // The name is shown as text, whatever it contains, with the receiver and the organisation.
        for (const text of [
          'Ledger <b>Sync</b>',
          'an app on this device',
          'globex',
          'never do more than you',
        ]) {
          await page.getByText(text).first().waitFor();
        }
        // The homepage has another host than the redirect URI, so nothing verifies it.
        expect(await page.getByText('ledger.example').count()).toBe(0);
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.value')).toBe('read:users');
        await page.keyboard.press('Space');
        for (let n = 0; n < 3; n += 1) await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        const back = await arrived(page);
        expect([back.get('state'), back.get('iss')]).toEqual(['here', issuer]);
        const { status, body } = await exchange(back.get('code'));
        expect([status, body.scope.split(' ').toSorted()]).toEqual([200, ['read:docs', 'read:orders']]);
        const asApp = { headers: { authorization: `Bearer ${body.access_token}` } };
        expect((await fetch(`${server.url}/v1/users/4/orders`, asApp)).status).toBe(200);
        expect((await fetch(`${server.url}/v1/users/4`, asApp)).status).toBe(403);
        expect((await fetch(`${server.url}/v1/orders/1`, asApp)).status).toBe(403);
        // A second use of the code fails, and revokes its tokens.
        expect((await exchange(back.get('code'))).body.error).toBe('invalid_grant');
        expect((await fetch(`${server.url}/v1/users/4/orders`, asApp)).status).toBe(401);
        expect(offences).toEqual([]);
        await context.close();
      },
    );

    inBrowser(
      'reports to the app that access was denied, or that a sign-in or consent is required',
      async () => {
        const { page, context } = await open();
        await page.goto(address({ prompt: 'none' }));
        expect((await arrived(page)).get('error')).toBe('login_required');
        await page.goto(address());
        await signIn(page);
        await page.getByRole('button', { name: 'Deny' }).click();
        expect((await arrived(page)).get('error')).toBe('access_denied');
        await page.goto(address({ prompt: 'none' }));
        expect((await arrived(page)).get('error')).toBe('consent_required');
        await context.close();
      },
    );

    inBrowser('and a sign-out lead to an app that redirects to another host', async () => {
      const { page, context } = await open();
      await page.goto(address({ state: 'moving' }));
      await signIn(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      expect((await arrived(page)).get('state')).toBe('moved');
      await page.goto(`${issuer}/oauth/logout?${signOut({ state: 'moving' })}`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      expect((await arrived(page)).get('state')).toBe('moved');
      await context.close();
    });

    inBrowser('in two tabs gives each its own code', async () => {
      const { page, context } = await open();
      await page.goto(address({ state: 'first' }));
      await signIn(page);
      const second = await context.newPage();
      await second.goto(address({ state: 'second' }));
      for (const [tab, state] of [
        [second, 'second'],
        [page, 'first'],
      ] as const) {
        await tab.getByRole('button', { name: 'Allow' }).click();
        const back = await arrived(tab);
        expect(back.get('state')).toBe(state);
        expect((await exchange(back.get('code'))).status).toBe(200);
      }
      await context.close();
    });

    inBrowser('does not continue from a page that was submitted, or with another verifier', async () => {
      const { page, context } = await open();
      await page.goto(address({ prompt: 'consent' }));
      await signIn(page);
      const asked = page.url();
      await page.getByRole('button', { name: 'Allow' }).click();
      const code = (await arrived(page)).get('code');
      await page.goto(asked);
      await page.getByText('This request has expired').waitFor();
      const { status, body } = await exchange(code, 'x'.repeat(43));
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
      await context.close();
    });

    test.each<[string, (own: string) => string]>([
      ['in upper case', (own) => own.toUpperCase()],
      ['with a capital in its path', (own) => own.replace('callback', 'Callback')],
      ['with a slash at its end', (own) => `${own}/`],
      ['with more path', (own) => `${own}/more`],
      ['with a query', (own) => `${own}?to=elsewhere`],
      ['with a fragment', (own) => `${own}#part`],
      ['with another path', (own) => `${own}/../other`],
      ['on another host', (own) => own.replace('127.0.0.1', '127.0.0.1.evil.example')],
      ['with a name before its host', (own) => own.replace('127.0.0.1', 'user@127.0.0.1')],
      ['with another scheme', (own) => own.replace('http:', 'https:')],
      ['with another port', (own) => own.replace(/:\d+/, ':1')],
    ])('does not redirect to an address %s', async (_what, change) => {
      const response = await fetch(address({ redirect_uri: change(callback) }), { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    });

    describe('a form', () => {
      const shows = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor();
      const returns = (error: string | null) => async (page: Page) => {
        const back = await arrived(page);
        expect([back.get('error'), back.has('code')]).toEqual([error, error === null]);
      };

      interface Form {
        readonly open: (page: Page) => Promise<unknown>;
        readonly button: string;
        /** What a single click leads to. */
        readonly outcome: (page: Page) => Promise<unknown>;
      }

      /** Every form that the authorization server renders, by the title of its page. All but the first open after a sign-in. */
      const FORMS: Readonly<Record<string, Form>> = {
        'Sign in': {
          open: async (page) => {
            await page.goto(address());
            await page.getByLabel('Email address').fill('gil@globex.test');
            await page.getByLabel('Password').fill('portico-demo');
          },
          button: 'Sign in',
          outcome: shows('Let Ledger'),
        },
        'Let Ledger': {
          open: (page) => page.goto(address()),
          button: 'Allow',
          outcome: returns(null),
        },
        'Not installed': {
          open: async (page) => {
            const { client_id } = await createApp('Foreign', ['read:orders']);
            await page.goto(address({ client_id, scope: 'read:orders' }));
          },
          button: 'Go back',
          outcome: returns('access_denied'),
        },
        'Nothing to allow': {
          open: async (page) => {
            const made = await createApp('Narrow', ['read:orders', 'read:users']);
            await install(made, ['read:users']);
            await page.goto(address({ client_id: made.client_id, scope: 'read:orders' }));
          },
          button: 'Go back',
          outcome: returns('access_denied'),
        },
        'Connect a device': {
          open: async (page) => page.goto(`${issuer}/device?user_code=${await codeOfDevice()}`),
          button: 'Continue',
          outcome: shows('Is this your device?'),
        },
        'Is this your device?': {
          open: async (page) => {
            const made = await createApp('Screen', ['read:orders']);
            await install(made, ['read:orders']);
            await page.goto(`${issuer}/device?user_code=${await codeOfDevice(made)}`);
            await page.getByRole('button', { name: 'Continue' }).click();
          },
          button: 'The codes match',
          outcome: shows('Let Screen'),
        },
        'Sign out?': {
          open: (page) => page.goto(`${issuer}/oauth/logout?${signOut({ state: 'left' })}`),
          button: 'Sign out',
          outcome: async (page) => expect((await arrived(page)).get('state')).toBe('left'),
        },
      };

      const buttonOf = (page: Page, { button }: Form) => page.getByRole('button', { name: button });

      /** Opens a form after a sign-in. */
      async function openForm(page: Page, title: string, form: Form) {
        if (title !== 'Sign in') {
          await page.goto(address());
          await signIn(page);
        }
        await form.open(page);
        await shows(title)(page);
      }

      test('is tested here, whichever it is', () => {
        const sources = globSync('src/http/oauth/*.ts').map((file) => readFileSync(file, 'utf8'));
        const forms = sources.flatMap((source) => source.match(/<form/g) ?? []);
        // The rendering code names it once more, to find forms.
        expect(forms.length - 1).toBe(Object.keys(FORMS).length);
      });

      for (const [title, form] of Object.entries(FORMS)) {
        inBrowser(`is sent once by a double-click: ${title}`, async () => {
          const { page, offences, context } = await open();
          await openForm(page, title, form);
          const sent = await doubleClick(buttonOf(page, form));
          await form.outcome(page);
          expect([sent.length, offences]).toEqual([1, []]);
          await context.close();
        });
      }

      inBrowser('works without scripts', async () => {
        const context = await browser.newContext({ javaScriptEnabled: false });
        const page = await context.newPage();
        for (const [title, form] of Object.entries(FORMS)) {
          await form.open(page);
          await shows(title)(page);
          await buttonOf(page, form).click();
          await form.outcome(page);
        }
        await context.close();
      });

      inBrowser('can be sent again from a page that was kept, or that has stayed for a while', async () => {
        const { page, context } = await open();
        await page.clock.install();
        await page.goto(`${issuer}/device`);
        const sent: (string | null)[] = [];
        await page.route('**', async (route) => {
          const body = route.request().postData();
          if (body === null) return route.fallback();
          sent.push(new URLSearchParams(body).get('user_code'));
          // Without a new page, this one stays.
          await route.fulfill({ status: 204 });
        });
        const send = async (code: string) => {
          await page.getByLabel('Code').fill(code);
          await page.getByRole('button', { name: 'Continue' }).click();
        };
        await send('first');
        await send('ignored');
        await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
        await send('after going back');
        await send('ignored');
        await page.clock.fastForward(10_000);
        await send('later');
        await expect.poll(() => sent.at(-1)).toBe('later');
        expect(sent).toEqual(['first', 'after going back', 'later']);
        await context.close();
      });
    });

    describe('pages', () => {
      inBrowser('fit wide and narrow windows, and axe finds nothing, light and dark', async () => {
        const foreign = await createApp('Not installed', ['read:orders']);
        const { page, offences, context } = await open();
        const inspection = new Inspection(page);
        const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
        const titled = (name: string) => page.getByRole('heading', { name }).waitFor();

        await page.goto(address({ scope: 'openid email read:orders read:users read:docs' }));
        await inspection.look('sign-in');
        await page.getByLabel('Email address').fill('gil@globex.test');
        await page.getByLabel('Password').fill('wrong');
        await press('Sign in');
        await page.getByRole('alert').waitFor();
        await inspection.look('a wrong password');
        await page.getByLabel('Password').fill('portico-demo');
        await press('Sign in');
        await page.getByRole('button', { name: 'Allow' }).waitFor();
        await inspection.look('consent');
        await press('Allow');
        await arrived(page);
        await page.goto(address({ redirect_uri: `${callback}/more` }));
        await titled('This request cannot be processed');
        await inspection.look('an error');

        await page.goto(`${issuer}/device`);
        await inspection.look('device');
        await page.getByLabel('Code').fill('WRONG');
        await press('Continue');
        await page.getByRole('alert').waitFor();
        await inspection.look('a wrong code');
        await page.reload();
        await page.getByRole('alert').getByText('This page was out of date.').waitFor();
        await page.goto(`${issuer}/device?user_code=${await codeOfDevice()}`);
        await press('Continue');
        await titled('Is this your device?');
        await inspection.look('a device to confirm');
        await press('The codes match');
        await titled('Connected');
        await inspection.look('a connected device');
        await page.reload();
        await page.getByRole('alert').getByText('This page was out of date.').waitFor();

        await page.goto(address({ client_id: foreign.client_id, scope: 'read:orders' }));
        await titled('Not installed');
        await inspection.look('an app that is not installed');
        await page.goto(`${issuer}/oauth/logout`);
        await inspection.look('sign-out');
        await press('Sign out');
        await titled('Signed out');
        await inspection.look('signed out');
        expect(inspection.problems).toEqual([]);
        // A page about a refusal has an error status, which the browser reports.
        expect(offences.filter((offence) => !/status of 4\d\d/.test(offence))).toEqual([]);
        await context.close();
      });

      inBrowser('refuse frames, and forms of other sites', async () => {
        const { page, context } = await open();
        await page.goto(address());
        await signIn(page);
        const target = page.url();
        const evil = await context.newPage();
        await evil.goto(`${callback}?${new URLSearchParams({ target })}`);
        const framed = evil.frames().find((frame) => frame !== evil.mainFrame());
        // The frame is refused after the page around it has loaded.
        await expect.poll(() => framed?.url()).toBe('chrome-error://chromewebdata/');
        const [response] = await Promise.all([
          evil.waitForResponse(
            (response) => response.url() === target && response.request().method() === 'POST',
          ),
          evil.getByRole('button', { name: 'Win' }).click(),
        ]);
        expect(response.status()).toBe(403);
        // The request is not granted by that.
        await page.getByRole('button', { name: 'Allow' }).click();
        expect((await arrived(page)).get('code')).toBeTruthy();
        await context.close();
      });
    });
  },
  'sqlite',
);

const BACK = '<title>Ledger</title><h1>Back in Ledger</h1>';

/** A page of another site with the target in a frame, and a form that posts there. */
const evilPage = (target: string) => `<iframe src="${target}"></iframe>
  <form method="post" action="${target}"><input name="action" value="allow"><button>Win</button></form>`;
