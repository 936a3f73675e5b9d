/** What the console shows and does when the server refuses, responds late, or cannot be reached. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Page, Route, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { enterConsole, manageConsole } from './console.ts';

/** A failure of the network or of a proxy: what the browser gets, and what people read. */
const FAILURES = [
  ['no network', undefined, /cannot be reached/],
  [
    'an HTML page of a proxy',
    { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
    /HTTP 502/,
  ],
] as const;

/** Reports of the browser about the requests that fail here. */
const CAUSED = /Failed to load resource|WebSocket connection/;

type Response = Parameters<Route['fulfill']>[0];

/**
 * Makes requests of operations fail whose text contains a word, until the returned function is called.
 *
 * @param isSent whether the server executes the request, so that only its response is lost.
 */
async function failing(page: Page, word: string, response?: Response, isSent = false) {
  let isOver = false;
  await page.route('**/graphql', async (route) => {
    if (isOver || !route.request().postData()?.includes(word)) return route.fallback();
    if (isSent) await route.fetch();
    return response ? route.fulfill(response) : route.abort();
  });
  return () => {
    isOver = true;
  };
}

describeEachEngine(
  'the console with failures',
  (engine) => {
    const app = startApp(engine);
    const inConsole = manageConsole(app, CAUSED);
    const secondsToEnd = { timeout: 20_000 };

    for (const [what, response, message] of FAILURES) {
      inConsole(`says so on the sign-in page: ${what}`, async ({ page }) => {
        await page.goto('/console');
        const recover = await failing(page, 'SignIn', response);
        await page.getByLabel('Email').fill('ada@acme.test');
        await page.getByLabel('Password').fill(DEMO_PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByRole('alert').getByText(message).waitFor();
        recover();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
      });

      inConsole(`keeps the dialog of a failed confirmation open: ${what}`, async ({ page }) => {
        const { id } = await placeOrder(app);
        await enterConsole(page);
        await page.goto(`/console/orders/${id}`);
        const recover = await failing(page, 'UpdateOrder', response);
        await page.getByRole('button', { name: 'Cancel order' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Cancel order' }).click();
        await dialog.getByRole('alert').getByText(message).waitFor();
        recover();
        await dialog.getByRole('button', { name: 'Cancel order' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.locator('.facts .badge').getByText('cancelled').waitFor();
      });
    }

    inConsole('signs out on the server once it can be reached', async ({ page }) => {
      await enterConsole(page);
      const recover = await failing(page, 'SignOut');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('alert').getByText('This browser is signed out, but').waitFor();
      recover();
      await page
        .getByRole('alert')
        .getByText('This browser is signed out, but')
        .waitFor({ state: 'detached' });
    });

    inConsole(
      'sends nothing on a socket that it has closed, when the sign-out is during its opening',
      async ({ page }) => {
        // The page gets the messages of its sockets only later.
        await page.addInitScript(`
        const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
        const released = new Promise((resolve) => { globalThis.release = resolve; });
        globalThis.handled = new Promise((resolve) => {
          Object.defineProperty(WebSocket.prototype, 'onmessage', {
            set(handle) {
              set.call(this, async (message) => {
                globalThis.arrived = true;
                await released;
                handle(message);
                setTimeout(resolve);
              });
            },
          });
        });
      `);
        await enterConsole(page);
        // `waitForFunction` would evaluate text in the page, which its content security policy forbids.
        await expect.poll(() => page.evaluate('globalThis.arrived')).toBe(true);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Email').waitFor();
        await page.evaluate('release(); handled');
      },
    );

    inConsole(
      'shows the sign-in page with the reason after the session was ended elsewhere',
      async ({ page }) => {
        const member = await addMember(app, 'editor');
        await enterConsole(page, member.email, member.password);
        await page.locator('.connection[data-state=live]').waitFor();
        await app.delete(`/v1/orgs/acme/users/${member.id}`, { as: 'ada' });
        await placeOrder(app);
        await page.getByRole('alert').getByText('Your session has ended.').waitFor(secondsToEnd);
        expect(await page.getByText(member.email).count()).toBe(0);
      },
    );

    inConsole('gives the reason when a form finds the session ended', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/api-keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('late');
      await page.getByLabel('read:orders').check();
      await failing(page, 'mutation', {
        status: 401,
        contentType: 'application/json',
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
        body: JSON.stringify({ errors: [{ message: 'Expired.', extensions: { code: 'invalid_token' } }] }),
      });
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    });

    inConsole('hides what another role may not do, at once', async ({ page }) => {
      const { id } = await placeOrder(app);
      const member = await addMember(app, 'editor');
      await enterConsole(page, member.email, member.password);
      await page.goto(`/console/orders/${id}`);
      await page.locator('.connection[data-state=live]').waitFor();
      await page.getByRole('button', { name: 'Ship' }).waitFor();
      await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
      await page.getByRole('status').getByText('Your role is now viewer.', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Ship' }).waitFor({ state: 'detached' });
      await page.getByText('viewer of acme').waitFor();
      await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'admin' } });
      await page.getByRole('status').getByText('Your role is now admin. Sign in again').waitFor();
    });

    inConsole('keeps nothing of past attempts to connect', async ({ page }) => {
      let attempts = 0;
      await page.routeWebSocket(/\/graphql$/, (socket) => {
        attempts += 1;
        void socket.close();
      });
      await enterConsole(page);
      await expect.poll(() => attempts, secondsToEnd).toBe(4);
      const inspector = await page.context().newCDPSession(page);
      const { result } = await inspector.send('Runtime.evaluate', { expression: 'window' });
      const objectId = result.objectId ?? '';
      const { listeners } = await inspector.send('DOMDebugger.getEventListeners', { objectId });
      // One belongs to the pause before the next attempt.
      expect(listeners.filter(({ type }) => type === 'online').length).toBeLessThanOrEqual(1);
    });

    inConsole('reads again what failed, once the server is back', async ({ page }) => {
      const sockets: WebSocketRoute[] = [];
      await page.routeWebSocket(/\/graphql$/, (socket) => {
        sockets.push(socket);
        socket.connectToServer();
      });
      await enterConsole(page);
      await page.locator('.connection[data-state=live]').waitFor();
      const recover = await failing(page, 'query');
      await page.getByRole('link', { name: 'Charges' }).first().click();
      await page.getByRole('alert').getByText('cannot be reached').waitFor();
      const recoverLive = await failing(page, 'streamCursor');
      await sockets.at(-1)?.close({ code: 4000 });
      await page.locator('.connection[data-state=connecting]').waitFor();
      recover();
      recoverLive();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    inConsole('treats an abort while a response is read as an abort', async ({ page }) => {
      await enterConsole(page);
      // The response of a stream does not end.
      const name = await page.evaluate<string>(`(async () => {
        const { graph } = await import('/assets/console/graph.js');
        const send = fetch;
        globalThis.fetch = (_, { headers, signal }) => {
          headers.set('accept', 'text/event-stream');
          return send('/feed', { headers, signal });
        };
        const abort = new AbortController();
        setTimeout(() => abort.abort(), 500);
        return graph('{ me { id } }', {}, { signal: abort.signal }).catch((error) => error.name);
      })()`);
      expect(name).toBe('AbortError');
    });

    /** Forms that create something: the page, its button, the values by label, the button of the form, and the route of the list. */
    const FORMS = [
      ['/api-keys', 'Create key', { Name: 'lost' }, 'Create', '/v1/api-keys'],
      ['/webhooks', 'Add webhook', { URL: 'https://lost.example/hooks' }, 'Add', '/v1/webhooks'],
      [
        '/apps',
        'Create app',
        { Name: 'lost', 'Redirect URIs': 'https://lost.example/' },
        'Create',
        '/v1/apps',
      ],
      [
        '/certificates',
        'Register certificate',
        { Name: 'lost', Value: 'a1'.repeat(32) },
        'Register',
        '/v1/client-certificates',
      ],
      [
        '/people',
        'Add with a password',
        { Name: 'lost', Email: 'lost@acme.test', Password: 'blue harbour lantern' },
        'Add',
        '/v1/orgs/acme/users',
      ],
    ] as const;
    for (const [path, opener, values, action, list] of FORMS) {
      inConsole(`creates one row although the first response is lost: ${path}`, async ({ page }) => {
        const count = async () => {
          const { body } = await app.get<{ data: object[] }>(`${list}?limit=100`, { as: 'ada' });
          return body.data.filter((row) => JSON.stringify(row).includes('lost')).length;
        };
        await enterConsole(page);
        await page.goto(`/console${path}`);
        await page.getByRole('button', { name: opener }).click();
        const dialog = page.getByRole('dialog');
        for (const [label, value] of Object.entries(values))
          await dialog.getByLabel(label, { exact: true }).fill(value);
        const scope = dialog.getByLabel('read:orders');
        if ((await scope.count()) > 0) await scope.check();
        const recover = await failing(page, 'idempotencyKey', undefined, true);
        await dialog.getByRole('button', { name: action }).click();
        await dialog.getByRole('alert').getByText('cannot be reached').waitFor();
        expect(await count()).toBe(1);
        recover();
        await dialog.getByRole('button', { name: action }).click();
        await page
          .getByRole('status')
          .getByText(/was (added|created|registered)|can now sign in/)
          .first()
          .waitFor();
        expect(await count()).toBe(1);
      });
    }
  },
  'sqlite',
);

/** Mutations whose repetition only sends another message to a webhook: their buttons have no form, and each click is meant. */
const REPEATABLE = new Set(['createWebhookAttempt', 'createWebhookTest']);

test('each idempotent mutation of the console has a key', () => {
  const idempotent = Object.values(buildSchema().getMutationType()?.getFields() ?? {}).filter(
    ({ args, name }) => args.some((arg) => arg.name === 'idempotencyKey') && !REPEATABLE.has(name),
  );
  const folder = new URL('../../src/http/routes/pages/console/', import.meta.url);
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    // Texts for people have examples of mutations, without variables.
    .flatMap((source) => [...source.matchAll(/mutation \w+\((.*?)\) *\{(.*?)\{/gs)].map(([found]) => found));
  const called = text.filter((document) => idempotent.some(({ name }) => document.includes(`${name}(`)));
  expect(called.length).toBeGreaterThan(5);
  expect(called.filter((document) => !document.includes('idempotencyKey: $key'))).toEqual([]);
});
