/**
 * Every page of the console, from its own list of pages, and every dialog that a page opens: wide and narrow,
 * light and dark.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { addWebhook, settled } from '../support/fixtures/webhooks.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';
import { Inspection } from './accessibility.ts';
import { enterConsole, LOWEST_LIMITS, manageConsole } from './console.ts';

interface Listed {
  readonly path: string;
  readonly title: string;
  /** Whether its rows have pages of their own. */
  readonly hasRows: boolean;
}

/** The pages that the caller may see, from the module that generates the navigation. */
const PAGES = `import('/assets/console/pages.js').then(({ pages }) =>
  pages.value.map(({ path, title, one }) => ({ path, title, hasRows: one !== undefined })))`;

/** Further pages: with filters, of the caller and of another user, and of missing objects. */
const FURTHER = [
  '/orders?product=1&currency=USD&min=50',
  '/people/1',
  '/people/2',
  '/orders/999999',
  '/nowhere',
];

/** Creates a row for each list. */
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

const DIALOG = 'dialog[open]';

class Visitor {
  readonly page: Page;
  readonly inspection: Inspection;

  constructor(page: Page) {
    this.page = page;
    this.inspection = new Inspection(page);
  }

  look = (what: string) => this.inspection.look(what);

  async visit(path: string, heading?: string): Promise<void> {
    await this.page.goto(`/console${path}`);
    await this.page
      .getByRole('heading', { level: 1, ...(heading && { name: heading, exact: true }) })
      .waitFor();
    await this.#loaded();
    await this.look(path);
  }

  /** Opens it without loading it: through its link at the side. */
  async turnTo({ path, title }: Listed): Promise<void> {
    const { page } = this;
    // In a narrow window the link may be behind a button.
    await page.locator(`.side-body a[href="/console${path}"]`).dispatchEvent('click');
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await this.#loaded();
    await this.inspection.lookOnce(path);
  }

  #loaded = () => this.page.locator('.skeleton').first().waitFor({ state: 'detached' });

  /** Checks each dialog that the page opens. The page behind it was checked already, and is inert meanwhile. */
  async openDialogs(path: string): Promise<void> {
    const { page } = this;
    for (const opener of await page.locator('#content [aria-haspopup=dialog]').all()) {
      const name = await opener.textContent();
      await opener.click();
      await page.getByRole('dialog').waitFor();
      await this.inspection.lookOnce(`${path}, ${name}`, DIALOG);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  }

  /** Checks each page with its dialogs, and a page of one of its rows. */
  async visitAll(): Promise<void> {
    for (const { path, title, hasRows } of await this.pages()) {
      await this.visit(path, title);
      // A page with an empty list needs a row from `fill`.
      const href = hasRows && (await this.page.locator('.row a').first().getAttribute('href'));
      await this.openDialogs(path);
      if (href === false) continue;
      const one = String(href).replace('/console', '');
      await this.visit(one);
      await this.openDialogs(one);
    }
  }

  pages = () => this.page.evaluate<Listed[]>(PAGES);
}

describeEachEngine(
  'the console',
  (engine) => {
    const app = startApp(engine, {
      operations: LOWEST_LIMITS,
      webhooks: { allowLoopback: true, poll: 100 },
    });
    const openReceiver = manageReceivers();
    const inConsole = manageConsole(app);

    beforeAll(async () => {
      app.webhooks.start();
      await fill(app, (await openReceiver()).url);
    });

    inConsole('every page and dialog fits, and axe finds nothing', async ({ page }) => {
      await page.goto('/console');
      await page.getByLabel('Email').waitFor();
      const visitor = new Visitor(page);
      await visitor.look('sign-in');
      await enterConsole(page);
      await visitor.visitAll();
      expect(visitor.inspection.problems).toEqual([]);
    });

    inConsole(
      'so do further pages, a delivery, the menu of an operation and the search',
      async ({ page }) => {
        const visitor = new Visitor(page);
        await enterConsole(page);
        for (const path of FURTHER) {
          await visitor.visit(path);
          await visitor.openDialogs(path);
        }
        await page.goto('/console/webhooks/1');
        await page.locator('.deliveries summary').first().click();
        await visitor.look('a delivery');
        await page.getByText('Copy as…').click();
        await visitor.look('the menu of an operation');
        await page.keyboard.press('Control+k');
        await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor();
        await visitor.look('search');
        expect(visitor.inspection.problems).toEqual([]);
      },
    );

    inConsole('so do pages without rows', async ({ page }) => {
      const visitor = new Visitor(page);
      await enterConsole(page, 'gil@globex.test');
      for (const listed of await visitor.pages()) await visitor.turnTo(listed);
      expect(visitor.inspection.problems).toEqual([]);
    });
  },
  'sqlite',
);
