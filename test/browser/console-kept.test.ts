/** What people have on a page of the console stays while others change the same data, and while responses are late. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { enterConsole, manageConsole, refuseToLeave } from './console.ts';

/** Reports of the browser about the refusals here. */
const CAUSED = /Failed to load resource/;

const created = async (app: TestApp, path: string, body: object): Promise<number> => {
  const response = await app.post<{ id: number }>(path, { as: 'ada', body });
  expect(response.status, response.text).toBe(201);
  return response.body.id;
};

const addKey = (app: TestApp, name: string) =>
  created(app, '/v1/api-keys', { name, scopes: ['read:orders'] });

const addHook = (app: TestApp) =>
  created(app, '/v1/webhooks', { url: 'https://hooks.example/one', types: ['order.*'] });

const addApp = (app: TestApp) =>
  created(app, '/v1/apps', {
    name: 'App',
    type: 'web',
    redirect_uris: ['https://app.example/'],
    scopes: ['read:orders'],
  });

/** Opens a page of the console, and waits until it follows events. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`);
  await page.locator('.connection[data-state=live]').waitFor();
}

/** Follows the events that reach the console. @returns a function that waits until one of a subject has been handled. */
async function followEvents(page: Page) {
  await page.evaluate(`import('/assets/console/live.js').then(({ onActivity }) => {
    globalThis.subjects = [];
    onActivity(({ subjectId }) => subjects.push(Number(subjectId)));
  })`);
  return (id: number) => expect.poll(() => page.evaluate('subjects'), { timeout: 20_000 }).toContain(id);
}

/** Resolves when the console has begun to read again what the events until now have changed: its timers of the same time are earlier. */
const SETTLED = `import('/assets/console/refresh.js').then(
  ({ SETTLE }) => new Promise((resolve) => setTimeout(resolve, SETTLE)))`;

/** Sets `handled` once the page has handled a response with this text: what follows from it are microtasks, before the next task. */
const noteHandled = (text: string) => `{
  const { text } = Response.prototype;
  Response.prototype.text = async function () {
    const body = await text.call(this);
    if (body.includes(${JSON.stringify(text)})) setTimeout(() => { globalThis.handled = true; });
    return body;
  };
}`;

/** Holds the responses of operations whose text contains a word, until the returned function is called. */
async function hold(page: Page, word: string) {
  const released = Promise.withResolvers<void>();
  const received = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(word)) return route.fallback();
    const response = await route.fetch();
    received.resolve();
    await released.promise;
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { received: received.promise, release: () => released.resolve() };
}

/** A dialog whose opener another person removes. */
interface Removed {
  readonly what: string;
  /** Creates what the dialog is about. @returns the page, and the function that removes the opener. */
  begin(app: TestApp): Promise<{ readonly path: string; remove(): Promise<{ readonly status: number }> }>;
  readonly opener: string;
  /** What to do in the dialog before. */
  fill?(page: Page): Promise<void>;
  /** The title of the dialog that stays. */
  readonly title: RegExp;
}

const createSecret = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action }).click();

const REMOVED: readonly Removed[] = [
  {
    what: 'the row of a revoked key',
    begin: async (app) => {
      const id = await addKey(app, 'revoked');
      return { path: '/api-keys', remove: () => app.delete(`/v1/api-keys/${id}`, { as: 'ada' }) };
    },
    opener: 'Revoke revoked',
    title: /Revoke revoked\?/,
  },
  {
    what: 'the line of a revoked invitation',
    begin: async (app) => {
      const invitations = '/v1/orgs/acme/invitations';
      const id = await created(app, invitations, { email: 'gone@people.test', role: 'viewer' });
      return { path: '/people', remove: () => app.delete(`${invitations}/${id}`, { as: 'ada' }) };
    },
    opener: 'Revoke the invitation of gone@people.test',
    title: /Revoke the invitation/,
  },
  {
    what: 'a new secret of a deleted webhook',
    begin: async (app) => {
      const id = await addHook(app);
      return { path: `/webhooks/${id}`, remove: () => app.delete(`/v1/webhooks/${id}`, { as: 'ada' }) };
    },
    opener: 'Rotate secret',
    fill: (page) => createSecret(page, 'Replace'),
    title: /The new signing secret/,
  },
  {
    what: 'a new secret of a deleted app',
    begin: async (app) => {
      const id = await addApp(app);
      return { path: `/apps/${id}`, remove: () => app.delete(`/v1/apps/${id}`, { as: 'ada' }) };
    },
    opener: 'New secret',
    fill: (page) => createSecret(page, 'Create'),
    title: /The new secret/,
  },
];

