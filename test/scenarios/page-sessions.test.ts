/** When the session of a person ends on the pages of the server, and when it goes on. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { PEOPLE } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { type Session, startBrowser, type Tab } from '../support/page-tabs.ts';

const HOUR = 3_600_000;

const signInAsVic = (tab: Tab) => tab.signIn(PEOPLE.vic, DEMO_PASSWORD);

/** Resolves with the next session of a tab, which another one has sent. */
const nextSessionOf = (tab: Tab) =>
  new Promise<Session | null>((resolve) => {
    let isFirst = true;
    tab.onSession((session) => {
      if (!isFirst) resolve(session);
      isFirst = false;
    });
  });

function sessionOf(tab: Tab): Session | null {
  let present: Session | null = null;
  tab.onSession((session) => {
    present = session;
  });
  return present;
}

const posted = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
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
    const responses = await Promise.all([
      tab.fetchSignedIn('/v1/me'),
      tab.fetchSignedIn('/v1/users/1'),
      tab.fetchSignedIn('/graphql', posted({ query: '{ me { id } }' })),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(endOf(tab)).toBeUndefined();
    expect(await tab.accessToken()).not.toBe(former);
  });

  test('is the newest one in all tabs, also after a correction of the clock', async () => {
    const tab = await signInTooLate();
    const other = await openTab();
    expect(await other.accessToken()).toBe(await tab.accessToken());
    app.clock.advance(LIMITS.accessTokenLifetime);
    vi.setSystemTime(app.clock());
    const received = nextSessionOf(other);
    await tab.fetchSignedIn('/v1/me');
    expect((await received)?.accessToken).toBe(await tab.accessToken());
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
      if (response.status === 401) await signInAsVic(tab);
      return response;
    });
    expect((await tab.fetchSignedIn('/v1/me')).status).toBe(401);
    expect((await tab.fetchSignedIn('/v1/me')).status).toBe(200);
  });

  describe.each([
    { meanwhile: 'another person signs in', email: PEOPLE.vic, change: signInAsVic },
    { meanwhile: 'the person signs out', email: undefined, change: (tab: Tab) => tab.signOut() },
  ])('while it is refreshed and $meanwhile', ({ email, change }) => {
    /** Two tabs with a session that is due, and the change in the second one before the response to the first refresh. */
    const refreshDuring = async (isRefused: boolean) => {
      const tab = await openTab();
      await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
      const other = await openTab();
      await other.accessToken();
      app.clock.advance(LIMITS.accessTokenLifetime);
      vi.setSystemTime(app.clock());
      const send = fetch;
      const sent = vi.fn<typeof fetch>(async (...request) => {
        vi.stubGlobal('fetch', send);
        const refused = { errors: [{ message: 'Refused.', extensions: { code: 'invalid_token' } }] };
        const response = isRefused ? Response.json(refused) : await send(...request);
        const received = nextSessionOf(tab);
        await change(other);
        await received;
        return response;
      });
      vi.stubGlobal('fetch', sent);
      const response = await tab.fetchSignedIn('/v1/me');
      expect(sent.mock.calls.map(([, options]) => String(options?.body))).toEqual([
        expect.stringContaining('RefreshSession'),
      ]);
      return { response, tab, other };
    };

    test.each([true, false])(
      'no tab gets the former one back or loses the new one, refused: %s',
      async (isRefused) => {
        const { response, tab, other } = await refreshDuring(isRefused);
        // Not as the other person.
        expect(response.status).toBe(401);
        for (const each of [tab, other]) {
          expect(sessionOf(each)?.email).toBe(email);
          expect(endOf(each)).toBe(email ? undefined : '');
        }
      },
    );
  });

  test('goes on after credentials in a request are refused, such as those that a person tries in the documentation', async () => {
    const tab = await openTab();
    await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
    const sent = vi.fn(fetch);
    vi.stubGlobal('fetch', sent);
    const wrong = posted({ email: PEOPLE.ed, password: 'wrong' });
    expect((await tab.fetchSignedIn('/v1/auth/login', wrong)).status).toBe(401);
    // A repeated one would count as another failed sign-in.
    expect(sent).toHaveBeenCalledOnce();
    const unknown = posted({ refresh_token: 'unknown' });
    expect((await tab.fetchSignedIn('/v1/auth/refresh', unknown)).status).toBe(401);
    expect(endOf(tab)).toBeUndefined();
  });

  test('goes on when the server refuses other credentials, such as those that a person tries in GraphiQL', async () => {
    const tab = await openTab();
    await tab.signIn(PEOPLE.ada, DEMO_PASSWORD);
    const options = { headers: { authorization: 'ApiKey pk_1_wrong' } };
    expect((await tab.fetchSignedIn('/v1/me', options)).status).toBe(401);
    expect(endOf(tab)).toBeUndefined();
  });
});
