/** Pages of the console that manage people, products and the account, and the audit log, each through the public operations. */
import { expect } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { AUDIT_TYPES } from '../../src/events/audit.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { Inspection } from './accessibility.ts';
import { enterConsole, LOWEST_LIMITS, manageConsole, pressByKeyboard } from './console.ts';

describeEachEngine(
  'the pages of the console for management',
  (engine) => {
    const app = startApp(engine, { operations: LOWEST_LIMITS });
    const inConsole = manageConsole(app);

    inConsole('invite people and revoke an invitation with the keyboard only', async ({ page }) => {
      const inspection = new Inspection(page);
      const { keyboard } = page;
      await enterConsole(page);
      await page.goto('/console/people');
      await page.getByRole('row').nth(3).waitFor();
      expect(await page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0);
      const invite = async (email: string) => {
        await pressByKeyboard(page, 'Invite person');
        await page.locator('dialog input:focus').waitFor();
        await keyboard.type(email);
        await keyboard.press('Tab');
        // The next role after the default.
        await keyboard.press('ArrowDown');
        await keyboard.press('Tab');
        await keyboard.press('Enter');
      };
      const lines = page.getByRole('listitem').filter({ hasText: 'invited by Ada Brandt' });
      await invite('yara@acme.test');
      await page.getByText('An invitation is on its way to yara@acme.test.').waitFor();
      await lines
        .filter({ hasText: 'yara@acme.test' })
        .getByText(/^expires /)
        .waitFor();
      expect(await lines.getByText('editor', { exact: true }).count()).toBe(1);
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      // The same address cannot be invited twice.
      await invite('yara@acme.test');
      await page.getByRole('dialog').getByRole('alert').getByText(/./).waitFor();
      await keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await invite('zoe.with.a.long.name.that.must.wrap.on.narrow.screens@branch.acme.test');
      await expect.poll(() => lines.count()).toBe(2);
      expect(await lines.first().textContent()).toContain('zoe.');
      await inspection.look('open invitations');

      await pressByKeyboard(page, 'Revoke the invitation of yara@acme.test');
      await page.getByRole('dialog').waitFor();
      await inspection.look('revoking an invitation', 'dialog[open]');
      await pressByKeyboard(page, 'Revoke');
      await page.getByText('The invitation of yara@acme.test was revoked.').waitFor();
      await expect.poll(() => lines.count()).toBe(1);
      const { body } = await app.graphql<{ invitations: { nodes: object[] } }>(
        '{ invitations(org: "acme") { nodes { email role status } } }',
        {},
        { as: 'ada' },
      );
      expect(body.data?.invitations.nodes).toMatchObject([
        { email: 'yara@acme.test', role: 'editor', status: 'revoked' },
        { role: 'editor', status: 'open' },
      ]);
      expect(inspection.problems).toEqual([]);
    });

    inConsole('remove a person, whose open page then says why it is empty', async ({ page }) => {
      const { id } = await addMember(app, 'viewer');
      await enterConsole(page);
      const other = await page.context().newPage();
      await other.goto(`/console/people/${id}`);
      await other.locator('.connection[data-state=live]').waitFor();
      await page.goto(`/console/people/${id}`);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
      await other.getByText('A person who was removed has no page.').waitFor();
    });

    inConsole('offer invitations only to administrators', async ({ page }) => {
      await enterConsole(page, 'ed@acme.test');
      await page.goto('/console/people');
      await page.getByRole('row').nth(3).waitFor();
      expect(await page.getByRole('button', { name: 'Invite person' }).count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0);
    });

    inConsole('change their own name and password with the keyboard only', async ({ page }) => {
      const inspection = new Inspection(page);
      const { keyboard } = page;
      const password = 'quiet harbour lantern';
      const email = 'nia@acme.test';
      const signIn = (given: string) => app.post('/v1/auth/login', { body: { email, password: given } });
      // The demo password of the demo people stays as it is, since other tests sign in with it.
      const body = { email, name: 'Nia Whitfield', role: 'viewer', password: DEMO_PASSWORD };
      await app.post('/v1/orgs/acme/users', { as: 'ada', body });
      await signIn(DEMO_PASSWORD);
      await enterConsole(page, email);
      await pressByKeyboard(page, `Account of ${email}`);
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
      await page.getByRole('button', { name: /^End session/ }).waitFor();
      await page.getByText('You have not allowed any app to act for you.').waitFor();

      await pressByKeyboard(page, 'Change name');
      await page.locator('dialog input:focus').waitFor();
      await keyboard.press('Control+a');
      await keyboard.type('Nia Roth');
      await keyboard.press('Enter');
      await page.locator('.facts').getByText('Nia Roth', { exact: true }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      const change = async (current: string, next: string) => {
        await page.getByLabel('Current password').focus();
        await keyboard.press('Control+a');
        await keyboard.type(current);
        await keyboard.press('Tab');
        await keyboard.press('Control+a');
        await keyboard.type(next);
        await keyboard.press('Enter');
      };
      /** The description of a field that is invalid and has the focus. */
      const problemOf = (label: string) =>
        page.getByLabel(label).and(page.locator('[aria-invalid=true]:focus')).locator('~ [role=alert]');
      await change('not the password', password);
      await problemOf('Current password').getByText('Is not the current password.').waitFor();
      await change(DEMO_PASSWORD, 'nia roth 2026');
      await problemOf('New password').getByText('Must not contain the email address or the name.').waitFor();
      expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
      await inspection.look('a refused password');

      await change(DEMO_PASSWORD, password);
      await page.getByText('Your password was changed, and your other sessions ended.').waitFor();
      expect(await page.getByLabel('New password').inputValue()).toBe('');
      await page.getByRole('button', { name: /^End session/ }).waitFor({ state: 'detached' });
      await page.getByText('this session').waitFor();
      expect((await signIn(DEMO_PASSWORD)).status).toBe(401);
      expect((await signIn(password)).status).toBe(200);
      expect(inspection.problems).toEqual([]);
    });

    inConsole('mark events as read, up to the newest one that is shown', async ({ page }) => {
      await placeOrder(app);
      const unread = async () => {
        const { body } = await app.graphql<{ me: { unreadNotifications: number } }>(
          '{ me { unreadNotifications } }',
          {},
          { as: 'ed' },
        );
        return body.data?.me.unreadNotifications;
      };
      await enterConsole(page, 'ed@acme.test');
      const figure = page.locator('.figure').filter({ hasText: 'Unread events' });
      await figure.getByText(/^[1-9]\d*$/).waitFor();
      await page.locator('.activity li').first().waitFor();
      await page.getByRole('button', { name: 'Mark as read' }).waitFor();
      await pressByKeyboard(page, 'Mark as read');
      await page.getByText('All events are read.').waitFor();
      await figure.getByText('0', { exact: true }).waitFor();
      expect(await unread()).toBe(0);

      await page.goto('/console/events');
      const head = page.locator('.page-head');
      await head.getByText('0 unread').waitFor();
      await page.locator('.connection[data-state=live]').waitFor();
      const { id } = await placeOrder(app);
      await page
        .getByRole('row')
        .filter({ hasText: `Order ${id}` })
        .waitFor();
      await head.getByText('1 unread').waitFor();
      // An event that arrives after the shown ones stays unread.
      let late = 0;
      await page.route('**/graphql', async (route) => {
        if (late === 0 && route.request().postData()?.includes('MarkFeedRead')) {
          late = (await placeOrder(app)).id;
        }
        await route.continue();
      });
      await pressByKeyboard(page, 'Mark as read');
      await page.getByText('The events are read, except 1 newer.').waitFor();
      expect(await unread()).toBe(1);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page
        .getByRole('row')
        .filter({ hasText: `Order ${late}` })
        .waitFor();
      await page.getByRole('button', { name: 'Mark as read' }).click();
      await head.getByText('0 unread').waitFor();
      expect(await page.getByRole('button', { name: 'Mark as read' }).isDisabled()).toBe(true);

      await page.getByLabel('Type').selectOption('order.created');
      await page.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'detached' });
    });

    inConsole('search, add, change and archive products with the keyboard only', async ({ page }) => {
      const inspection = new Inspection(page);
      const { keyboard } = page;
      const fact = (name: string, value: string) =>
        page
          .locator('.facts > div')
          .filter({ hasText: `${name}${value}` })
          .waitFor();
      const fill = async (label: string, text: string) => {
        await page.getByRole('dialog').getByLabel(label).focus();
        await keyboard.press('Control+a');
        await keyboard.type(text);
      };
      await enterConsole(page, 'ed@acme.test');
      await page.goto('/console/products');
      await page.getByRole('row').nth(1).waitFor();
      await pressByKeyboard(page, 'Add product');
      await page.locator('dialog input:focus').waitFor();
      await fill('Name', '<b>Floor</b> lamp');
      await fill('Price', '89.505');
      await fill('Currency', 'usd');
      await keyboard.press('Enter');
      // A price with more decimals than the currency has is refused, and the input is kept.
      await page
        .getByRole('dialog')
        .getByRole('alert')
        .getByText(/^Unit price /)
        .waitFor();
      await fill('Price', '89.5');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: '<b>Floor</b> lamp', level: 1 }).waitFor();
      await fact('Price', 'USD 89.50');

      await page.getByRole('button', { name: 'Change' }).waitFor();
      await pressByKeyboard(page, 'Change');
      await page.locator('dialog input:focus').waitFor();
      await inspection.look('changing a product', 'dialog[open]');
      await fill('Name', 'Reading lamp');
      await fill('Price', '9000');
      await fill('Currency', 'JPY');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Reading lamp', level: 1 }).waitFor();
      await fact('Price', 'JPY 9,000');
      await inspection.look('a product');

      await pressByKeyboard(page, 'Products');
      // The page moves the focus to its title once.
      await page.locator('h1:focus').getByText('Products').waitFor();
      await page.getByLabel('Name').focus();
      await keyboard.type('reading lam');
      await keyboard.press('Enter');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      expect(new URL(page.url()).search).toBe('?q=reading+lam');
      await page.reload();
      await page.getByRole('link', { name: 'Reading lamp' }).waitFor();
      await inspection.look('found products');
      await pressByKeyboard(page, 'Reading lamp');
      await page.getByRole('button', { name: 'Archive' }).waitFor();
      await pressByKeyboard(page, 'Archive');
      await page.getByRole('dialog').waitFor();
      await pressByKeyboard(page, 'Archive');
      await page.getByText('The product was archived.').waitFor();
      await page.getByRole('button', { name: 'Change' }).waitFor({ state: 'detached' });
      await fact('State', 'archived');

      await page.goto('/console/products?q=reading');
      await page.getByRole('heading', { name: 'No product matches' }).waitFor();
      await page.getByLabel('State').selectOption('archived');
      await page.getByRole('link', { name: 'Reading lamp' }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('link', { name: 'Reading lamp' }).waitFor({ state: 'detached' });
      await page.getByRole('row').nth(1).waitFor();
      await page.goto('/console/products/999999');
      await page.getByRole('heading', { name: 'There is no such product.' }).waitFor();
      expect(inspection.problems).toEqual([]);
    });

    inConsole('offer changes of products only to people who may make them', async ({ page }) => {
      await enterConsole(page, 'vic@acme.test');
      await page.goto('/console/products');
      await page.getByRole('row').nth(1).waitFor();
      expect(await page.getByRole('button', { name: 'Add product' }).count()).toBe(0);
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.locator('.facts').waitFor();
      expect(await page.getByRole('button', { name: /^(Change|Archive)$/ }).count()).toBe(0);
    });

    inConsole('show the audit log, filtered by the parameters of the URL', async ({ page }) => {
      const inspection = new Inspection(page);
      const { keyboard } = page;
      const { id } = await placeOrder(app, undefined, { userId: 2, as: 'ed' });
      await app.post('/v1/auth/login', { body: { email: 'vic@acme.test', password: 'wrong' } });
      // It is recorded some seconds later.
      await app.services.sessions.settled();
      await enterConsole(page);
      await page.goto('/console/audit-log');
      const rows = page.getByRole('row');
      await rows
        .filter({ hasText: `Order ${id}` })
        .getByText('Ed Okafor')
        .waitFor();
      const failed = rows.filter({ hasText: 'user.sign_in_failed' }).first();
      await failed.getByText('Not known').waitFor();
      await failed.getByText('127.0.0.1').waitFor();
      const options = await page.getByLabel('Type').locator('option').allTextContents();
      expect(options).toEqual(['All', ...[...AUDIT_TYPES].sort()]);

      await page.getByLabel('Type').selectOption('order.created');
      await page.getByLabel('Person').selectOption({ label: 'Ed Okafor' });
      const shown = async () => (await rows.allTextContents()).slice(1);
      await expect
        .poll(async () => (await shown()).every((text) => /^order\.createdEd Okafor/.test(text)))
        .toBe(true);
      await expect.poll(() => new URL(page.url()).search).toBe('?type=order.created&person=2');
      await page.reload();
      await rows.filter({ hasText: `Order ${id}` }).waitFor();
      // A new entry appears by itself.
      const next = await placeOrder(app, undefined, { userId: 2, as: 'ed' });
      await rows.filter({ hasText: `Order ${next.id}` }).waitFor();
      await inspection.look('the audit log');

      await page.locator('.row a').first().focus();
      await keyboard.press('ArrowDown');
      await page.locator('[data-index="1"] a:focus').waitFor();
      await keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'order.created' });
      await dialog.getByRole('link', { name: `Order ${id}` }).waitFor();
      await dialog.getByText(/^Session \d+$/).waitFor();
      await dialog.getByText('"currency": "USD"').waitFor();
      expect(new URL(page.url()).search).toMatch(/^\?type=order\.created&person=2&entry=\d+$/);
      await inspection.look('an entry', 'dialog[open]');
      await page.reload();
      await dialog.waitFor();
      await keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // The driver learns of a change of the URL later than of one of the page.
      await expect.poll(() => new URL(page.url()).search).toBe('?type=order.created&person=2');

      await page.getByLabel('From').fill('2031-01-01');
      await page.getByRole('heading', { name: 'No entry matches' }).waitFor();
      await page.getByRole('button', { name: 'Show all entries' }).click();
      await rows.filter({ hasText: 'user.signed_in' }).first().waitFor();
      // A type that does not exist is refused with a message.
      await page.goto('/console/audit-log?type=order.lost');
      await page.getByRole('alert').waitFor();
      expect(inspection.problems).toEqual([]);
    });
  },
  'sqlite',
);
