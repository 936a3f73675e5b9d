/** How much a client without credentials can make the authorization server store. */
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PATHS } from '../../src/http/oauth/paths.ts';
import { PROVIDED } from '../../src/http/oauth/routes.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, oauthClient } from '../support/oauth.ts';

const MINUTE = 60_000;
/** A fortieth of the default budget, so that the test takes a fortieth of the time. */
const SHARE = 40;
const BUDGET = { points: 20_000 / SHARE, perSecond: 1000 / SHARE };

const posts = Object.entries(PROVIDED).flatMap(([path, methods]) => (methods.includes('POST') ? [path] : []));

describeEachEngine('the authorization server, for a client without credentials,', (engine) => {
  const app = startApp(engine, { budget: BUDGET });
  const { createApp, authorization } = oauthClient(app);
  let native: AppBody;

  beforeAll(async () => {
    native = await createApp({ type: 'native' });
  });

  const send = (path: string, form: URLSearchParams) =>
    fetch(app.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      body: form,
    });

  const requestWith = async (state: string) => (await authorization(native, { state })).url.searchParams;

  /** The records and their bytes. */
  async function stored(): Promise<{ readonly rows: number; readonly bytes: number }> {
    const sum = 'count(*) as n, coalesce(sum(length(payload) + length(key)), 0) as bytes';
    const [row] = await engine.place.query(`select ${sum} from oauth_records`);
    return { rows: Number(row?.['n']), bytes: Number(row?.['bytes']) };
  }

  test.each(posts)('refuses long bodies at %s', async (path) => {
    const form = await requestWith('x'.repeat(LIMITS.formBytes));
    const response = await send(path, form);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    // The length of a stream is not known before.
    const stream = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: new Blob([form.toString()]).stream(),
      duplex: 'half',
    });
    expect(stream.status).toBe(413);
  });

  test('refuses parameters that would be long when they are stored', async () => {
    const form = await requestWith('x'.repeat(LIMITS.oauthRecordLength));
    const before = await stored();
    const pushed = await send(PATHS.pushed_authorization_request, form);
    expect([pushed.status, await pushed.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'the parameters of the request are too long' },
    ]);
    const visited = await fetch(`${app.url}${PATHS.authorization}?${form}`, { redirect: 'manual' });
    expect(visited.headers.get('location')).toContain('error=invalid_request');
    expect(await stored()).toEqual(before);
  });

  describe.each([100, 5000])('with a state of %i characters', (length) => {
    const ways: Readonly<Record<string, (form: URLSearchParams) => Promise<Response>>> = {
      'by pushed requests': (form) => send(PATHS.pushed_authorization_request, form),
      'by requests in URLs': (form) =>
        fetch(`${app.url}${PATHS.authorization}?${form}`, { redirect: 'manual' }),
      'by one pushed request that is opened again and again': async (form) => {
        pushedUri ??= (
          (await (await send(PATHS.pushed_authorization_request, form)).json()) as { request_uri: string }
        ).request_uri;
        const query = new URLSearchParams({ client_id: native.client_id, request_uri: pushedUri });
        return fetch(`${app.url}${PATHS.authorization}?${query}`, { redirect: 'manual' });
      },
      'by device codes': (form) => send(PATHS.device_authorization, form),
    };
    let pushedUri: string | undefined;

    test.each(Object.entries(ways))('stores a few megabytes in a minute %s', async (_name, attempt) => {
      pushedUri = undefined;
      app.clock.advance(MINUTE);
      const form = await requestWith('x'.repeat(length));
      const before = await stored();
      // A full bucket, and then what it regains while the pushed request is valid: almost a minute.
      for (const wait of [0, ...Array(3).fill(MINUTE / 3 - 1)]) {
        app.clock.advance(wait);
        for (let refused = 0; refused < 3; ) {
          const response = await attempt(form);
          const text = await response.text();
          const location = response.headers.get('location') ?? '';
          if (response.status === 429 || location.includes('temporarily_unavailable')) refused += 1;
          else expect(response.status, text).toBeLessThan(400);
        }
      }
      const after = await stored();
      expect(after.rows - before.rows).toBeGreaterThan(5);
      expect(((after.bytes - before.bytes) * SHARE) / 2 ** 20).toBeLessThan(6);
    });
  });

  test('expired records are deleted in the next minute', async () => {
    await send(PATHS.device_authorization, await requestWith('short'));
    expect((await stored()).rows).toBeGreaterThan(0);
    app.clock.advance(LIMITS.deviceCodeLifetime + LIMITS.expiredCodeRetention + MINUTE);
    await app.janitor.sweep();
    expect((await stored()).rows).toBe(0);
    expect(LIMITS.purgeInterval).toBeLessThanOrEqual(MINUTE);
  });
});
