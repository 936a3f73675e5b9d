/** When the session of a person ends on the pages of the server, and when it goes on. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { PEOPLE } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { startBrowser, type Tab } from '../support/page-tabs.ts';

const HOUR = 3_600_000;

/** Resolves with the next access token of a tab that another one has sent. */
const nextTokenOf = (tab: Tab) =>
  new Promise((resolve) => {
    let isFirst = true;
    tab.onSession((session) => {
      if (!isFirst) resolve(session && 'accessToken' in session ? session.accessToken : null);
      isFirst = false;
    });
  });

/** Returns why the session of a tab has ended; undefined while it has one. */
function endOf(tab: Tab): string | undefined {
  let reason: string | undefined;
  tab.onSession((session, why) => {
    reason = session ? undefined : why;
  });
  return reason;
}

describeOnSqlite('the session of the pages', (engine) => {
  const app = startApp(engine);
  let openTab: ReturnType<typeof startBrowser>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: app.clock() });
    openTab = startBrowser(app);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  /** Opens a tab and signs in there, an hour after which the clock of the browser is corrected. */
  const signInTooLate = async () => {
    vi.setSystemTime(app.clock().getTime() + HOUR);
    const tab = await openTab();
    await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
    return tab;
  };

  test('goes on after a correction of the clock', async () => {
    const tab = await signInTooLate();
    app.clock.advance(LIMITS.accessTokenLifetime);
    vi.setSystemTime(app.clock());
    const former = await tab.accessToken();
    const responses = await Promise.all([tab.fetchSignedIn('/v1/me'), tab.fetchSignedIn('/v1/users/1')]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(endOf(tab)).toBeUndefined();
    expect(await tab.accessToken()).not.toBe(former);
  });

  test('is the newest one in all tabs, also after a correction of the clock', async () => {
    const tab = await signInTooLate();
    const other = await openTab();
    expect(await other.accessToken()).toBe(await tab.accessToken());
    app.clock.advance(LIMITS.accessTokenLifetime);
    vi.setSystemTime(app.clock());
    const received = nextTokenOf(other);
    await tab.fetchSignedIn('/v1/me');
    expect(await received).toBe(await tab.accessToken());
    expect(endOf(other)).toBeUndefined();
  });

  test('ends when the server refuses to refresh it', async () => {
    const tab = await openTab();
    await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
    const id = JSON.parse(atob((await tab.accessToken())?.split('.')[1] ?? '')).sid;
    await app.delete(`/v1/sessions/${id}`, { as: 'ada' });
    expect((await tab.fetchSignedIn('/v1/me')).status).toBe(401);
    expect(endOf(tab)).toMatch(/^Your session has ended/);
  });

  test('repeats no refused request of a person after another one has signed in', async () => {
    const tab = await openTab();
    await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
    const id = JSON.parse(atob((await tab.accessToken())?.split('.')[1] ?? '')).sid;
    await app.delete(`/v1/sessions/${id}`, { as: 'ada' });
    const send = fetch;
    vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
      const response = await send(...request);
      if (response.status === 401) await tab.signIn(PEOPLE.vic, DEMO_PASSWORD);
      return response;
    });
    expect((await tab.fetchSignedIn('/v1/me')).status).toBe(401);
    expect((await tab.fetchSignedIn('/v1/me')).status).toBe(200);
  });

  test('goes on when the server refuses other credentials, such as those that a person tries in GraphiQL', async () => {
    const tab = await openTab();
    await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
    const options = { headers: { authorization: 'ApiKey pk_1_wrong' } };
    expect((await tab.fetchSignedIn('/v1/me', options)).status).toBe(401);
    expect(endOf(tab)).toBeUndefined();
  });
});
