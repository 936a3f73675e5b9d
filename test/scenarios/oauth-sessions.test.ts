/** Sessions of browsers at the authorization server: a password change or a removal ends them. */
import { describe, expect, test } from 'vitest';
import { linkToken } from '../support/access-ground.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addMember, type Member, signIn } from '../support/members.ts';
import { Browser } from '../support/oauth.ts';
import { oauthClient } from '../support/oauth-client.ts';

describeEachEngine('a browser session at the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { createApp, authorization } = oauthClient(app);
  const password = 'another long harbour';

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

  describe.each([
    [
      'a change of the password',
      async (member: Member) => {
        const { token } = await signIn(app, member);
        const body = { current_password: member.password, new_password: password };
        const headers = { authorization: `Bearer ${token}` };
        expect((await app.put(`/v1/users/${member.id}/password`, { headers, body })).status).toBe(204);
      },
    ],
    [
      'a reset of the password',
      async (member: Member) => {
        const reset = `/v1/auth/password-resets/${await linkToken(engine, { userId: Number(member.id) })}`;
        expect((await app.put(reset, { body: { password } })).status).toBe(204);
      },
    ],
  ])('ends with %s', (_title, change) => {
    test('and begins again with a sign-in', async () => {
      const { member, browser, silently, authorize } = await signedIn();
      expect(await silently()).toBeNull();
      await change(member);
      expect(await silently()).toBe('login_required');
      const page = await browser.visit((await authorize()).url.href);
      expect(page.text).toContain('name="password"');
      await browser.allow(await browser.signIn(page, { email: member.email, password }));
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
});
