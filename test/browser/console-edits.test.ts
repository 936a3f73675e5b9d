/** Forms of the console that change something which another person changes at the same time, and forms whose session ends. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { addMember } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { enterConsole, manageConsole, refuseToLeave } from './console.ts';

/** A form or a confirmation that changes a row. */
interface Edit {
  /** The document with which the console sends it. */
  readonly operation: string;
  /** Creates the row. @returns the path of the row in REST and of its page. */
  create(app: TestApp): Promise<{ readonly row: string; readonly page: string }>;
  readonly opener: string;
  /** The input to change, and its value; none for a confirmation. */
  readonly input?: readonly [label: string, value: string];
  readonly action: string;
  /** What the other person changes, and what the page then shows; undefined if there is no event of the change. */
  readonly other: object;
  readonly shown?: RegExp;
}

const created = async (app: TestApp, path: string, body: object): Promise<number> => {
  const response = await app.post<{ id: number }>(path, { as: 'ada', body });
  expect(response.status, response.text).toBe(201);
  return response.body.id;
};

const product = async (app: TestApp) => {
  const id = await created(app, '/v1/products', { name: 'Lamp', unit_price: 10, currency: 'USD' });
  return { row: `/v1/products/${id}`, page: `/products/${id}` };
};

const order = async (app: TestApp) => {
  const { id } = await placeOrder(app);
  return { row: `/v1/orders/${id}`, page: `/orders/${id}` };
};

const person = async (app: TestApp) => {
  const { id } = await addMember(app, 'editor');
  return { row: `/v1/users/${id}`, page: `/people/${id}` };
};

const EDITS: readonly Edit[] = [
  {
    operation: 'UpdateProduct',
    create: product,
    opener: 'Change',
    input: ['Name', 'Mine'],
    action: 'Save',
    other: { name: 'Theirs', unit_price: 12 },
    shown: /12\.00/,
  },
  {
    operation: 'ArchiveProduct',
    create: product,
    opener: 'Archive',
    action: 'Archive',
    other: { unit_price: 12 },
    shown: /12\.00/,
  },
  {
    operation: 'UpdateApp',
    create: async (app) => {
      const id = await created(app, '/v1/apps', {
        name: 'App',
        type: 'web',
        redirect_uris: ['https://app.example/'],
        scopes: ['read:orders', 'read:docs'],
      });
      return { row: `/v1/apps/${id}`, page: `/apps/${id}` };
    },
    opener: 'Change',
    input: ['Name', 'Mine'],
    action: 'Save',
    other: { name: 'Theirs', scopes: ['read:docs'] },
  },
  {
    operation: 'ChangeWebhook',
    create: async (app) => {
      const id = await created(app, '/v1/webhooks', { url: 'https://hooks.example/one', types: ['order.*'] });
      return { row: `/v1/webhooks/${id}`, page: `/webhooks/${id}` };
    },
    opener: 'Change',
    input: ['URL', 'https://hooks.example/mine'],
    action: 'Save',
    other: { url: 'https://hooks.example/theirs' },
    shown: /theirs/,
  },
  {
    operation: 'UpdateOrder',
    create: order,
    opener: 'Ship',
    action: 'Ship',
    other: { items: [{ product_id: 1, qty: 7 }] },
    shown: /7 ×/,
  },
  {
    operation: 'RenamePerson',
    create: person,
    opener: 'Rename',
    input: ['Name', 'Mine'],
    action: 'Rename',
    other: { name: 'Theirs' },
    shown: /Theirs/,
  },
  {
    operation: 'ChangeRole',
    create: person,
    opener: 'Change role',
    input: ['Role', 'viewer'],
    action: 'Change',
    other: { name: 'Theirs' },
    shown: /Theirs/,
  },
  {
    operation: 'Rename',
    create: async () => ({ row: '/v1/users/1', page: '/account' }),
    opener: 'Change name',
    input: ['Name', 'Mine'],
    action: 'Save',
    other: { name: 'Theirs' },
    shown: /Theirs/,
  },
];

