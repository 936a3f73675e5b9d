/** The console in a browser that can only connect to this machine. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { loadConfig } from '../../src/config.ts';
import type { TestApp } from '../support/app.ts';
import { closePage, launch, noBrowser, openPage, type WatchedPage } from './chromium.ts';

const { documentTokens, depth, aliases, rootFields } = loadConfig({
  DOCUMENT_TOKENS: '1000',
  OPERATION_DEPTH: '6',
  OPERATION_ALIASES: '0',
  OPERATION_ROOT_FIELDS: '5',
}).operations;

/** The lowest limits of documents that the settings accept. The pages of the server work with them. */
export const LOWEST_LIMITS = { documentTokens, depth, aliases, rootFields };

export async function enterConsole(
  page: Page,
  email = 'ada@acme.test',
  password = DEMO_PASSWORD,
): Promise<void> {
  await page.goto('/console');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

type InConsole = (title: string, run: (watched: WatchedPage) => Promise<void>) => void;

/**
 * Starts a browser for a suite; call it once per suite. Returns a function that declares a test of the console. The test fails if the
 * page reports an error or sends a request to another origin.
 *
 * @param caused reports that the tests cause, such as those of the browser about failed requests.
 */
export function manageConsole(app: Pick<TestApp, 'url'>, caused?: RegExp): InConsole {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (noBrowser === undefined) browser = await launch();
  });
  afterAll(() => browser?.close());
  return (title, run) =>
    test(title, async ({ skip }) => {
      if (!browser) return skip(noBrowser);
      const watched = await openPage(browser, app.url);
      await run(watched);
      expect(watched.offences.filter((text) => !caused?.test(text))).toEqual([]);
      await closePage(watched.page);
    });
}

/** Reloads the page, and stays when the browser asks whether to leave it. */
export async function refuseToLeave(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  // The browser asks before the reload, so that waiting for it would not end.
  await page.evaluate('setTimeout(() => location.reload())');
  await (await asked).dismiss();
}

/** Presses Tab until the element with this name has the focus, then Enter. */
export async function pressByKeyboard(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    // Chromium focuses dialogs as well, whose text begins with their title.
    const texts = await page.evaluate<(string | null)[]>(
      'document.activeElement.matches("dialog") ? [] : [document.activeElement.getAttribute("aria-label"), document.activeElement.textContent]',
    );
    if (texts.some((text) => text?.trim().startsWith(name))) return page.keyboard.press('Enter');
  }
  throw new Error(`Tab does not lead to ${name}.`);
}
