/** Forms of sign-in and consent that a client sends again and again: each costs points. */
import { expect, test } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { Browser, oauthClient } from '../support/oauth.ts';
import { membersOf } from '../support/test-doubles.ts';

const POINTS = 2000;

/** The statement that looks up a device code. */
const findsCode = 'oauthRecords.byUserCode';

describeEachEngine('a form of an interaction', (engine) => {
  let canFindCodes = true;
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: async (statement, params, signal, flow) => {
      if (!canFindCodes && statement.name === findsCode) throw new ApiError('unavailable');
      return database.run(statement, params, signal, flow);
    },
  });
  const app = startApp(engine, { budget: { points: POINTS, perSecond: 1000 }, around });
  const { createApp, authorization } = oauthClient(app);

  /** Opens the sign-in page, and returns a function that posts its form without following the redirect. */
  async function openForm() {
    const { url } = await authorization(await createApp());
    let cookie = '';
    const browser = new Browser(app, undefined, (address, init) => {
      cookie = new Headers(Object(init).headers).get('cookie') ?? '';
      return fetch(address, init as RequestInit);
    });
    const page = await browser.visit(url.href);
    const { pathname } = new URL(page.url);
    return async (form: Record<string, string>) => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const body = new URLSearchParams(form);
      return fetch(app.url + pathname, { method: 'POST', redirect: 'manual', headers, body });
    };
  }

  test('costs points of the network', async () => {
    const post = await openForm();
    const statuses: number[] = [];
    for (let count = 0; count <= POINTS / LIMITS.oauthRequestCost; count += 1) {
      statuses.push((await post({ action: 'deny' })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([303, 429]));
    expect(statuses.at(-1)).toBe(429);
    app.clock.advance(POINTS);
    expect((await post({ action: 'deny' })).status).toBe(303);
  });

  test('for device codes costs much more for a wrong code, and looks no code up without these points', async () => {
    const { client_id } = await createApp({ type: 'native', redirect_uris: [] });
    const body = new URLSearchParams({ client_id, scope: 'read:orders' });
    const { user_code: right } = Object(
      await (await fetch(`${app.url}/oauth/device`, { method: 'POST', body })).json(),
    );
    const browser = new Browser(app);
    const enter = async (user_code: string) => {
      const { text } = await browser.visit('/device');
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
      return browser.visit('/device', new URLSearchParams({ xsrf, user_code }));
    };
    app.clock.advance(POINTS);
    for (let count = 0; count < 5; count += 1) expect((await enter(right)).text).toContain('The codes match');
    canFindCodes = false;
    for (let count = 0; count < 5; count += 1) {
      expect((await enter(right)).status).toBe(503);
    }
    canFindCodes = true;
    expect((await enter(right)).text).toContain('The codes match');
    app.clock.advance(POINTS);
    expect((await enter('BCDF-GHJK')).text).toContain('This code does not exist');
    expect((await enter('BCDF-GHJK')).status).toBe(429);
    expect((await enter(right)).status).toBe(429);
    app.clock.advance(POINTS);
    expect((await enter(right)).text).toContain('The codes match');
  });
});
