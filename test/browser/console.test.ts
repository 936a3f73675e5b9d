/** The console, in a browser that can reach only the server. */
import { brotliCompressSync } from 'node:zlib';
import type { Page, WebSocketRoute } from 'playwright-core';
import { beforeAll, expect, vi } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addWebhook, settled } from '../support/fixtures/webhooks.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';
import { enterConsole, LOWEST_LIMITS, manageConsole, pressByKeyboard } from './console.ts';

/** The maximum size of the compressed scripts of the first load, in bytes. */
const SCRIPT = 150 * 1024;
const ROWS = 10_000;

/** Adds as many plain rows as the table has to a page at once, and removes them. */
const ALL_AT_ONCE = `(() => {
  const rows = document.createElement('div');
  rows.innerHTML = '<div><a href="#">Order 7</a> <span>order.updated</span> <time>Today</time></div>'.repeat(${ROWS});
  document.body.append(rows);
  rows.getBoundingClientRect();
  rows.remove();
})()`;

/** Scrolls a page from top to end in 200 frames. @returns the number of elements that were added to its table. */
const SCROLL = `(async () => {
  let added = 0;
  const table = document.querySelector('.table-body');
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) added += addedNodes.length;
  });
  observer.observe(table, { childList: true });
  const end = document.body.scrollHeight;
  for (let top = 0; top < end; top += Math.ceil(end / 200)) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
  }
  observer.disconnect();
  return added;
})()`;

