/** People who decide about one code of a device at the same time: the first decision stays, and there is one grant. */
import * as oauth from 'oauth4webapi';
import { beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/db/database.ts';
import { startApp } from '../support/app.ts';
import type { Person } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, clientOf, oauthClient, scopesIn } from '../support/oauth.ts';
import { membersOf } from '../support/test-doubles.ts';

type Visit = Awaited<ReturnType<Browser['visit']>>;

/** Makes the next two reads of device codes by a statement wait for each other. */
function createBarrier() {
  let name: string | undefined;
  let waiting = 0;
  let both = Promise.withResolvers<void>();
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: async (statement, params, signal, flow) => {
      const result = await database.run(statement, params, signal, flow);
      if (statement.name !== name || Object(params).model !== 'DeviceCode') return result;
      waiting += 1;
      if (waiting === 2) {
        name = undefined;
        both.resolve();
      }
      await both.promise;
      return result;
    },
  });
  const arm = (statement: string) => {
    name = statement;
    waiting = 0;
    both = Promise.withResolvers();
  };
  return { around, arm, disarm: () => both.resolve() };
}

describeEachEngine('a code of a device', (engine) => {
  const barrier = createBarrier();
  const app = startApp(engine, { realTime: true, around: barrier.around });
  const { http, server, createApp, get } = oauthClient(app);
  let made: AppBody;

  beforeAll(async () => {
    made = await createApp({ type: 'native', redirect_uris: [] });
  });

  const request = async () =>
    oauth.processDeviceAuthorizationResponse(
      server,
      clientOf(made),
      await oauth.deviceAuthorizationRequest(
        server,
        clientOf(made),
        oauth.None(),
        { scope: 'read:orders offline_access' },
        http,
      ),
    );

  const poll = async (code: string) => {
    const response = await oauth.deviceCodeGrantRequest(server, clientOf(made), oauth.None(), code, http);
    return { status: response.status, body: Object(await response.json()) };
  };

  /** Opens the form for codes. @returns a function that sends it. */
  const openForm = async () => {
    const browser = new Browser(app);
    const { text } = await browser.visit('/device');
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const send = (fields: object) => browser.visit('/device', new URLSearchParams({ xsrf, ...fields }));
    return { browser, send };
  };

  /** Signs in and allows, if the page continues to that. @returns the last page. */
  const decide = async (browser: Browser, page: Visit, person: Person): Promise<Visit> => {
    const signedIn = await browser.signIn(page, person);
    return scopesIn(signedIn).length > 0 ? browser.allow(signedIn) : signedIn;
  };

  const USED = 'The code was already used.';

  test.each(['oauthRecords.byUserCode', 'oauthRecords.byKey'])(
    'is confirmed by one of two people, whose reads by %s were before either change',
    async (statement) => {
      const { user_code, device_code } = await request();
      const forms = [await openForm(), await openForm()] as const;
      barrier.arm(statement);
      const confirmed = await Promise.all(forms.map(({ send }) => send({ user_code, confirm: 'yes' })));
      barrier.disarm();
      expect(confirmed.filter(({ text }) => text.includes(USED))).toHaveLength(1);
      const shown: string[] = [];
      for (const [at, person] of (['vic', 'ed'] as const).entries()) {
        const [form, page] = [forms[at], confirmed[at]];
        if (form && page) shown.push((await decide(form.browser, page, person)).text);
      }
      expect(shown.filter((text) => text.includes('Connected'))).toHaveLength(1);
      const { status, body } = await poll(device_code);
      expect(status).toBe(200);
      expect((await get('/v1/orders/1', body.access_token)).status).toBe(200);
    },
  );

  test.each(['oauthRecords.byUserCode', 'oauthRecords.byKey'])(
    'is confirmed or refused, whose reads by %s were before either change',
    async (statement) => {
      const { user_code, device_code } = await request();
      const [one, other] = [await openForm(), await openForm()];
      barrier.arm(statement);
      const [confirmed, refused] = await Promise.all([
        one.send({ user_code, confirm: 'yes' }),
        other.send({ user_code, abort: 'yes' }),
      ]);
      barrier.disarm();
      const isRefused = refused.text.includes('The device was not connected.');
      expect([confirmed.text.includes(USED), refused.text.includes(USED)]).toEqual([isRefused, !isRefused]);
      const page = await decide(one.browser, confirmed, 'vic');
      expect(page.text.includes('Connected')).toBe(!isRefused);
      const { status, body } = await poll(device_code);
      expect([status, body.error]).toEqual(isRefused ? [400, 'access_denied'] : [200, undefined]);
    },
  );

  test('keeps the first of the decisions that a page sends at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user_code, device_code } = await request();
      const { browser, send } = await openForm();
      const page = await browser.signIn(await send({ user_code, confirm: 'yes' }), 'vic');
      const answers = await Promise.all([
        browser.allow(page),
        browser.deny(page),
        browser.allow(page),
        browser.deny(page),
      ]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const outcomes = [await poll(device_code), await poll(device_code)];
      const [first] = outcomes;
      expect([200, 400]).toContain(first?.status);
      if (first?.status === 400) expect(first.body.error).toBe('access_denied');
      expect(outcomes.map(({ status }) => status)).toEqual([first?.status, first?.status]);
    }
  });
});
