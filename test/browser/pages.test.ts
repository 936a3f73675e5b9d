/** The pages for people, in a browser that may reach nothing but the server. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp } from '../support/app.ts';
import { launch, noBrowser, openPage, signInOn, type WatchedPage } from '../support/browser.ts';
import { describeEachEngine } from '../support/engines.ts';

/** Runs what is in the editor. While it holds several operations the button opens a menu of them, so it waits for one. */
const execute = (page: Page) => page.locator('.graphiql-execute-button:not([aria-haspopup])').click();

const ORDER = { items: [{ product_id: 1, qty: 1 }] };

const HTML = { accept: 'text/html' };

describeEachEngine(
  'the pages',
  (engine) => {
    const app = startApp(engine);
    let browser: Browser;

    beforeAll(async () => {
      if (noBrowser === undefined) browser = await launch();
    });
    afterAll(() => browser?.close());

    /** A test of one page, which must not have complained, nor asked anybody else for anything. */
    const onPage = (title: string, path: string, run: (watched: WatchedPage) => Promise<void>) =>
      test(title, async ({ skip }) => {
        skip(noBrowser !== undefined, noBrowser);
        const watched = await openPage(browser, app.url);
        await watched.page.goto(path);
        await run(watched);
        expect(watched.offences).toEqual([]);
        await watched.page.context().close();
      });

    describe('/docs', () => {
      onPage('signs in and tries a route', '/docs', async ({ page }) => {
        await signInOn(page, 'vic@acme.test');
        const operation = page.locator('#operations-Orders-GetOrder');
        await operation.locator('.opblock-summary-control').click();
        await operation.getByPlaceholder('order_id').fill('7');
        await operation.getByText('Execute', { exact: true }).click();
        const answer = operation.locator('.live-responses-table');
        await answer.getByText('200', { exact: true }).first().waitFor();
        expect(await answer.textContent()).toContain('"user_id"');
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

      onPage('runs a subscription', '/graphql', async ({ page }) => {
        await signInOn(page);
        await page.getByRole('tab', { name: 'Activity' }).click();
        await execute(page);
        await page.getByRole('button', { name: 'Stop query' }).waitFor();
        await vi.waitFor(
          async () => {
            const { body } = await app.post<{ id: number }>('/v1/users/1/orders', { as: 'ada', body: ORDER });
            const told = page.locator('.result-window').getByText(`"${body.id}"`).first();
            await told.waitFor({ timeout: 2000 });
          },
          { timeout: 15_000 },
        );
      });

      onPage('shows what the schema says', '/graphql', async ({ page }) => {
        await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
        await page.locator('.graphiql-doc-explorer').getByText('Mutation', { exact: true }).click();
        await page.getByText('Creates a pending order at current prices').first().waitFor();
      });
    });

    describe('/', () => {
      onPage('says what this is, and leads to the rest', '/', async ({ page }) => {
        for (const path of ['docs', 'graphql', 'openapi.json', 'docs/versions', 'healthz', 'readyz']) {
          const link = page.locator(`main a[href="${path}"], footer a[href="${path}"]`);
          expect(await link.count(), path).toBe(1);
          expect((await page.request.get(`/${path}`, { headers: HTML })).status(), path).toBe(200);
        }
      });

      onPage('shows an order that somebody else places, as it happens', '/', async ({ page }) => {
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

      onPage('reports a wrong password', '/', async ({ page, ...watched }) => {
        await page.getByText('Sign in', { exact: true }).first().click();
        await page.getByLabel('Email').fill('ada@acme.test');
        await page.getByLabel('Password').fill('wrong');
        await page.locator('.sign-in button[type=submit]').click();
        await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
        // Browsers write every 401 of a page into the console.
        expect(watched.offences).toHaveLength(1);
        (watched.offences as string[]).length = 0;
      });
    });
  },
  'sqlite',
);
