/** Long lists, amounts, the keyboard and the focus in the console. */
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { CURRENCIES, decimalsOf } from '../../src/core/money.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { addMember } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addDelivery, addWebhook } from '../support/fixtures/webhooks.ts';
import { forcedLooksOf } from './accessibility.ts';
import { enterConsole, manageConsole } from './console.ts';

/** Reports of the browser about the requests that fail here. */
const CAUSED = /Failed to load resource/;

/** The rows that cut their texts off. */
const TOO_LOW = `[...document.querySelectorAll('.row')].filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
  .map(({ textContent }) => textContent)`;

/** The number of rows that are one below the other. */
const ROWS_DRAWN =
  "new Set([...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().top)).size";

/** More than two pages of the console. */
const DOCUMENTS = 230;

/** Makes requests of further pages fail, until the returned function is called. */
async function failFurtherPages(page: Page): Promise<() => void> {
  let isOver = false;
  await page.route('**/graphql', (route) =>
    isOver || !/"after":"/.test(route.request().postData() ?? '') ? route.fallback() : route.abort(),
  );
  return () => {
    isOver = true;
  };
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.localName');

describeEachEngine(
  'lists of the console',
  (engine) => {
    const app = startApp(engine, { webhooks: { allowLoopback: true, poll: 60_000 } });
    const inConsole = manageConsole(app, CAUSED);
    const documents: number[] = [];

    beforeAll(async () => {
      for (let n = 1; n <= DOCUMENTS; n += 1) {
        const { body } = await app.post<{ id: number }>('/v1/orgs/acme/docs', {
          as: n % 2 ? 'ed' : 'ada',
          body: { title: `Paper no ${n}`, body: 'A text', classification: 'public' },
        });
        documents.push(body.id);
      }
    });

    /** Scrolls to the end of a table. @returns the number of its rows. */
    async function rowsOf(page: Page): Promise<number> {
      const table = page.getByRole('table');
      await expect
        .poll(async () => {
          await page.evaluate('scrollTo(0, document.body.scrollHeight)');
          return table.getAttribute('aria-rowcount');
        })
        .not.toBe('-1');
      return Number(await table.getAttribute('aria-rowcount')) - 1;
    }

    inConsole('removes and changes rows of every page that was read', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/documents');
      await page.locator('.connection[data-state=live]').waitFor();
      await page.getByRole('row').nth(5).waitFor();
      const before = await rowsOf(page);
      expect(before).toBeGreaterThan(DOCUMENTS - 1);
      // Rows of each page that was read, counted from the end.
      const place = (row: number) => `/v1/orgs/acme/docs/${documents.at(-row)}`;
      for (const row of [5, 105, 205]) expect((await app.delete(place(row), { as: 'ada' })).status).toBe(204);
      await expect.poll(() => rowsOf(page)).toBe(before - 3);
      const changed = await app.patch(place(210), { as: 'ada', body: { title: 'Changed paper' } });
      expect(changed.status).toBe(200);
      await expect
        .poll(async () => {
          await page.evaluate('scrollBy(0, -400)');
          return page.getByRole('link', { name: 'Changed paper' }).count();
        })
        .toBe(1);
    });

    inConsole('repeat a failed page of a table', async ({ page }) => {
      const recover = await failFurtherPages(page);
      await enterConsole(page);
      await page.goto('/console/documents');
      await page.getByRole('row').nth(5).waitFor();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.getByRole('alert').getByText('cannot be reached').waitFor();
      recover();
      await page.getByRole('button', { name: 'Try again' }).click();
      expect(await rowsOf(page)).toBeGreaterThan(200);
    });

    inConsole('repeat a failed page of lines', async ({ page }) => {
      const webhook = await addWebhook(app, { url: 'http://127.0.0.1:9999/', types: ['order.shipped'] });
      for (let n = 0; n < 60; n += 1) await addDelivery(engine, webhook.id);
      const recover = await failFurtherPages(page);
      await enterConsole(page);
      await page.goto(`/console/webhooks/${webhook.id}`);
      await page.getByRole('button', { name: 'Older deliveries' }).click();
      await page.getByRole('alert').getByText('cannot be reached').waitFor();
      expect(await page.locator('.deliveries > li').count()).toBe(50);
      recover();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.deliveries > li').nth(59).waitFor();
    });

    for (const number of [1, DOCUMENTS]) {
      inConsole(`find each document: ${number}`, async ({ page }) => {
        await enterConsole(page);
        await page.keyboard.press('Control+k');
        await page.locator('[role=combobox]:focus').waitFor();
        await page.keyboard.type(`paper no ${number}`);
        await page
          .getByRole('option')
          .filter({ hasText: new RegExp(`^\\s*Paper no ${number}\\s*Document \\d+`) })
          .waitFor();
      });
    }

    for (const email of ['ada@acme.test', 'vic@acme.test'])
      for (const [text, title, detail] of [
        ['spirit lev', 'Spirit level', 'Product 3'],
        ['product 3', 'Spirit level', 'Product 3'],
      ] as const)
        inConsole(`let ${email} find "${text}"`, async ({ page }) => {
          await enterConsole(page, email);
          await page.keyboard.press('Control+k');
          await page.locator('[role=combobox]:focus').waitFor();
          await page.keyboard.type(text);
          await page.getByRole('option').filter({ hasText: title }).filter({ hasText: detail }).waitFor();
        });

    inConsole('find nothing for a text without words, which the server refuses', async ({ page }) => {
      await enterConsole(page);
      await page.keyboard.press('Control+k');
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.type('?!');
      await page.getByRole('dialog').getByText('No results.').waitFor();
    });

    inConsole('show which result Enter opens, with forced colors as well', async ({ page }) => {
      await enterConsole(page);
      await page.keyboard.press('Control+k');
      await page.locator('[role=combobox]:focus').waitFor();
      const [selected, ...others] = await forcedLooksOf(page, '[role=option]');
      expect(others.length).toBeGreaterThan(5);
      expect(others).not.toContain(selected);
    });

    inConsole('have the height of their texts, however large these are', async ({ page }) => {
      await enterConsole(page);
      await page.evaluate("document.documentElement.style.fontSize = '32px'");
      await page.getByRole('link', { name: 'Documents' }).click();
      await page.getByRole('row').nth(5).waitFor();
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(() => page.evaluate(TOO_LOW)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Charges' }).click();
      await page.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
      const { x = 0, width = 0 } = (await page.getByRole('button', { name: 'Menu' }).boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(320);
    });

    inConsole('print every row that was read, without the navigation', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/documents');
      await page.getByRole('row').nth(5).waitFor();
      const rows = await rowsOf(page);
      const drawn = () => page.evaluate<number>(ROWS_DRAWN);
      expect(await drawn()).toBeLessThan(rows);
      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      await expect.poll(drawn).toBe(rows);
      expect(await page.getByRole('navigation').isVisible()).toBe(false);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      await expect.poll(drawn).toBeLessThan(rows);
    });

    inConsole('offer every product as a filter', async ({ page }) => {
      for (let n = 1; n <= 105; n += 1)
        await app.post('/v1/products', {
          as: n % 2 ? 'ed' : 'ada',
          body: { name: `Chair ${n}`, unit_price: 5, currency: 'EUR' },
        });
      await enterConsole(page);
      await page.goto('/console/orders?product=1');
      const options = page.getByLabel('Product').locator('option');
      await expect.poll(() => options.count()).toBeGreaterThan(105);
    });

    const addProduct = async () => {
      const body = { name: 'Umbrella stand', unit_price: 5, currency: 'USD' };
      const product = await app.post<{ name: string }>('/v1/products', { as: 'ada', body });
      return product.body.name;
    };
    const addOrder = async () => `Order ${(await placeOrder(app)).id}`;
    for (const [page, label, typed, text, add] of [
      ['products?q=umbrella', 'Name', ' st', 'umbrella st', addProduct],
      ['orders?currency=USD', 'Total from', '12', '12', addOrder],
    ] as const) {
      inConsole(`keep a text that is being typed at /${page} when a row appears`, async ({ page: tab }) => {
        await enterConsole(tab);
        await tab.goto(`/console/${page}`);
        await tab.locator('.connection[data-state=live]').waitFor();
        const filter = tab.getByLabel(label);
        await filter.press('End');
        await filter.pressSequentially(typed);
        const added = await add();
        await tab.getByRole('row').filter({ hasText: added }).waitFor();
        expect(await filter.inputValue()).toBe(text);
        await filter.press('Enter');
        await expect.poll(() => [...new URL(tab.url()).searchParams.values()]).toContain(text);
        expect(await filter.inputValue()).toBe(text);
      });
    }

    inConsole('keep the width of a filter with a long name', async ({ page }) => {
      await addMember(app, 'viewer', { name: 'Long Name '.repeat(10).trim() });
      await enterConsole(page);
      await page.goto('/console/orders');
      const people = page.getByLabel('Person');
      await people.locator('option').getByText('Long Name').waitFor({ state: 'attached' });
      expect((await people.boundingBox())?.width).toBeLessThan(300);
    });

    inConsole('show an amount of each currency with its decimals', async ({ page }) => {
      await page.goto('/console');
      const amounts = CURRENCIES.map((currency) => {
        const decimals = decimalsOf(currency) ?? 0;
        return { currency, text: (7 + 10 ** -decimals).toFixed(decimals) };
      });
      const shown = await page.evaluate<string[]>(
        `import('/assets/console/format.js').then(({ money }) =>
          ${JSON.stringify(amounts)}.map(({ currency, text }) => money(Number(text), currency)))`,
      );
      expect(shown).toEqual(amounts.map(({ currency, text }) => `${currency}\u00a0${text}`));
    });

    for (const [value, currency] of [
      [58.65, 'COP'],
      [0.49, 'HUF'],
      [1.234, 'IQD'],
    ] as const) {
      inConsole(`refund ${value} ${currency}`, async ({ page }) => {
        const charge = await makeCharge(app, {
          body: { amount: { value, currency }, source: 'tok_visa' },
        });
        await enterConsole(page);
        await page.goto(`/console/charges/${charge.id}`);
        await page.getByRole('button', { name: 'Refund' }).click();
        const dialog = page.getByRole('dialog');
        expect(await dialog.getByLabel(`Amount in ${currency}`).inputValue()).toBe(String(value));
        await dialog.getByRole('button', { name: 'Refund' }).click();
        await page.locator('.facts .badge').getByText('refunded', { exact: true }).waitFor();
      });
    }

    inConsole('keep the focus on the page, and report within dialogs', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/api-keys');
      await page.getByText('Copy as…').click();
      await page.getByRole('button', { name: 'curl' }).click();
      expect(await focused(page)).toBe('summary');
      const opener = page.getByRole('button', { name: 'Create key' });
      await opener.focus();
      await page.keyboard.press('Control+k');
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.press('Control+k');
      await page.locator('[role=combobox]').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Create key');
      await opener.click();
      await page.evaluate(
        `addEventListener('focusin', ({ target }) => (globalThis.path ??= []).push(target.textContent))`,
      );
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => page.evaluate('globalThis.path.at(-1)')).toBe('Create key');
      expect(await page.evaluate('globalThis.path')).toEqual(['Cancel', 'Create key']);
      await opener.click();
      await page.getByLabel('Name').fill('focus');
      await page.getByLabel('read:orders').check();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const secret = page.getByRole('dialog', { name: 'The key focus' });
      await secret.getByRole('button', { name: 'Copy Secret' }).click();
      await secret
        .getByRole('status')
        .getByText(/Secret copied|clipboard/)
        .waitFor();
      await secret.getByRole('button', { name: 'Done' }).click();
      await expect.poll(() => focused(page)).not.toBe('body');
      await page.getByRole('button', { name: 'Revoke focus' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('row').getByText('revoked').waitFor();
      await expect.poll(() => focused(page)).toBe('h1');
    });

    inConsole('skip the navigation, close the menu, and know no further path', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/orders/7');
      await page.getByRole('heading', { name: 'Order 7' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
      expect(new URL(page.url()).pathname).toBe('/console/orders/7');
      await page.getByRole('heading', { name: 'Order 7' }).waitFor();

      await page.setViewportSize({ width: 320, height: 640 });
      const menu = page.getByRole('button', { name: 'Menu' });
      await menu.click();
      await page.getByRole('link', { name: 'Charges' }).focus();
      await page.keyboard.press('Escape');
      expect(await menu.getAttribute('aria-expanded')).toBe('false');
      await expect.poll(() => focused(page)).toBe('button');

      await page.goto('/console/orders/7/extra');
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
    });
  },
  'sqlite',
);
