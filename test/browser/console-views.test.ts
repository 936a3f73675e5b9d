/** Every page of the console, as its own list has them, and every dialog that a page opens: at three widths, light and dark. */
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { Inspection, VIEWS, type View } from '../support/axe.ts';
import { makeCharge } from '../support/charges.ts';
import { enterConsole, manageConsole } from '../support/console.ts';
import { describeEachEngine } from '../support/engines.ts';
import { manageReceivers } from '../support/receiver.ts';
import { addWebhook, settled } from '../support/webhooks.ts';

interface Listed {
  readonly path: string;
  readonly title: string;
  /** Whether its rows have pages of their own. */
  readonly hasRows: boolean;
}

/** The pages that the caller may see, by the module that the navigation is made from. */
const PAGES = `import('/assets/console/pages.js').then(({ pages }) =>
  pages.value.map(({ path, title, one }) => ({ path, title, hasRows: one !== undefined })))`;

/** Further pages: with filters, of oneself and of another person, of what is not there. */
const FURTHER = [
  '/orders?product=1&currency=USD&min=50',
  '/people/1',
  '/people/2',
  '/orders/999999',
  '/nowhere',
];

/** A row for each list. */
async function fill(app: TestApp, receiverUrl: string): Promise<void> {
  const webhook = await addWebhook(app, { url: receiverUrl });
  await makeCharge(app);
  const credential = { as: 'ada', body: { name: 'ci', scopes: ['read:orders'] } } as const;
  await app.post('/v1/api-keys', credential);
  await app.post('/v1/client-certificates', {
    as: 'ada',
    body: { ...credential.body, match: { san_uri: 'spiffe://acme.example/ci' } },
  });
  await app.post('/v1/apps', {
    as: 'ada',
    body: { name: 'Ledger Sync', type: 'service', scopes: ['read:orders'] },
  });
  await settled(app, webhook.id, 'delivered');
}

class Visitor {
  readonly page: Page;
  readonly inspection: Inspection;
  readonly #width: View['width'];

  constructor(page: Page, { width, scheme }: View) {
    this.page = page;
    this.inspection = new Inspection(page, scheme);
    this.#width = width;
  }

  look = (what: string) => this.inspection.look(what, [this.#width]);

  /** Looks at a page, and at each dialog that it opens. */
  async visit(path: string, heading?: string): Promise<void> {
    const { page } = this;
    await page.goto(`/console${path}`);
    const title = page.getByRole('heading', { level: 1 });
    await title.waitFor();
    if (heading) expect(await title.textContent(), path).toBe(heading);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await this.look(path);
    for (const opener of await page.locator('#content [aria-haspopup=dialog]').all()) {
      const name = await opener.textContent();
      await opener.click();
      await page.getByRole('dialog').waitFor();
      await this.look(`${path}, ${name}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  }

  async visitAll(visitsRows: boolean): Promise<void> {
    const { page } = this;
    for (const { path, title, hasRows } of await page.evaluate<Listed[]>(PAGES)) {
      await this.visit(path, title);
      if (!hasRows || !visitsRows) continue;
      // A page whose list is empty needs a row of `fill`.
      const href = await page.locator('.row a').first().getAttribute('href');
      await this.visit(String(href).replace('/console', ''));
    }
  }
}

describeEachEngine(
  'the console',
  (engine) => {
    const app = startApp(engine, { webhooks: { allowLoopback: true, poll: 100, timeout: 1000 } });
    const openReceiver = manageReceivers();
    const inConsole = manageConsole(app);

    beforeAll(async () => {
      app.webhooks.start();
      await fill(app, (await openReceiver()).url);
    });

    for (const { width, scheme } of VIEWS) {
      const open = async (page: Page) => {
        await page.setViewportSize({ width, height: 800 });
        await page.goto('/console');
        await page.getByLabel('Email').waitFor();
        return new Visitor(page, { width, scheme });
      };
      const view = `at ${width} pixels, ${scheme}`;

      inConsole(
        `${view}: every page and dialog fits, and axe finds nothing`,
        async ({ page }) => {
          const visitor = await open(page);
          await visitor.look('sign-in');
          await enterConsole(page);
          await visitor.visitAll(true);
          for (const path of FURTHER) await visitor.visit(path);
          await page.goto('/console/webhooks/1');
          await page.locator('.deliveries summary').first().click();
          await visitor.look('a delivery');
          await page.getByText('Copy as…').click();
          await visitor.look('the menu of an operation');
          await page.keyboard.press('Control+k');
          await page.getByRole('option').first().waitFor();
          await visitor.look('search');
          expect(visitor.inspection.problems).toEqual([]);
        },
        scheme,
      );

      inConsole(
        `${view}: pages without anything in them do as well`,
        async ({ page }) => {
          const visitor = await open(page);
          await enterConsole(page, 'gil@globex.test');
          await visitor.visitAll(false);
          expect(visitor.inspection.problems).toEqual([]);
        },
        scheme,
      );
    }
  },
  'sqlite',
);
