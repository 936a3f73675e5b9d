/** The HTML pages of the server, in a browser that can reach only the server. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { NAVIGATION } from '../../src/http/routes/docs/layout.ts';
import { linkToken } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { forcedLooksOf, Inspection, violationsOn } from './accessibility.ts';
import { closePage, launch, noBrowser, openPage, signInOn, type WatchedPage } from './chromium.ts';
import { LOWEST_LIMITS } from './console.ts';

/**
 * Runs the document in the editor. If it has several operations, the button opens a menu, so this waits for a
 * single one.
 */
const execute = (page: Page) => page.locator('.graphiql-execute-button:not([aria-haspopup])').click();

const ORDER = { items: [{ product_id: 1, qty: 1 }] };

/** The REST reference renders an operation when it is opened. */
const OPEN_OPERATIONS = `for (const one of document.querySelectorAll('details.operation')) one.open = true`;

/** Each operation has a form, once it was opened. */
const WITHOUT_FORM = `document.querySelectorAll('details.operation:not(:has(form))').length`;

/**
 * Keeps only the operations, fields and types of a reference that have a new kind of element: axe takes a
 * minute for all of them, with the same findings.
 */
const LEAVE_ONE_OF_EACH = `(() => {
  const known = new Set();
  const kindOf = (one) => [
    one.parentElement.localName, one.localName, one.className, one.dataset.method, one.type,
    one.matches(':first-child'), one.matches(':last-child'), ...one.getAttributeNames(),
  ].join(' ');
  for (const part of document.querySelectorAll('details.operation, dl.fields > div')) {
    const kinds = [...part.querySelectorAll('*')].map(kindOf);
    if (kinds.every((kind) => known.has(kind))) part.remove();
    for (const kind of kinds) known.add(kind);
  }
  for (const list of document.querySelectorAll('section.type > dl:not(:has(*))')) list.parentElement.remove();
  return document.querySelectorAll('details.operation, dl.fields > div').length;
})()`;

/** Generated pages with hundreds of parts. */
const REFERENCES: readonly string[] = ['rest', 'rest-v1', 'graph'];

/** Makes the page refresh its access token at the next use. */
const LATER = '(({ now }) => { Date.now = () => now() + 3_600_000; })(Date)';

const HTML = { accept: 'text/html' };

