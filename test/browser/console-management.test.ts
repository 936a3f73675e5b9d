/** Pages of the console that manage people, products and the account, and the audit log, each through the public operations. */
import { expect } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
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

    inConsole('offer invitations only to administrators', async ({ page }) => {
      await enterConsole(page, 'ed@acme.test');
      await page.goto('/console/people');
      await page.getByRole('row').nth(3).waitFor();
      expect(await page.getByRole('button', { name: 'Invite person' }).count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0);
    });
  },
  'sqlite',
);