/** Creates a key in the console. */
async function createKey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('read:orders').check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
}

/** Creates a key, and closes the dialog before the response. @returns the function that lets the response arrive. */
async function leaveCreatedKey(page: Page, name: string): Promise<() => void> {
  await open(page, '/api-keys');
  const { received, release } = await hold(page, `"${name}"`);
  await createKey(page, name);
  await received;
  await page.keyboard.press('Escape');
  return release;
}

/** The text and the place in the window of the row in the middle of the window; null while it is not rendered after scrolling. */
const ROW = `(() => {
  const row = document.elementFromPoint(640, 300).closest('.row');
  return row && [row.firstElementChild.textContent, Math.round(row.getBoundingClientRect().top)];
})()`;

describeEachEngine(
  'the console keeps',
  (engine) => {
    const app = startApp(engine);
    const inConsole = manageConsole(app, CAUSED);

    for (const { what, begin, opener, fill, title } of REMOVED) {
      inConsole(`an open dialog without its opener: ${what}`, async ({ page }) => {
        const { path, remove } = await begin(app);
        await enterConsole(page);
        await open(page, path);
        const button = page.locator('button[aria-haspopup=dialog]').filter({ hasText: opener });
        await button.click();
        await fill?.(page);
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.waitFor();
        expect((await remove()).status).toBe(204);
        await button.waitFor({ state: 'detached' });
        expect(await dialog.isVisible()).toBe(true);
      });
    }

    inConsole('an open form of a person who may no longer send it', async ({ page }) => {
      const member = await addMember(app, 'editor');
      await enterConsole(page, member.email, member.password);
      await open(page, '/products');
      const button = page.locator('button[aria-haspopup=dialog]').filter({ hasText: 'Add product' });
      await button.click();
      const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
      await name.fill('Typed');
      await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
      await button.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Typed');
    });

    inConsole('an open dialog whose row is scrolled away', async ({ page }) => {
      for (let n = 0; n < 60; n += 1) await addKey(app, `scrolled ${n}`);
      await enterConsole(page);
      await open(page, '/api-keys');
      const button = page.getByRole('button', { name: 'Revoke scrolled 0' });
      await button.click();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await button.waitFor({ state: 'detached' });
      expect(await page.getByRole('dialog').isVisible()).toBe(true);
    });

    inConsole('each secret, in whatever order the responses arrive', async ({ page }) => {
      await enterConsole(page);
      const release = await leaveCreatedKey(page, 'first');
      await createKey(page, 'second');
      const second = page.getByRole('dialog', { name: 'The key second' });
      await second.waitFor();
      release();
      await page.getByRole('dialog', { name: 'The key first' }).getByRole('button', { name: 'Done' }).click();
      expect(await second.isVisible()).toBe(true);
    });

    inConsole('the secret of a late response on whatever page, until it is closed', async ({ page }) => {
      await enterConsole(page);
      const release = await leaveCreatedKey(page, 'late');
      await page.getByRole('link', { name: 'Orders' }).click();
      await page.getByRole('heading', { name: 'Orders' }).waitFor();
      release();
      const secret = page.getByRole('dialog', { name: 'The key late' });
      await secret.waitFor();
      await page.goBack();
      await page.locator('h1').getByText('API keys').waitFor();
      expect(await secret.isVisible()).toBe(true);
      await refuseToLeave(page);
      expect(await secret.isVisible()).toBe(true);
      await secret.getByRole('button', { name: 'Done' }).click();
      await page.reload();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    });

    inConsole('the secret of a late response from another person', async ({ page }) => {
      await enterConsole(page);
      const release = await leaveCreatedKey(page, 'private');
      await page.getByRole('button', { name: 'Sign out' }).click();
      const other = await addMember(app, 'admin');
      await page.getByLabel('Email').fill(other.email);
      await page.getByLabel('Password').fill(other.password);
      await page.keyboard.press('Enter');
      await page.locator('.connection[data-state=live]').waitFor();
      await page.evaluate(noteHandled('"private"'));
      release();
      await expect.poll(() => page.evaluate('globalThis.handled')).toBe(true);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByText('The key was created.').count()).toBe(0);
    });

    inConsole('a form that was opened after a late response was no longer waited for', async ({ page }) => {
      await enterConsole(page);
      await open(page, '/people');
      const { received, release } = await hold(page, 'one@people.test');
      const invite = async (email: string) => {
        await page.getByRole('button', { name: 'Invite person' }).click();
        await page.getByLabel('Email').fill(email);
      };
      await invite('one@people.test');
      await page.keyboard.press('Enter');
      await received;
      await page.keyboard.press('Escape');
      await invite('two@people.test');
      release();
      await page.getByRole('dialog').getByText('An invitation is on its way to one@people.test.').waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe('two@people.test');
    });

    inConsole('the page that was opened after a late response was no longer waited for', async ({ page }) => {
      await enterConsole(page);
      await open(page, '/products');
      const { received, release } = await hold(page, '"Late lamp"');
      await page.getByRole('button', { name: 'Add product' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Late lamp');
      await dialog.getByLabel('Price').fill('1');
      await dialog.getByLabel('Currency').fill('USD');
      await page.keyboard.press('Enter');
      await received;
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Certificates' }).click();
      release();
      await page.getByText('Late lamp was added.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/certificates');
    });

    for (const path of ['/orders', '/events', '/audit-log']) {
      inConsole(`the rows that are read where they are when others appear: ${path}`, async ({ page }) => {
        for (let n = 0; n < 60; n += 1) await placeOrder(app);
        await enterConsole(page);
        await open(page, path);
        await page.getByRole('row').nth(8).waitFor();
        await page.evaluate('scrollTo(0, 1200)');
        await expect.poll(() => page.evaluate('scrollY')).toBe(1200);
        const row = () => page.evaluate(ROW);
        await expect.poll(row).not.toBeNull();
        const before = await row();
        await placeOrder(app);
        await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(1200);
        await expect.poll(row).toEqual(before);
      });
    }

    inConsole('the focus on its row when more rows appear at once than are rendered', async ({ page }) => {
      const rows = 30;
      await enterConsole(page);
      await open(page, '/orders');
      const link = page.locator('[data-index="0"] a');
      await link.focus();
      const order = await link.textContent();
      const placed = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        await placed.promise;
        await route.fallback();
      });
      for (let n = 0; n < rows; n += 1) await placeOrder(app);
      placed.resolve();
      const focused = () =>
        page.evaluate(
          '[document.activeElement.textContent, document.activeElement.closest(".row")?.dataset.index]',
        );
      await expect.poll(focused).toEqual([order, String(rows)]);
    });

    inConsole('the scroll position when another filter of the feed is chosen', async ({ page }) => {
      for (let n = 0; n < 60; n += 1) await placeOrder(app);
      await enterConsole(page);
      await open(page, '/events');
      await page.getByRole('row').nth(8).waitFor();
      await page.getByLabel('Type').selectOption('order.created');
      const { id } = await placeOrder(app);
      const row = page.locator('.row.new').filter({ hasText: `Order ${id}` });
      await row.waitFor();
      await page.evaluate('scrollTo(0, 1200)');
      await expect.poll(() => page.evaluate('scrollY')).toBe(1200);
      const { received, release } = await hold(page, 'query Feed(');
      await page.getByLabel('Type').selectOption('');
      await received;
      const before = await page.evaluate(ROW);
      release();
      // The row that was only in the other list appears above.
      await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(1200);
      expect(await page.evaluate(ROW)).toEqual(before);
    });

    inConsole(
      'the newest events above when a former filter of the feed is chosen again',
      async ({ page }) => {
        await enterConsole(page);
        await open(page, '/events');
        const former = await placeOrder(app);
        const isNew = page.locator('.row.new').filter({ hasText: `Order ${former.id}` });
        await isNew.waitFor();
        const filter = page.getByLabel('Type');
        await filter.selectOption('document.created');
        const handled = await followEvents(page);
        const { id } = await placeOrder(app);
        await handled(id);
        await filter.selectOption('');
        await page
          .locator('.row')
          .filter({ hasText: `Order ${id}` })
          .waitFor();
        const subjects = await page.locator('.row > :nth-child(2)').allTextContents();
        expect(subjects.slice(0, 2)).toEqual([`Order ${id}`, `Order ${former.id}`]);
        expect(await isNew.count()).toBe(0);
      },
    );

    inConsole('the newest events above after events that were lost', async ({ page }) => {
      let isLost = false;
      await page.routeWebSocket(/\/graphql$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((text) => {
          const { id, type } = JSON.parse(String(text));
          const errors = [{ message: 'lost', extensions: { code: 'resume_expired' } }];
          const error = JSON.stringify({ id, type, payload: { data: null, errors } });
          socket.send(isLost && type === 'next' ? error : text);
        });
      });
      await enterConsole(page);
      await open(page, '/events');
      const { id: live } = await placeOrder(app);
      await page
        .locator('.row.new')
        .filter({ hasText: `Order ${live}` })
        .waitFor();
      isLost = true;
      const { id } = await placeOrder(app);
      await page
        .locator('.row')
        .filter({ hasText: `Order ${id}` })
        .waitFor();
      const subjects = await page.locator('.row > :nth-child(2)').allTextContents();
      expect(subjects.slice(0, 2)).toEqual([`Order ${id}`, `Order ${live}`]);
    });

    inConsole('the focus on a button while its change runs', async ({ page }) => {
      const id = await addHook(app);
      await enterConsole(page);
      await open(page, `/webhooks/${id}`);
      const focused = () => page.evaluate('document.activeElement.textContent');
      for (const [name, next] of [
        ['Pause', 'Resume'],
        ['Resume', 'Pause'],
      ] as const) {
        const { release } = await hold(page, 'mutation');
        await page.getByRole('button', { name }).press('Enter');
        // A browser takes the focus from a disabled button with the next frame.
        await expect.poll(focused).not.toBe(name);
        release();
        await expect.poll(focused).toBe(next);
      }
    });

    inConsole('showing newer rows while changes continue without a pause', async ({ page }) => {
      await page.clock.install();
      await enterConsole(page);
      await open(page, '/orders');
      const first = page.locator('.row a').first();
      const before = await first.textContent();
      const handled = await followEvents(page);
      await page.clock.pauseAt(Date.now() + 60_000);
      // Less than the pause after which changes are read, for longer than they may be collected.
      for (let passed = 0; passed <= 2000; passed += 200) {
        await handled((await placeOrder(app)).id);
        await page.clock.runFor(200);
      }
      await expect.poll(() => first.textContent()).not.toBe(before);
    });

    inConsole('reading an object that changes more often than the server responds', async ({ page }) => {
      const { id } = await placeOrder(app);
      await enterConsole(page);
      await open(page, '/orders');
      const handled = await followEvents(page);
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('query Order(')) return route.fallback();
        await handled((await placeOrder(app)).id);
        await page.evaluate(SETTLED);
        await route.fallback().catch(() => undefined);
      });
      await page.getByRole('link', { name: `Order ${id}` }).click();
      await page.getByRole('heading', { name: 'Items' }).waitFor();
    });
  },
  'sqlite',
);
