/**
 * Takes the screenshots for README.md from a server with the demo data: `npm run pictures --
 * http://localhost:4000`.
 */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launch, openPage, signInOn } from './chromium.ts';

const [origin = 'http://localhost:4000'] = process.argv.slice(2);

const PICTURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  async console(page) {
    await page.goto('/console');
    await page.getByRole('button', { name: 'Ada, administrator' }).click();
    await page.locator('.connection[data-state=live]').waitFor();
    await page.goto('/console/orders');
    await page.getByRole('row').nth(5).waitFor();
  },
  async reference(page) {
    await page.goto('/docs/rest#GetOrder');
    await signInOn(page);
    const operation = page.locator('#GetOrder');
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByRole('status').getByText(/^200 /).waitFor();
    await operation.locator('form').evaluate((element) => element.scrollIntoView());
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
