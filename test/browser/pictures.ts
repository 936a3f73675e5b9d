/** Takes the pictures of README.md from a server with the demo data: `npm run pictures -- http://localhost:4000`. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launch, openPage, signInOn } from '../support/browser.ts';

const [origin = 'http://localhost:4000'] = process.argv.slice(2);

const ORDER = '#operations-Orders-GetOrder';

const PICTURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  async overview(page) {
    await page.goto('/');
    await signInOn(page);
    await page.locator('#feed-state[data-state=live]').waitFor();
    for (let orders = 0; orders < 3; orders += 1) {
      await page.getByRole('button', { name: 'Place an order' }).click();
      await page.locator('#feed li.new').nth(orders).waitFor();
    }
    // Until the lines that are new have taken their places.
    await page.waitForTimeout(2000);
  },
  async reference(page) {
    // The same shape as the others, with room for a request and its answer.
    await page.setViewportSize({ width: 1760, height: 1100 });
    await page.goto('/docs');
    await signInOn(page);
    const operation = page.locator(ORDER);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByPlaceholder('order_id').fill('7');
    await operation.getByText('Execute', { exact: true }).click();
    await operation.locator('.live-responses-table').waitFor();
    await operation.evaluate((element) => element.scrollIntoView());
  },
  async graphiql(page) {
    await page.goto('/graphql');
    await signInOn(page);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('.graphiql-query-editor .CodeMirror').click();
    await page.keyboard.press('Control+Home');
    for (let lines = 0; lines < 5; lines += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    await page.locator('.result-window').getByText('unreadNotifications').waitFor();
  },
};

const browser = await launch();
for (const [name, prepare] of Object.entries(PICTURES)) {
  const { page, offences } = await openPage(browser, origin);
  await prepare(page);
  const path = fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url));
  await page.screenshot({ path });
  process.stdout.write(`${path}${offences.map((offence) => `\n  ${offence}`).join('')}\n`);
  await page.context().close();
}
await browser.close();