describeEachEngine(
  'the pages',
  (engine) => {
    const app = startApp(engine, { operations: LOWEST_LIMITS });
    let browser: Browser;

    beforeAll(async () => {
      if (noBrowser === undefined) browser = await launch();
    });
    afterAll(() => browser?.close());

    /** A test of one page, which must not log errors or request other origins. */
    const onPage = (title: string, path: string, run: (watched: WatchedPage) => Promise<void>) =>
      test(title, async ({ skip }) => {
        skip(noBrowser !== undefined, noBrowser);
        const watched = await openPage(browser, app.url);
        await watched.page.goto(path);
        await run(watched);
        expect(watched.offences).toEqual([]);
        await closePage(watched.page);
      });

    describe('/docs', () => {
      onPage('signs in and tries a route', '/docs/rest#GetOrder', async ({ page }) => {
        await signInOn(page, 'vic@acme.test');
        const operation = page.locator('#GetOrder');
        await operation.getByLabel('order_id (path)').fill('7');
        await operation.getByRole('button', { name: 'Send' }).click();
        const result = operation.getByRole('status');
        await result.getByText(/^200 /).waitFor();
        expect(await result.textContent()).toContain('"user_id"');
      });

      onPage('adds its forms for any fragment', '/docs/rest#%E0', async ({ page }) => {
        const operation = page.locator('#GetOrder');
        await operation.locator('summary').first().click();
        await operation.getByLabel('order_id (path)').waitFor();
      });

      onPage('finds search results', '/docs', async ({ page }) => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('createCharge');
        await page.getByRole('option', { name: /Mutation.createCharge/ }).waitFor();
        const [selected, ...others] = await forcedLooksOf(page, '[role=option]');
        expect(others.length).toBeGreaterThan(0);
        expect(others).not.toContain(selected);
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/docs\/\w+#/);
      });
    });

    describe('fits, and axe finds nothing:', () => {
      const looked = (what: string, path: string, prepare?: (page: Page) => Promise<unknown>) =>
        onPage(what, path, async ({ page }) => {
          await prepare?.(page);
          const inspection = new Inspection(page);
          await inspection.look(what);
          expect(inspection.problems).toEqual([]);
        });

      for (const path of ['/', '/docs', '/reset-password', '/invitation']) looked(path, path);

      onPage('every guide', '/docs', async ({ page }) => {
        const inspection = new Inspection(page);
        const names = NAVIGATION.flatMap(({ pages }) => pages.map(([name]) => name));
        for (const name of names.filter((one) => !REFERENCES.includes(one))) {
          await page.goto(`/docs/${name}`);
          // They share one layout with `/docs`, and differ only in text.
          await inspection.lookOnce(name);
        }
        expect(inspection.problems).toEqual([]);
      });

      for (const name of REFERENCES) {
        onPage(name, `/docs/${name}`, async ({ page }) => {
          const inspection = new Inspection(page);
          await page.evaluate(OPEN_OPERATIONS);
          await expect.poll(() => page.evaluate(WITHOUT_FORM)).toBe(0);
          await inspection.fit(name);
          expect(await page.evaluate(LEAVE_ONE_OF_EACH)).toBeGreaterThan(2);
          await inspection.look(name);
          expect(inspection.problems).toEqual([]);
        });
      }
      looked('signing in', '/', (page) => page.getByText('Sign in', { exact: true }).first().click());
      looked('searching', '/docs', async (page) => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('order');
        await page.getByRole('option').first().waitFor();
      });
      looked('GraphiQL', '/graphql', (page) => page.locator('.graphiql-query-editor .CodeMirror').waitFor());
    });

    describe('pages behind links in mail', () => {
      onPage('request a link, with the keyboard only', '/reset-password', async ({ page }) => {
        expect(await violationsOn(page)).toEqual([]);
        // The first field has the focus.
        await page.keyboard.type('vic@acme.test');
        await page.keyboard.press('Enter');
        await page.getByRole('status').getByText('If vic@acme.test has an account').waitFor();
        expect(await violationsOn(page)).toEqual([]);
        const [row] = await engine.place.query('select email from outbox');
        expect(row).toEqual({ email: 'vic@acme.test' });
      });

      onPage('set a password', '/', async ({ page }) => {
        const member = await addMember(app, 'viewer');
        await page.goto('/reset-password');
        await page.getByRole('button', { name: 'Send the link' }).waitFor();
        await page.goto(`/reset-password#${await linkToken(engine, { userId: member.id })}`);
        await page.getByLabel('New password').waitFor();
        expect(page.url()).not.toContain('plt_');
        expect(await violationsOn(page)).toEqual([]);
        const password = '🔑'.repeat(LIMITS.passwordLength);
        await page.keyboard.insertText(password);
        await page.keyboard.press('Enter');
        await page.getByText('Your password is set.').waitFor();
        await signIn(app, { ...member, password });
      });

      onPage('accept an invitation', '/', async ({ page }) => {
        const email = 'invited@people.test';
        const made = await app.post<{ id: number }>('/v1/orgs/acme/invitations', {
          as: 'ada',
          body: { email, role: 'viewer' },
        });
        await page.setViewportSize({ width: 320, height: 640 });
        await page.goto(`/invitation#${await linkToken(engine, { invitationId: made.body.id })}`);
        await page.getByText('Ada Brandt invites you').waitFor();
        // In one step, so that neither the page takes the focus from the link, nor the reload comes before the event.
        await page.evaluate(
          `new Promise((resolve) => {
            addEventListener('hashchange', () => setTimeout(resolve));
            document.querySelector('.skip').click();
          })`,
        );
        await page.reload();
        await page.getByText('Ada Brandt invites you').waitFor();
        expect(page.url()).not.toContain('#');
        expect(await violationsOn(page)).toEqual([]);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(320);
        await page.keyboard.type('Nia Roth');
        await page.keyboard.press('Tab');
        await page.keyboard.type('blue harbour lantern');
        await page.keyboard.press('Enter');
        await page.getByText('Welcome, Nia Roth.').waitFor();
        await signIn(app, { email, password: 'blue harbour lantern' });
      });
    });

    describe('GraphiQL', () => {
      onPage('signs in, completes a field, and runs a query', '/graphql', async ({ page }) => {
        await signInOn(page);
        const editor = page.locator('.graphiql-query-editor .CodeMirror');
        await editor.click();
        await page.keyboard.press('Control+a');
        await page.keyboard.type('{ me { na');
        await page.keyboard.press('Control+Space');
        const hint = page.getByRole('option', { name: 'name', exact: true });
        await hint.waitFor();
        await hint.click();
        await execute(page);
        await page.locator('.result-window').getByText('Ada Brandt').waitFor();
      });

      onPage('runs a subscription with a refreshed access token', '/graphql', async ({ page }) => {
        await signInOn(page);
        await page.getByRole('tab', { name: 'Activity' }).click();
        await page.evaluate(LATER);
        await execute(page);
        await page.getByRole('button', { name: 'Stop query' }).waitFor();
        await vi.waitFor(
          async () => {
            const { body } = await app.post<{ id: number }>('/v1/users/1/orders', { as: 'ada', body: ORDER });
            const shownEvent = page.locator('.result-window').getByText(`"${body.id}"`).first();
            await shownEvent.waitFor({ timeout: 2000 });
          },
          { timeout: 60_000 },
        );
      });

      onPage('shows the documentation of the schema', '/graphql', async ({ page }) => {
        await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
        await page.locator('.graphiql-doc-explorer').getByText('Mutation', { exact: true }).click();
        await page.getByText('Creates a pending order at current prices').first().waitFor();
      });
    });

    describe('/', () => {
      onPage('explains the server, and links to the other pages', '/', async ({ page }) => {
        for (const path of [
          'console',
          'docs',
          'graphql',
          'openapi.json',
          'docs/versions',
          'healthz',
          'readyz',
        ]) {
          const link = page.locator(`main a[href="${path}"], footer a[href="${path}"]`);
          expect(await link.count(), path).toBe(1);
          expect((await page.request.get(`/${path}`, { headers: HTML })).status(), path).toBe(200);
        }
      });

      onPage('shows a new order of another user at once', '/', async ({ page }) => {
        await signInOn(page);
        await page.locator('#feed-state[data-state=live]').waitFor();
        expect(await page.locator('#feed li.new').count()).toBe(0);
        const { body } = await app.post<{ id: number }>('/v1/users/2/orders', { as: 'ed', body: ORDER });
        const line = page.locator('#feed li.new').first();
        await line.getByText(`order ${body.id} created`).waitFor();
        await line.getByText('Ed Okafor').waitFor();
      });

      onPage('places an order', '/', async ({ page }) => {
        await signInOn(page);
        await page.locator('#feed-state[data-state=live]').waitFor();
        await page.getByRole('button', { name: 'Place an order' }).click();
        await page
          .locator('#feed li.new')
          .getByText(/^order \d+ created$/)
          .waitFor();
      });

      onPage('signs in with an address beyond ASCII', '/', async ({ page }) => {
        const [email, password] = ['j\u00fcrgen@ex\u00e4mple.test', 'blue harbour lantern'];
        const body = { email, name: 'Juergen Roth', role: 'viewer', password };
        await app.post('/v1/orgs/acme/users', { as: 'ada', body });
        await signInOn(page, email, password);
      });

      onPage('reports a wrong password', '/', async ({ page }) => {
        await page.getByText('Sign in', { exact: true }).first().click();
        await page.getByLabel('Email').fill('ada@acme.test');
        await page.getByLabel('Password').fill('wrong');
        await page.locator('.sign-in button[type=submit]').click();
        await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
      });
    });
  },
  'sqlite',
);
