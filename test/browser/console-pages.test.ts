/** Actions on the pages of the console, each through the public operations. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addDelivery, addWebhook } from '../support/fixtures/webhooks.ts';
import { Browser } from '../support/oauth.ts';
import { answerWith, manageReceivers } from '../support/webhook-receiver.ts';
import { enterConsole, LOWEST_LIMITS, manageConsole, pressByKeyboard } from './console.ts';

describeEachEngine(
  'the pages of the console',
  (engine) => {
    const app = startApp(engine, {
      operations: LOWEST_LIMITS,
      webhooks: { allowLoopback: true, poll: 10, timeout: 20_000 },
    });
    const openReceiver = manageReceivers();
    const inConsole = manageConsole(app);

    beforeAll(() => app.webhooks.start());

    inConsole('filter the orders of all users, by the parameters of the URL', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/orders');
      /** The orders in the table, once their number is as expected. */
      const shown = async (count: number) => {
        await expect.poll(() => page.getByRole('row').count()).toBe(count + 1);
        const texts = (await page.getByRole('row').allTextContents()).slice(1);
        return texts.map((text) => Number(/Order (\d+)/.exec(text)?.[1]));
      };
      const expected = async (query: string) => {
        const { body } = await app.get<{ data: { id: number }[] }>(`/v1/orders?limit=20&${query}`, {
          as: 'ada',
        });
        return body.data.map(({ id }) => id);
      };
      await page.getByRole('row').nth(19).waitFor();
      expect(await page.getByRole('row').filter({ hasText: 'Vic Lindqvist' }).count()).toBeGreaterThan(0);

      await page.getByLabel('Person').selectOption({ label: 'Ed Okafor' });
      await page.getByLabel('Status').selectOption('pending');
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Currency').selectOption('USD');
      await page.getByLabel('Total from').fill('500');
      await page.keyboard.press('Tab');
      await page.getByLabel('Sort').selectOption('total_desc');
      const query = 'user_id=2&status=pending&currency=USD&min_total=500&sort=-total';
      const ids = await expected(query);
      expect(ids.length).toBeGreaterThan(1);
      expect(await shown(ids.length)).toEqual(ids);
      expect(new URL(page.url()).search).toBe(
        '?person=2&status=pending&currency=USD&min=500&sort=total_desc',
      );
      await page.reload();
      expect(await shown(ids.length)).toEqual(ids);
      expect(await page.getByLabel('Total from').inputValue()).toBe('500');

      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Placed from').fill('2031-01-01');
      await page.getByRole('heading', { name: 'No order matches' }).waitFor();
      await page.getByRole('button', { name: 'Show all orders' }).click();
      await page.getByRole('row').nth(19).waitFor();
      // Values that no filter can have are ignored.
      await page.goto(
        '/console/orders?status=lost&sort=name&person=%3Cb%3E&product=-1&from=soon&currency=%24&min=much&max=-1',
      );
      await page.getByRole('row').nth(19).waitFor();
      const { id } = await placeOrder(app);
      await page.getByRole('link', { name: `Order ${id}` }).waitFor();
    });

    inConsole('refund a part of a charge, and then the rest, with the keyboard only', async ({ page }) => {
      const charge = await makeCharge(app);
      await enterConsole(page);
      await page.goto(`/console/charges/${charge.id}`);
      const refund = async (amount: string | undefined, total: string) => {
        await page.getByRole('button', { name: 'Refund' }).waitFor();
        await pressByKeyboard(page, 'Refund');
        await page.getByRole('dialog').waitFor();
        if (amount !== undefined) await page.getByLabel('Amount in USD').fill(amount);
        await page.keyboard.press('Enter');
        await page
          .locator('.facts > div')
          .filter({ hasText: `Refunded${total}` })
          .waitFor();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await refund('5', 'USD 5.00');
      await page.getByText('partially refunded', { exact: true }).waitFor();
      // The form refuses more than the remaining amount, and sends nothing.
      await pressByKeyboard(page, 'Refund');
      await page.getByText('USD 14.99 can be refunded.').waitFor();
      await page.getByLabel('Amount in USD').fill('15');
      await page.keyboard.press('Enter');
      expect(await page.locator('dialog input:out-of-range').count()).toBe(1);
      await page.keyboard.press('Escape');
      await refund(undefined, 'USD 19.99');
      await page.getByRole('button', { name: 'Refund' }).waitFor({ state: 'detached' });
      expect(await page.getByText(/^Refund \d+$/).count()).toBe(2);
      const { body } = await app.get(`/v2/charges/${charge.id}`, { as: 'ada' });
      expect(body).toMatchObject({ status: 'refunded', amount_refunded: { value: 19.99 } });
    });

    inConsole(
      'end one session or all others, and let administrators end those of another user',
      async ({ page }) => {
        const signIns = async (email: string, count: number) => {
          for (let left = count; left > 0; left -= 1)
            await app.post('/v1/auth/login', { body: { email, password: DEMO_PASSWORD } });
        };
        const sessionsOf = async (userId: number) => {
          const document = 'query ($id: ID!) { sessions(userId: $id, first: 100) { nodes { id } } }';
          const { body } = await app.graphql<{ sessions: { nodes: object[] } }>(
            document,
            { id: userId },
            { as: 'ada' },
          );
          return body.data?.sessions.nodes.length;
        };
        await signIns('ed@acme.test', 3);
        await signIns('vic@acme.test', 3);
        await enterConsole(page, 'ed@acme.test');
        await page.goto('/console/people/2');
        const ends = page.getByRole('button', { name: /^End session/ });
        await ends.nth(2).waitFor();
        const before = await ends.count();
        await ends.first().click();
        await expect.poll(() => ends.count()).toBe(before - 1);
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
        await page.getByText('All other sessions were ended.').waitFor();
        await expect.poll(() => ends.count()).toBe(0);
        await page.getByText('this session').waitFor();

        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await enterConsole(page);
        await page.goto('/console/people/3');
        await page.getByRole('button', { name: 'Sign out everywhere' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
        await page.getByText('Vic Lindqvist is signed out everywhere.').waitFor();
        await page.getByText('Not signed in anywhere.').waitFor();
        expect(await sessionsOf(3)).toBe(0);
        // This page is still signed in.
        await page.reload();
        await page.getByText('Not signed in anywhere.').waitFor();
      },
    );

    inConsole('create, change, install and delete apps, and add a secret', async ({ page }) => {
      const hostile = '<img src=x onerror="document.title=1">';
      const foreign = await app.post<{ client_id: string }>('/v1/apps', {
        as: 'gil',
        body: { name: hostile, type: 'service', scopes: ['read:orders'] },
      });
      await enterConsole(page);
      await page.goto('/console/apps');
      await page.getByRole('button', { name: 'Create app' }).click();
      await page.getByLabel('Name').fill('Ledger Sync');
      await page.getByLabel('Redirect URIs').fill('https://ledger.example/a\nhttps://ledger.example/b');
      await page.getByLabel('read:orders').check();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
      expect(secret).toMatch(/^pas_/);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Uninstall Ledger Sync' }).waitFor();

      await page.getByRole('link', { name: 'Ledger Sync' }).click();
      await page.getByText('https://ledger.example/a, https://ledger.example/b').waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('Name').fill('Ledger');
      // The input is kept when it is refused.
      await page.getByLabel('Redirect URIs').fill('ftp://ledger.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await page
        .getByRole('alert')
        .getByText(/^Redirect URIs must /)
        .waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Ledger');
      await page.getByLabel('Redirect URIs').fill('https://ledger.example/b');
      await page.getByLabel('read:users').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Ledger', level: 1, exact: true }).waitFor();
      await page.getByText('read:users, read:orders').waitFor();
      await page.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      const next = page.getByRole('dialog').locator('code').getByText(/^pas_/);
      expect(await next.textContent()).not.toBe(secret);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'No app of your own yet' }).waitFor();

      await page.getByRole('button', { name: 'Install an app' }).click();
      await page.getByLabel('Client id').fill(foreign.body.client_id);
      await page.getByLabel('read:orders').check();
      await page.getByRole('button', { name: 'Install', exact: true }).click();
      await page.getByRole('button', { name: `Uninstall ${hostile}` }).click();
      expect(await page.locator('#content img[src=x]').count()).toBe(0);
      await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click();
      await page.getByText('No app is installed.').waitFor();
    });

    inConsole('list and revoke the access of apps, for the user and for administrators', async ({ page }) => {
      const name = '"><script>document.title=1</script>';
      const made = await app.post<{ client_id: string }>('/v1/apps', {
        as: 'ada',
        body: {
          name,
          type: 'web',
          redirect_uris: ['https://ledger.example/back'],
          scopes: ['read:orders'],
        },
      });
      const asked = new URLSearchParams({
        client_id: made.body.client_id,
        redirect_uri: 'https://ledger.example/back',
        response_type: 'code',
        scope: 'read:orders',
        code_challenge: 'pVbkyQ0T3mJ8xQ2n5vK7pFsyMF0wRz4LdHuNcGtYeSA',
        code_challenge_method: 'S256',
      });
      for (const person of ['ed', 'vic'] as const)
        await new Browser(app).consent(`/oauth/authorize?${asked}`, person);
      const revoke = async () => {
        await page
          .getByRole('button', { name: `Revoke ${name}` })
          .first()
          .click();
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      };
      await enterConsole(page, 'vic@acme.test');
      await page.goto('/console/people/3');
      await page.locator('.lines .text').getByText(name, { exact: true }).waitFor();
      await revoke();
      await page.getByText('You have not allowed any app to act for you.').waitFor();

      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await enterConsole(page);
      await page.goto('/console/apps');
      await page.getByRole('link', { name: 'Ed Okafor' }).waitFor();
      await revoke();
      await page.getByText('No one has allowed an app to act for them.').waitFor();
      expect(await page.locator('#content script').count()).toBe(0);
    });

    inConsole('add and test a webhook, and show its deliveries', async ({ page }) => {
      const receiver = await openReceiver();
      // Only after a failed read, so that the result comes from a later one.
      const readFailed = Promise.withResolvers<void>();
      receiver.answer((response) => void readFailed.promise.then(() => response.writeHead(204).end()));
      await enterConsole(page);
      await page.goto('/console/webhooks');
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByLabel('URL').fill(receiver.url);
      await page.getByLabel('Events').fill('order.shipped');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const secret = await page.getByRole('dialog').locator('code').textContent();
      expect(secret).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('Events').fill('order.shipped, charge.*');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.facts').getByText('order.shipped, charge.*').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.locator('.deliveries > li').waitFor();
      // The page's read for the event of the test is not the failing one.
      await sleep(600);
      let failed = 0;
      await page.route('**/graphql', (route) => {
        if (failed > 0 || !route.request().postData()?.includes('webhookDeliveries')) return route.continue();
        failed += 1;
        readFailed.resolve();
        return route.fulfill({
          json: { errors: [{ message: 'Away', extensions: { code: 'unavailable' } }] },
        });
      });
      await page.locator('.deliveries summary').getByText('delivered', { exact: true }).waitFor();
      expect(failed).toBe(1);
      expect(receiver.received).toHaveLength(1);
      await page.getByLabel('State', { exact: true }).selectOption('failed');
      await page.getByText('No message is in this state.').waitFor();
      await page.getByLabel('State', { exact: true }).selectOption('delivered');
      await page.locator('.deliveries > li').waitFor();
      await page.reload();
      await page.locator('.deliveries > li').waitFor();
      expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('delivered');
    });

    inConsole('load older deliveries while pending ones are polled', async ({ page }) => {
      const receiver = await openReceiver();
      receiver.answer(answerWith(500));
      const webhook = await addWebhook(app, { url: receiver.url, types: ['order.shipped'] });
      await enterConsole(page);
      for (let n = 0; n < 50; n += 1) await addDelivery(engine, webhook.id);
      // The next attempt waits for the webhook, and the page for the attempt.
      await app.post(`/v1/webhooks/${webhook.id}/tests`, { as: 'ada' });
      await receiver.until(1);
      await app.patch(`/v1/webhooks/${webhook.id}`, { as: 'ada', body: { enabled: false } });
      // The second read, by polling, is in progress when the older ones are requested. Other responses take longer than the interval.
      const [polled, requested] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let reads = 0;
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('webhookDeliveries')) {
          reads += 1;
          if (reads === 2) polled.resolve();
          await (reads === 2 ? requested.promise : sleep(1000));
        }
        // The page may have cancelled it meanwhile.
        await route.continue().catch(() => undefined);
      });
      await page.goto(`/console/webhooks/${webhook.id}`);
      await polled.promise;
      await page.getByRole('button', { name: 'Older deliveries' }).click();
      requested.resolve();
      await page.locator('.deliveries > li').nth(50).waitFor();
    });

    inConsole('show usage, and the callers of deprecated parts', async ({ page }) => {
      const charge = await makeCharge(app);
      await app.get(`/v1/charges/${charge.id}`, { as: 'ed' });
      const line = page.getByRole('listitem').filter({ hasText: 'GET /v1/charges/{charge_id}' });
      await expect
        .poll(async () => {
          await app.usage.write();
          const uses = '{ deprecatedUses { nodes { name } } }';
          const { body } = await app.graphql<{ deprecatedUses: { nodes: object[] } }>(
            uses,
            {},
            { as: 'ada' },
          );
          return body.data?.deprecatedUses.nodes.length;
        })
        .toBe(1);
      // The server counts days by its own clock, which differs from the browser's.
      await enterConsole(page);
      const figure = page.locator('.figure').filter({ hasText: 'Requests today' });
      await figure.getByText(/^\d+ with errors, for [1-9][\d,]* points$/).waitFor();
      await figure.getByRole('link').click();
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
      await line.getByRole('link', { name: 'Ed Okafor' }).waitFor();
      await line.getByText('1 request', { exact: true }).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'CreateCharge' });
      await row.getByText('REST').waitFor();
      await row.getByText('Sep 1, 2026').waitFor();
    });

    inConsole('register client certificates, report invalid ones, and revoke them', async ({ page }) => {
      await enterConsole(page);
      await page.goto('/console/certificates');
      await page.getByRole('heading', { name: 'No certificate yet' }).waitFor();
      await page.getByRole('button', { name: 'Register certificate' }).click();
      await page.getByLabel('Name').fill('<b>ci</b>');
      await page.getByLabel('Recognised by').selectOption('sanUri');
      await page.getByLabel('Value').fill('no address');
      await page.getByLabel('read:orders').check();
      await page.getByRole('button', { name: 'Register', exact: true }).click();
      await page.getByRole('alert').getByText('Value must be an absolute URI.').waitFor();
      await page.getByLabel('Value').fill('spiffe://acme.example/ci');
      await page.getByRole('button', { name: 'Register', exact: true }).click();
      await page
        .getByRole('row')
        .filter({ hasText: 'spiffe://acme.example/ci' })
        .getByText('active')
        .waitFor();
      await page.getByRole('button', { name: 'Revoke <b>ci</b>' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('row').getByText('revoked').waitFor();
      expect(await page.locator('#content b').count()).toBe(0);
    });
  },
  'sqlite',
);