/** A form or a confirmation whose button is no longer offered after a change of another person. */
interface Ended extends Pick<Edit, 'create' | 'opener' | 'input' | 'action'> {
  /** Makes the change. */
  readonly end: (app: TestApp, row: string) => ReturnType<TestApp['request']>;
}

const ENDED: readonly Ended[] = [
  {
    create: product,
    opener: 'Change',
    input: ['Name', 'Mine'],
    action: 'Save',
    end: (app, row) => app.patch(row, { as: 'ada', body: { archived: true } }),
  },
  {
    create: order,
    opener: 'Cancel order',
    action: 'Cancel order',
    end: (app, row) => app.patch(row, { as: 'ada', body: { status: 'shipped' } }),
  },
  {
    create: async (app) => {
      const { id } = await makeCharge(app);
      return { row: `/v2/charges/${id}`, page: `/charges/${id}` };
    },
    opener: 'Refund',
    input: ['Amount in USD', '1'],
    action: 'Refund',
    end: (app, row) => app.post(`${row}/refunds`, { as: 'ada', body: {} }),
  },
  ...EDITS.filter(({ operation }) => ['UpdateApp', 'ChangeWebhook', 'RenamePerson'].includes(operation)).map(
    ({ create, opener, input, action }) => ({
      create,
      opener,
      ...(input && { input }),
      action,
      end: (app: TestApp, row: string) =>
        app.delete(row.replace('/v1/users', '/v1/orgs/acme/users'), { as: 'ada' }),
    }),
  ),
];

async function enter(input: Locator, value: string): Promise<void> {
  await input.waitFor();
  if ((await input.locator('option').count()) > 0) await input.selectOption(value);
  else await input.fill(value);
}

/** Ends the session as another tab would. */
async function endSession(page: Page): Promise<void> {
  await page.evaluate(
    `new BroadcastChannel('portico.session').postMessage({ signedOut: true, why: 'It ended.' })`,
  );
  await page.getByRole('alert').getByText('It ended.').waitFor();
}

/** Signs in on the page that is shown instead of another one. */
async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@acme.test');
  await page.getByLabel('Password').fill(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
}

/** Reports of the browser about the refusals here. */
const CAUSED = /Failed to load resource/;

