/** Debian's Chromium without a user interface, whose processes would take two fifths of the time. It can only connect to this machine. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';

const EXECUTABLE = '/usr/bin/chromium-headless-shell';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Two processes less: tests take 6 % less processor time.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // Resolves no other host names.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Why there is no browser; undefined if there is one. In CI, tests fail without a browser. */
export const noBrowser: string | undefined =
  existsSync(EXECUTABLE) || process.env['CI'] === 'true' ? undefined : `there is no ${EXECUTABLE}`;

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });

/** A page and its offences: errors, and requests to other origins. */
export interface WatchedPage {
  readonly page: Page;
  readonly offences: readonly string[];
}

/** @param others origins that the page may request besides that of the server. */
export async function openPage(
  browser: Browser,
  origin: string,
  others: readonly string[] = [],
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') offences.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => offences.push(`page: ${error.message}`));
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(origin.replace('http', 'ws'))) offences.push(`socket: ${socket.url()}`);
  });
  // An event listener instead of interception, with which the browser would cache nothing.
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    if (![origin, ...others].includes(url.origin)) offences.push(`request: ${url}`);
  });
  return { page, offences };
}

/** Closes a page with its context. Handlers of its requests may still run, which then fail outside of all tests. */
export async function closePage(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

/** Signs in with the form that every page has, by default as a user of the demo data. */
export async function signInOn(page: Page, email = 'ada@acme.test', password = DEMO_PASSWORD): Promise<void> {
  await page.getByText('Sign in', { exact: true }).first().click();
  const form = page.locator('.sign-in');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password').fill(password);
  await page.locator('.sign-in button[type=submit]').click();
  await page.getByText(email, { exact: true }).waitFor();
}

/**
 * Clicks twice. The request of the first click, which changes something, is held back until the second click, so that it has no response
 * before.
 *
 * @returns these requests, also later ones: the path and the body of each.
 */
export async function doubleClick(target: Locator): Promise<readonly string[]> {
  const page = target.page();
  const [begun, clicked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sent: string[] = [];
  await page.route('**', async (route) => {
    const request = route.request();
    if (request.method() !== 'GET') {
      sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
      begun.resolve();
      await clicked.promise;
    }
    // A second submission of a form would have cancelled it.
    await route.fallback().catch(() => undefined);
  });
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('The element is not shown.');
  // Unlike the method of an element, this does not wait until the element is enabled, or the page is loaded.
  const click = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await click();
  await begun.promise;
  await click();
  // A form is sent by a later task than that of the click. Scripts cannot wait for it while the page is being left.
  for (const x of [1, 2]) await page.mouse.move(x, 1);
  clicked.resolve();
  return sent;
}
