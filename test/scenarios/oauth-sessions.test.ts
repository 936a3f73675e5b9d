/** Sessions of browsers at the authorization server: they are listed, and end like other sessions. */
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { linkToken } from '../access/shared/fixtures.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { PEOPLE, type Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember, claimsOf, type Member, signIn } from '../support/fixtures/members.ts';
import { Browser, oauthClient } from '../support/oauth.ts';
import type { CursorPage } from '../support/response-bodies.ts';

interface ListedSession {
  readonly id: number;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
}

describeEachEngine('a browser session at the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { createApp, authorization } = oauthClient(app);
  const password = 'another long harbour';
  const sessionsOf = async ({ id }: Member) => {
    const path = `/v1/sessions?user_id=${id}`;
    return (await app.get<CursorPage<ListedSession>>(path, { as: 'ada' })).body.data;
  };
  const end = async (id: number, as: Sender = 'ada') =>
    expect((await app.delete(`/v1/sessions/${id}`, { as })).status).toBe(204);

  /** Returns a browser in which a new member has signed in and consented, and functions that use its session. */
  const signedIn = async () => {
    const made = await createApp();
    const member = await addMember(app, 'editor');
    const browser = new Browser(app);
    const { url } = await authorization(made);
    await browser.consent(url.href, member);
    /** Returns the error of a request without interaction; null for a code. */
    const silently = async () => {
      const { url: silent } = await authorization(made, { prompt: 'none' });
      return new URL((await browser.visit(silent.href)).url).searchParams.get('error');
    };
    return { member, browser, silently, authorize: () => authorization(made, { prompt: 'consent' }) };
  };

  test('signs in only the browser that began, also if another one has the cookie of the interaction', async () => {
    const { url } = await authorization(await createApp());
    const began = new Browser(app);
    const page = await began.visit(url.href);
    const planted = { cookie: `portico_interaction=${page.url.split('/').at(-1)}` };
    const form = () => new URLSearchParams({ email: PEOPLE.ed, password: DEMO_PASSWORD });
    for (const sent of [undefined, form()]) {
      const other = await new Browser(app).visit(page.url, sent, planted);
      expect([other.status, other.text.includes('This request has expired')]).toEqual([400, true]);
    }
    const after = await began.visit(page.url);
    expect(after.text).toContain('name="password"');
    expect((await began.visit(page.url, form())).text).toContain('Ed Okafor');
  });

  test.each(['ed', 'vic'] as const)(
    'signs in in two tabs that were opened before, in the second as %s',
    async (person) => {
      const made = await createApp();
      const browser = new Browser(app);
      const tabs = [];
      for (let count = 0; count < 2; count += 1)
        tabs.push(await browser.visit((await authorization(made)).url.href));
      const [first, second] = tabs;
      if (!first || !second) throw new Error('There are two tabs.');
      // The cookie of an interaction has its path, so each tab keeps its own.
      expect((await browser.signIn(first, 'ed')).text).toContain('Ed Okafor');
      const signedIn = await browser.signIn(await browser.visit(second.url), person);
      expect(signedIn.status, signedIn.text).toBe(200);
      expect(signedIn.text).not.toContain('This request has expired');
    },
  );

  describe.each([
    [
      'a change of the password',
      async (member: Member) => {
        const { token } = await signIn(app, member);
        const body = { current_password: member.password, new_password: password };
        const headers = { authorization: `Bearer ${token}` };
        expect((await app.put(`/v1/users/${member.id}/password`, { headers, body })).status).toBe(204);
        return password;
      },
    ],
    [
      'a reset of the password',
      async (member: Member) => {
        const reset = `/v1/auth/password-resets/${await linkToken(engine, { userId: Number(member.id) })}`;
        expect((await app.put(reset, { body: { password } })).status).toBe(204);
        return password;
      },
    ],
    [
      'a sign-out everywhere by an administrator',
      async (member: Member) => {
        for (const { id } of await sessionsOf(member)) await end(id);
        return member.password;
      },
    ],
    [
      'a sign-out everywhere else by the person',
      async (member: Member) => {
        const { token } = await signIn(app, member);
        const current = Number(claimsOf(token)['sid']);
        for (const { id } of await sessionsOf(member)) if (id !== current) await end(id, { token });
        return member.password;
      },
    ],
    [
      'a change of the role',
      async (member: Member) => {
        const path = `/v1/orgs/acme/users/${member.id}`;
        expect((await app.patch(path, { as: 'ada', body: { role: 'admin' } })).status).toBe(200);
        return member.password;
      },
    ],
  ])('ends with %s', (_title, change) => {
    test('and begins again with a sign-in', async () => {
      const { member, browser, silently, authorize } = await signedIn();
      expect(await silently()).toBeNull();
      const current = await change(member);
      expect(await silently()).toBe('login_required');
      const page = await browser.visit((await authorize()).url.href);
      expect(page.text).toContain('name="password"');
      await browser.allow(await browser.signIn(page, { email: member.email, password: current }));
      expect(await silently()).toBeNull();
    });

    test('and so does its open consent page', async () => {
      const { member, browser, authorize } = await signedIn();
      const page = await browser.visit((await authorize()).url.href);
      expect(page.text).toContain('value="allow"');
      await change(member);
      expect((await browser.allow(page)).status).toBe(400);
    });
  });

  test('is listed without scopes for two weeks, and ends alone', async () => {
    const { member, silently, authorize } = await signedIn();
    const other = new Browser(app);
    await other.consent((await authorize()).url.href, member);
    const { token } = await signIn(app, member);
    const [first, second, third] = await sessionsOf(member);
    expect([first?.scopes, second?.scopes, third?.scopes.length]).toEqual([[], [], expect.any(Number)]);
    // From the redirect that followed the form.
    const days = (Date.parse(first?.expires_at ?? '') - Date.parse(first?.created_at ?? '')) / 86_400_000;
    expect(Math.floor(days)).toBe(14);
    await end(second?.id ?? 0, { token });
    await end(third?.id ?? 0, { token });
    expect(await silently()).toBeNull();
    await end(first?.id ?? 0);
    expect(await silently()).toBe('login_required');
  });

  test('ends with a sign-out in the browser', async () => {
    const { member, browser, silently } = await signedIn();
    const page = await browser.visit('/oauth/logout');
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await browser.visit('/oauth/logout/confirm', new URLSearchParams({ xsrf, logout: 'yes' }));
    expect(await silently()).toBe('login_required');
    expect(await sessionsOf(member)).toEqual([]);
  });

  test('is replaced by the next sign-in in the same browser', async () => {
    const { member, browser, silently } = await signedIn();
    const [former] = await sessionsOf(member);
    const { url } = await authorization(await createApp(), { prompt: 'login' });
    await browser.consent(url.href, member);
    const sessions = await sessionsOf(member);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.id).not.toBe(former?.id);
    expect(await silently()).toBeNull();
  });

  test('ends with the sign-in of another person in the same browser', async () => {
    const { member, browser } = await signedIn();
    const other = await addMember(app, 'editor');
    const { url } = await authorization(await createApp(), { prompt: 'login' });
    // A page whose script submits its form: the former person is signed out.
    const page = await browser.signIn(await browser.visit(url.href), other);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const form = new URLSearchParams({ xsrf, logout: 'yes' });
    const consent = await browser.visit('/oauth/logout/confirm', form);
    expect(consent.text).toContain(other.email);
    expect(await sessionsOf(member)).toEqual([]);
    expect(await sessionsOf(other)).toHaveLength(1);
    const { url: answer } = await browser.allow(consent);
    expect(new URL(answer).searchParams.get('code')).toMatch(/./);
  });

  test('ends with the removal of the member', async () => {
    const { member, silently } = await signedIn();
    expect((await app.delete(`/v1/orgs/acme/users/${member.id}`, { as: 'ada' })).status).toBe(204);
    expect(await silently()).toBe('login_required');
  });

  test('is kept by a change of the name', async () => {
    const { member, silently } = await signedIn();
    const body = { name: 'Mo Renamed' };
    expect((await app.patch(`/v1/users/${member.id}`, { as: 'ada', body })).status).toBe(200);
    expect(await silently()).toBeNull();
  });

  test('that its browser never received ends with the time to sign in', async () => {
    const { url } = await authorization(await createApp());
    const member = await addMember(app, 'editor');
    let isLost = true;
    const browser = new Browser(app, PUBLIC_URL, async (to, init: RequestInit = {}) => {
      const response = await fetch(to, init);
      return isLost && init.method === 'POST' ? new Response() : response;
    });
    const form = await browser.visit(url.href);
    for (let time = 0; time < 2; time += 1) await browser.signIn(form, member);
    isLost = false;
    await browser.signIn(form, member);
    const [, , received] = await sessionsOf(member);
    app.clock.advance(LIMITS.interactionLifetime);
    expect(await sessionsOf(member)).toEqual([received]);
    expect(received).toBeDefined();
  });

  // The last test: it leaves the clock ahead of the tokens of the others.
  test('ends after two weeks, however often it is used', async () => {
    const { silently } = await signedIn();
    app.clock.advance(13 * 86_400_000);
    expect(await silently()).toBeNull();
    app.clock.advance(86_400_000);
    expect(await silently()).toBe('login_required');
  });
});