describeEachEngine(
  'the forms of the console',
  (engine) => {
    const app = startApp(engine);
    const inConsole = manageConsole(app, CAUSED);

    for (const { operation, create, opener, input, action, other, shown } of EDITS) {
      inConsole(
        `overwrite no change that was made since they were opened: ${operation}`,
        async ({ page }) => {
          const { row, page: path } = await create(app);
          await enterConsole(page);
          await page.goto(`/console${path}`);
          await page.locator('.connection[data-state=live]').waitFor();
          await page.getByRole('button', { name: opener, exact: true }).click();
          const dialog = page.getByRole('dialog');
          if (input) await enter(dialog.getByLabel(input[0], { exact: true }), input[1]);
          const changed = await app.patch(row, { as: 'ada', body: other });
          expect(changed.status, changed.text).toBe(200);
          if (shown) await page.locator('main').getByText(shown).first().waitFor({ state: 'attached' });
          if (input) expect(await dialog.getByLabel(input[0], { exact: true }).inputValue()).toBe(input[1]);
          await dialog.getByRole('button', { name: action, exact: true }).click();
          await dialog.getByRole('alert').getByText('was changed meanwhile').waitFor();
          const { body } = await app.get<object>(row, { as: 'ada' });
          expect(body).toEqual(changed.body);
        },
      );
    }

    for (const { create, opener, input, action, end } of ENDED) {
      inConsole(
        `stay open, and say why they are refused, if "${opener}" is no longer offered`,
        async ({ page }) => {
          const { row, page: path } = await create(app);
          await enterConsole(page);
          await page.goto(`/console${path}`);
          await page.locator('.connection[data-state=live]').waitFor();
          const button = page.locator('button[aria-haspopup=dialog]').getByText(opener, { exact: true });
          await button.click();
          const dialog = page.getByRole('dialog');
          const field = input && dialog.getByLabel(input[0], { exact: true });
          if (input && field) await enter(field, input[1]);
          const { status, text } = await end(app, row);
          expect(status, text).toBeLessThan(300);
          await button.waitFor({ state: 'detached' });
          if (input) expect(await field?.inputValue()).toBe(input[1]);
          await dialog.getByRole('button', { name: action, exact: true }).click();
          await dialog.getByRole('alert').getByText(/\w/).waitFor();
        },
      );
    }

    inConsole('keep what was typed, except for passwords, when the session ends', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/people');
      const open = () => page.getByRole('button', { name: 'Add with a password' }).click();
      const dialog = page.getByRole('dialog');
      const field = (label: string) => dialog.getByLabel(label, { exact: true });
      await open();
      await field('Name').fill('Typed');
      await field('Role').selectOption('editor');
      await field('Password').fill('typed as well');
      await endSession(page);
      expect(await page.getByText('Typed').count()).toBe(0);
      await signInAgain(page);
      await open();
      expect(await field('Name').inputValue()).toBe('Typed');
      expect(await field('Role').inputValue()).toBe('editor');
      expect(await field('Password').inputValue()).toBe('');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await open();
      expect(await field('Name').inputValue()).toBe('');
    });

    inConsole('keep nothing that was not typed, so that it replaces no later change', async ({ page }) => {
      const { row, page: path } = await product(app);
      await enterConsole(page);
      await page.goto(`/console${path}`);
      const open = () => page.getByRole('button', { name: 'Change', exact: true }).click();
      const dialog = page.getByRole('dialog');
      const field = (label: string) => dialog.getByLabel(label, { exact: true });
      await open();
      await field('Name').fill('Mine');
      await field('Currency').fill('JPY');
      await field('Currency').fill('USD');
      await endSession(page);
      const changed = await app.patch(row, {
        as: 'ada',
        body: { name: 'Theirs', unit_price: 12, currency: 'EUR' },
      });
      expect(changed.status, changed.text).toBe(200);
      await signInAgain(page);
      await open();
      expect(await field('Name').inputValue()).toBe('Mine');
      expect(await field('Price').inputValue()).toBe('12');
      expect(await field('Currency').inputValue()).toBe('EUR');
    });

    inConsole('keep what was typed also when a further session ends', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/products');
      const open = () => page.getByRole('button', { name: 'Add product' }).click();
      const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
      await open();
      await name.fill('Typed');
      for (let time = 0; time < 2; time += 1) {
        await endSession(page);
        await signInAgain(page);
        await open();
        expect(await name.inputValue()).toBe('Typed');
      }
    });

    inConsole('keep what was typed when the page is left, until it is sent', async ({ page }) => {
      await enterConsole(page);
      await page.getByRole('link', { name: 'Products' }).click();
      const open = () => page.getByRole('button', { name: 'Add product' }).click();
      const field = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
      await open();
      await field('Name').fill('Typed');
      await refuseToLeave(page);
      expect(await field('Name').inputValue()).toBe('Typed');
      await page.goBack();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.goForward();
      await open();
      expect(await field('Name').inputValue()).toBe('Typed');
      await field('Price').fill('1');
      await field('Currency').fill('USD');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Typed' }).waitFor();
      await page.goBack();
      await open();
      expect(await field('Name').inputValue()).toBe('');
    });

    inConsole('show what was typed to no other person', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/products');
      const open = () => page.getByRole('button', { name: 'Add product' }).click();
      const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
      await open();
      await name.fill('Typed');
      await endSession(page);
      const other = await addMember(app, 'admin');
      await page.getByLabel('Email').fill(other.email);
      await page.getByLabel('Password').fill(other.password);
      await page.keyboard.press('Enter');
      await open();
      expect(await name.inputValue()).toBe('');
    });
  },
  'sqlite',
);

test('each change of the console that takes a version is tested with another change', () => {
  const folder = new URL('../../src/http/routes/pages/console/', import.meta.url);
  const documents = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .flatMap((source) => [...source.matchAll(/mutation (\w+)\([^)]*\$version/g)].map(([, name]) => name));
  expect(documents.toSorted()).toEqual(EDITS.map(({ operation }) => operation).toSorted());
});
