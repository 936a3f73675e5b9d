/** The pages for people, in a browser that may reach nothing but the server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { launch, noBrowser, openPage, signInOn, type WatchedPage } from '../support/browser.ts';
import { describeEachEngine } from '../support/engines.ts';

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
        // The editor has read the new document when its tab has no operation's name any more.
        await page.getByRole('tab', { name: '<untitled>' }).waitFor();
        await page.getByRole('button', { name: 'Execute query' }).click();
        await page.locator('.result-window').getByText('Ada Brandt').waitFor();
      });

      onPage('shows what the schema says', '/graphql', async ({ page }) => {
        await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
        await page.locator('.graphiql-doc-explorer').getByText('Mutation', { exact: true }).click();
        await page.getByText('Places an order. It starts as pending').first().waitFor();
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

      onPage('tells a wrong password', '/', async ({ page, ...watched }) => {
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
