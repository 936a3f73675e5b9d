/** The pages of the authorization server have no script, except for the one that sends their form once. */
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { type AppBody, Browser, oauthClient } from '../support/oauth.ts';

/** A page as the browser got it. */
type Page = Awaited<ReturnType<Browser['visit']>>;

const SCRIPT = '/assets/pages/submit-once.js';

describeOnSqlite('a page of the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { createApp, authorization } = oauthClient(app);
  let made: AppBody;
  let browser: Browser;

  beforeAll(async () => {
    made = await createApp({ type: 'native' });
    browser = new Browser(app);
    await browser.signIn(await toConsent(), 'vic');
  });

  const toConsent = async () => browser.visit((await authorization(made, { prompt: 'consent' })).url.href);

  const codeOfDevice = async (): Promise<string> => {
    const body = new URLSearchParams({ client_id: made.client_id, scope: 'read:orders' });
    return Object(await (await fetch(`${app.url}/oauth/device`, { method: 'POST', body })).json()).user_code;
  };

  /** Sends the hidden fields of the form on a page, and others. */
  const send = (page: Page, path: string, fields: object) => {
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    return browser.visit(path, new URLSearchParams({ xsrf, ...fields }));
  };

  const toDevice = async (fields: object) => {
    const user_code = await codeOfDevice();
    return send(await browser.visit('/device'), '/device', { user_code, ...fields });
  };

  const rulesOf = ({ headers }: Page) =>
    new Map(
      headers
        .get('content-security-policy')
        ?.split('; ')
        .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
    );

  test.each<[string, () => Promise<Page>]>([
    ['Sign in', async () => new Browser(app).visit((await authorization(made)).url.href)],
    ['Let Ledger act for you?', toConsent],
    ['Connect a device', () => browser.visit('/device')],
    ['Is this your device?', () => toDevice({})],
    ['Sign out?', () => browser.visit('/oauth/logout')],
  ])('with a form has it: %s', async (title, open) => {
    const page = await open();
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text.match(/<script[^>]*>/g)).toEqual([`<script src="${SCRIPT}">`]);
    const rules = rulesOf(page);
    expect([rules.get('default-src'), rules.get('script-src')]).toEqual(["'none'", "'self'"]);
  });

  test.each<[string, () => Promise<Page>]>([
    ['This request has expired', () => browser.visit('/oauth/interaction/gone')],
    ['This request cannot be processed', () => browser.visit('/oauth/authorize?client_id=app_1')],
    [
      'Connected',
      async () => {
        const page = await toDevice({ confirm: 'yes' });
        return page.text.includes('Connected') ? page : browser.allow(page);
      },
    ],
    ['Signed out', () => browser.visit('/oauth/logout/success')],
  ])('without a form has none: %s', async (title, open) => {
    const page = await open();
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text).not.toContain('<script');
    const rules = rulesOf(page);
    expect([rules.get('default-src'), rules.get('script-src')]).toEqual(["'none'", undefined]);
  });

  test('gets the script from this server, and keeps it', async () => {
    const { status, headers } = await app.get(SCRIPT);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining('javascript'),
      'public, no-cache',
    ]);
    const etag = headers.get('etag') ?? '';
    expect((await app.get(SCRIPT, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});