describeEachEngine(
  'the console',
  (engine) => {
    const app = startApp(engine, {
      operations: LOWEST_LIMITS,
      webhooks: { allowLoopback: true, poll: 10 },
    });
    const openReceiver = manageReceivers();
    const inConsole = manageConsole(app);

    beforeAll(() => app.webhooks.start());

    inConsole('signs in, refunds, resends and revokes with the keyboard only', async ({ page }) => {
      const receiver = await openReceiver();
      const webhook = await addWebhook(app, { url: receiver.url, types: ['order.created'] });
      const order = await placeOrder(app);
      await settled(app, webhook.id, 'delivered');
      const key = await app.post<{ id: number }>('/v1/api-keys', {
        as: 'ada',
        body: { name: 'left behind', scopes: ['read:orders'] },
      });
      const charge = await makeCharge(app, {
        body: {
          amount: { value: order.total, currency: order.currency },
          source: 'tok_visa',
          order_id: order.id,
        },
      });
      page.setDefaultTimeout(20_000);
      const { keyboard } = page;
      const press = (name: string) => pressByKeyboard(page, name);
      const search = async (text: string, option: string) => {
        await keyboard.press('Control+k');
        await page.locator('[role=combobox]:focus').waitFor();
        await keyboard.type(text);
        await page.getByRole('option', { name: option }).first().waitFor();
        await keyboard.press('Enter');
      };
      const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

      await page.goto('/console');
      await page.getByLabel('Email').waitFor();
      await keyboard.type('ada@acme.test');
      await keyboard.press('Tab');
      await keyboard.type(DEMO_PASSWORD);
      await keyboard.press('Enter');
      await heading('Overview');

      await search(`order ${order.id}`, `Order ${order.id}`);
      await heading(`Order ${order.id}`);
      await page.getByRole('link', { name: `Charge ${charge.id}` }).waitFor();
      await press(`Charge ${charge.id}`);
      await heading(`Charge ${charge.id}`);
      await page.getByRole('button', { name: 'Refund' }).waitFor();
      await press('Refund');
      await page.getByRole('dialog').waitFor();
      await press('Refund');
      await page.locator('.facts .badge').getByText('refunded').waitFor();
      await page.getByText('Charge refunded').waitFor();

      await search(receiver.url, receiver.url);
      await heading(`Webhook ${webhook.id}`);
      const before = receiver.received.length;
      await page
        .getByRole('button', { name: /^Resend order.created/ })
        .first()
        .waitFor();
      await press('Resend order.created');
      await receiver.until(before + 1);

      await search('api keys', 'API keys');
      await heading('API keys');
      await page.getByRole('button', { name: 'Revoke left behind' }).waitFor();
      await press('Revoke left behind');
      await page.getByRole('dialog').waitFor();
      await press('Revoke');
      await page.getByText('left behind was revoked.').waitFor();
      const { body } = await app.graphql<{ apiKey: { revokedAt: string | null } }>(
        'query ($id: ID!) { apiKey(id: $id) { revokedAt } }',
        { id: key.body.id },
        { as: 'ada' },
      );
      expect(body.data?.apiKey.revokedAt).not.toBeNull();
    });

    inConsole('shows each event once, although its connection is cut', async ({ page }) => {
      const sockets: WebSocketRoute[] = [];
      await page.routeWebSocket(/\/graphql$/, (socket) => {
        sockets.push(socket);
        socket.connectToServer();
      });
      await enterConsole(page);
      await page.goto('/console/events?type=order.created');
      await page.locator('.connection[data-state=live]').waitFor();
      const rowOf = (id: number) =>
        page.getByRole('row').filter({ hasText: new RegExp(`Order ${id}(?!\\d)`) });
      const first = await placeOrder(app);
      await rowOf(first.id).waitFor();
      await sockets.at(-1)?.close({ code: 4000 });
      const missed = [await placeOrder(app), await placeOrder(app), await placeOrder(app)];
      await page.locator('.connection[data-state=live]').waitFor();
      const last = await placeOrder(app);
      await rowOf(last.id).waitFor();
      const ids = [first, ...missed, last].map(({ id }) => id);
      const shown = (await page.getByRole('row').allTextContents()).flatMap((text) => {
        const id = Number(/Order (\d+)/.exec(text)?.[1]);
        return ids.includes(id) ? [id] : [];
      });
      expect(shown).toEqual(ids.toReversed());
    });

    inConsole(`scrolls through ${ROWS} rows`, async ({ page }) => {
      // Otherwise each would receive every row.
      const { body: webhooks } = await app.get<{ data: { id: number }[] }>('/v1/webhooks', { as: 'ada' });
      for (const { id } of webhooks.data) await app.delete(`/v1/webhooks/${id}`, { as: 'ada' });
      await engine.place.query(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
         insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
         select 'acme', 'order.updated', 1, 'order', 7, '{}', (select max(created_at) from events) from n`,
      );
      await enterConsole(page);
      await page.goto('/console/events?type=order.updated');
      await page.getByRole('row').nth(5).waitFor();
      // Reads to the end.
      while ((await page.getByRole('table').getAttribute('aria-rowcount')) === '-1') {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        await page.waitForTimeout(20);
      }
      const rows = Number(await page.getByRole('table').getAttribute('aria-rowcount'));
      expect(rows).toBeGreaterThan(ROWS);
      expect(await page.getByRole('row').count()).toBeLessThan(100);
      let added = 0;
      // Another collection of garbage may fall into a task; it does not into each scrolling.
      const shareOfAll = async () => {
        const longest = await longestTask(page, async () => {
          added = await page.evaluate<number>(SCROLL);
        });
        // Measured beside it, since one processor takes several times as long as another.
        const all = await longestTask(page, () => page.evaluate(ALL_AT_ONCE));
        process.stdout.write(
          `The longest task took ${longest} ms while scrolling, and ${all} ms for all rows at once.\n`,
        );
        return longest / all;
      };
      await expect.poll(shareOfAll).toBeLessThan(1 / 8);
      // New rows reuse the elements of removed ones, except where their order changes.
      expect(added).toBeLessThan(rows / 10);
      expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).not.toBe('2');

      // The focus follows the arrow keys beyond the visible rows, and stays with its row: no other row gets it.
      const focused = () =>
        page.evaluate<string | undefined>('document.activeElement.closest("[data-index]")?.dataset.index');
      await page.evaluate('scrollTo(0, 0)');
      await page.locator('[data-index="0"] a').focus();
      for (let index = 1; index <= 40; index += 1) {
        await page.keyboard.press('ArrowDown');
        await expect.poll(focused, { interval: 5 }).toBe(String(index));
      }
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.locator(`[data-index="${rows - 2}"]`).waitFor();
      expect(await focused()).toBeUndefined();
    });

    /** Renames Ed without the server, which may be writing at that time. */
    const rename = (name: string) =>
      vi.waitFor(() => engine.place.query(`update users set name = '${name}' where id = 2`), {
        timeout: 20_000,
      });

    inConsole('shows hostile strings as text', async ({ page }) => {
      const name = '<img src=x onerror="document.title=1">\u202Eada';
      const title = '<b>bold</b> {{7*7}}';
      // The server refuses such a name now. Older rows may have one.
      await rename(name);
      const { body } = await app.post<{ id: number }>('/v1/orgs/acme/docs', {
        as: 'ed',
        body: { title, body: '<script>document.title=1</script>'.repeat(300), classification: 'internal' },
      });
      await enterConsole(page);
      await page.goto('/console/people/2');
      await page.getByRole('heading', { name: '<img', level: 1 }).waitFor();
      expect(await page.locator('h1').textContent()).toBe(name);
      await page.goto(`/console/documents/${body.id}`);
      await page.getByRole('heading', { name: '<b>', level: 1 }).waitFor();
      expect(await page.locator('h1').textContent()).toBe(title);
      expect(await page.locator('#content img[src=x], #content script, #content b').count()).toBe(0);
      await rename('Ed Okafor');
    });

    for (const [email, missing] of [
      ['vic@acme.test', ['Webhooks', 'API keys', 'Apps', 'Certificates', 'Audit log', 'Usage']],
      ['ed@acme.test', ['Webhooks', 'API keys', 'Apps', 'Certificates', 'Audit log', 'Usage']],
      ['ada@acme.test', []],
    ] as const) {
      inConsole(`${email} sees only what the role permits`, async ({ page, ...watched }) => {
        await enterConsole(page, email);
        const links = await page
          .getByRole('navigation', { name: 'Console' })
          .getByRole('link')
          .allTextContents();
        for (const one of ['Webhooks', 'API keys', 'Apps', 'Certificates', 'Audit log', 'Usage']) {
          expect(links.includes(one), one).toBe(!missing.some((name) => name === one));
        }
        await page.goto('/console/webhooks');
        const heading = missing.length > 0 ? 'Not allowed' : 'Webhooks';
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await page.goto('/console/orders/8');
        await page.getByRole('heading', { name: 'Order 8', level: 1 }).waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        const offers = await page.getByRole('button', { name: 'Ship' }).count();
        expect(offers).toBe(email.startsWith('vic') ? 0 : 1);
        expect(watched.offences).toEqual([]);
      });
    }

    inConsole(
      'keeps its session within the tab, and shares it with other tabs of this origin',
      async ({ page }) => {
        await enterConsole(page);
        const context = page.context();
        expect(await context.cookies()).toEqual([]);
        // It grants no access, and outlives the session.
        expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['portico.device']);
        const other = await context.newPage();
        await other.goto('/console/orders/7');
        await other.getByRole('heading', { name: 'Order 7', level: 1 }).waitFor();
        await other.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Email').waitFor();
        expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      },
    );

    inConsole(
      'keeps nothing of a person after another one has signed in from another tab',
      async ({ page }) => {
        await enterConsole(page);
        await page.goto('/console/api-keys');
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('dialog').getByLabel('Name').fill('of Ada');
        const other = await page.context().newPage();
        await other.goto('/docs');
        await other.evaluate(
          `import('/assets/pages/session.js').then(({ signIn }) => signIn('gil@globex.test', '${DEMO_PASSWORD}'))`,
        );
        await page.getByText('admin of globex').waitFor();
        await page.getByRole('heading', { name: 'API keys' }).waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
      },
    );

    inConsole(`loads less than ${SCRIPT} bytes of script`, async ({ page }) => {
      const bodies: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (/\.m?js$/.test(new URL(response.url()).pathname)) bodies.push(response.body());
      });
      await enterConsole(page);
      const sizes = (await Promise.all(bodies)).map((body) => brotliCompressSync(body).length);
      const sum = sizes.reduce((one, other) => one + other, 0);
      process.stdout.write(`The console loads ${sizes.length} scripts, ${sum} bytes compressed.\n`);
      expect(sum).toBeLessThan(SCRIPT);
    });
  },
  'sqlite',
);

/** The used members of a trace event. `tdur` is the processor time of the thread, in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const MAIN_THREAD = 'CrRendererMain';
const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Returns the duration of the longest task of the page's main thread during some work, in milliseconds of processor time. Unlike the Long
 * Tasks API, this excludes other processes.
 */
async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === MAIN_THREAD).map(threadOf),
  );
  const times = traceEvents.flatMap((event) =>
    event.name === TASK && main.has(threadOf(event)) && event.tdur !== undefined ? [event.tdur] : [],
  );
  if (times.length === 0) throw new Error('The trace has no tasks.');
  return Math.max(...times) / 1000;
}
