/** A double-click on the button of a form that a script sends: the requests are those of one click. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { linkToken } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { doubleClick, signInOn } from './chromium.ts';
import { enterConsole, manageConsole } from './console.ts';

interface Form {
  /** Opens and fills the form. @returns its button. */
  readonly open: (page: Page) => Promise<Locator>;
  /** The text that is shown afterwards. */
  readonly outcome: string;
  /** Matches the path and the body of its request. */
  readonly request: RegExp;
}

describeEachEngine(
  'a double-click',
  (engine) => {
    const app = startApp(engine);
    const onPage = manageConsole(app);

    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last();

    const fillSignIn = async (page: Page) => {
      await page.getByLabel('Email').fill('ada@acme.test');
      await page.getByLabel('Password').fill(DEMO_PASSWORD);
      return button(page, 'Sign in');
    };

    /** By the file that sends the form. */
    const FORMS: Readonly<Record<string, readonly Form[]>> = {
      'assets/sign-in.js': [
        {
          open: async (page) => {
            await page.goto('/');
            await page.getByText('Sign in', { exact: true }).first().click();
            return fillSignIn(page);
          },
          outcome: 'ada@acme.test',
          request: /SignIn/,
        },
      ],
      'assets/account.js': [
        {
          open: async (page) => {
            await page.goto('/reset-password');
            await page.locator('main').getByLabel('Email').fill('vic@acme.test');
            return button(page, 'Send the link');
          },
          outcome: 'If vic@acme.test has an account',
          request: /^\/v1\/auth\/password-resets /,
        },
        {
          open: async (page) => {
            const { id: userId } = await addMember(app, 'viewer');
            await page.goto(`/reset-password#${await linkToken(engine, { userId })}`);
            await page.getByLabel('New password').fill('blue harbour lantern');
            return button(page, 'Set the password');
          },
          outcome: 'Your password is set.',
          request: /^\/v1\/auth\/password-resets\/./,
        },
        {
          open: async (page) => {
            const { body } = await app.post<{ id: number }>('/v1/orgs/acme/invitations', {
              as: 'ada',
              body: { email: 'twice@people.test', role: 'viewer' },
            });
            await page.goto(`/invitation#${await linkToken(engine, { invitationId: body.id })}`);
            await page.getByLabel('Name').fill('Nia Roth');
            await page.locator('main').getByLabel('Password').fill('blue harbour lantern');
            return button(page, 'Join');
          },
          outcome: 'Welcome, Nia Roth.',
          request: /^\/v1\/auth\/invitations\/./,
        },
      ],
      'assets/docs-trial.js': [
        {
          open: async (page) => {
            await page.goto('/docs/rest#CreateOrder');
            await signInOn(page);
            const operation = page.locator('#CreateOrder');
            await operation.getByLabel('user_id (path)').fill('1');
            return operation.getByRole('button', { name: 'Send' });
          },
          outcome: '201 Created,',
          request: /^\/v\d\/users\/1\/orders /,
        },
      ],
      'console/sign-in.js': [
        {
          open: async (page) => {
            await page.goto('/console');
            return fillSignIn(page);
          },
          outcome: 'Overview',
          request: /SignIn/,
        },
      ],
      'console/dialogs.js': [
        {
          open: async (page) => {
            const { id } = await placeOrder(app);
            await enterConsole(page);
            await page.goto(`/console/orders/${id}`);
            await page.getByRole('button', { name: 'Cancel order' }).click();
            return page.getByRole('dialog').getByRole('button', { name: 'Cancel order' });
          },
          outcome: 'is cancelled.',
          request: /UpdateOrder/,
        },
        {
          open: async (page) => {
            const member = await addMember(app, 'viewer');
            await signIn(app, member);
            await enterConsole(page, member.email, member.password);
            await page.goto(`/console/people/${member.id}`);
            await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
            return page.getByRole('dialog').getByRole('button', { name: 'Sign out' });
          },
          outcome: 'All other sessions were ended.',
          request: /EndSession/,
        },
      ],
      'console/password-form.js': [
        {
          open: async (page) => {
            const { email, password } = await addMember(app, 'viewer');
            await enterConsole(page, email, password);
            await page.goto('/console/account');
            await page.getByLabel('Current password').fill(password);
            await page.getByLabel('New password').fill('blue harbour lantern');
            return button(page, 'Change password');
          },
          outcome: 'Your password was changed',
          request: /ChangePassword/,
        },
      ],
    };

    test('is tested for every file that sends a form', () => {
      const files = globSync('src/http/routes/pages/{assets,console}/*.js').filter((file) =>
        /onSubmit=|handleSubmit\(|addEventListener\('submit'/.test(readFileSync(file, 'utf8')),
      );
      const names = files.map((file) => file.split('/').slice(-2).join('/'));
      // The forms of the authorization server are tested with it, and `handleSubmit` with the files that call it.
      const others = ['assets/submit-once.js', 'assets/element.js'];
      expect(names.toSorted()).toEqual([...Object.keys(FORMS), ...others].toSorted());
    });

    for (const [file, forms] of Object.entries(FORMS)) {
      for (const { open, outcome, request } of forms) {
        onPage(`sends once: ${basename(file)}, ${outcome}`, async ({ page }) => {
          const sent = await doubleClick(await open(page));
          await page.getByText(outcome).first().waitFor();
          expect(sent.filter((each) => request.test(each))).toHaveLength(1);
        });
      }
    }
  },
  'sqlite',
);
