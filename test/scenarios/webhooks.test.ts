/** Creating and managing webhooks. For deliveries, see `webhook-delivery.test.ts`. */
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addDelivery, addWebhook } from '../support/fixtures/webhooks.ts';

const PUBLIC = '93.184.215.14';

/** Names of the tests and their addresses; all others are public. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'private.example.com': ['10.0.0.1'],
  'cloud.example.com': ['169.254.169.254'],
  'both.example.com': [PUBLIC, '127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
};
const resolve = async (name: string) => NAMES[name] ?? [PUBLIC];

const BAD_URLS = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://0x7f000001/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://10.0.0.1/',
  'file:///etc/passwd',
  'https://user:pass@example.com/',
  'https://localhost:8443/',
  'https://private.example.com/',
  'https://cloud.example.com/',
  'https://both.example.com/',
  'https://mapped.example.com/',
  'hooks',
];

describeEachEngine('webhooks', (engine) => {
  const app = startApp(engine, { webhooks: { resolve } });

  beforeEach(async () => {
    const { body } = await app.get<{ data: { id: number }[] }>('/v1/webhooks?limit=100', { as: 'ada' });
    for (const { id } of body.data) await app.delete(`/v1/webhooks/${id}`, { as: 'ada' });
  });

  test('the secret is only in the response to the creation, which is not cached', async () => {
    const body = { url: 'https://Example.com/in?a=1', types: ['order.*', 'order.*', '*'] };
    const made = await app.post<{ id: number; secret: string }>('/v1/webhooks', { as: 'ada', body });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(Number),
      url: 'https://Example.com/in?a=1',
      types: ['order.*', '*'],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.headers.get('location')).toBe(`/v1/webhooks/${made.body.id}`);
    const read = await app.get(`/v1/webhooks/${made.body.id}`, { as: 'ada' });
    expect(read.body).toMatchObject({ enabled: true, disabled_reason: null, former_secret_until: null });
    const list = await app.get('/v1/webhooks', { as: 'ada' });
    const events = JSON.stringify(await app.events());
    for (const text of [read.text, list.text, events, app.log.join()]) {
      expect(text).not.toContain(made.body.secret);
    }
    // A URL may contain a secret, and every member may read the log.
    expect(events).not.toContain('/in?a=1');
    expect((await app.events()).at(-1)).toMatchObject({
      type: 'webhook.created',
      subjectId: made.body.id,
      data: { host: 'example.com', types: ['order.*', '*'], enabled: true },
    });
  });

  test.each(BAD_URLS)('%s is refused as a target, at creation and later', async (url) => {
    const { id } = await addWebhook(app);
    await writesNothing(app, async () => {
      const made = await app.post('/v1/webhooks', { as: 'ada', body: { url, types: ['*'] } });
      expectError(made, { status: 422, code: 'validation_failed', paths: ['url'] });
      expect(made.text).not.toMatch(/10\.0\.0\.1 |169\.254\.169\.254 /);
      const changed = await app.patch(`/v1/webhooks/${id}`, { as: 'ada', body: { url } });
      expectError(changed, { status: 422, code: 'validation_failed', paths: ['url'] });
    });
  });

  test('its URL from before a rule may be sent again, beside what is changed', async () => {
    const { id } = await addWebhook(app);
    const url = 'https:/example.com/hooks';
    await engine.place.query(`update webhooks set url = '${url}' where id = ${id}`);
    const body = { url, types: ['order.created'] };
    const changed = await app.patch(`/v1/webhooks/${id}`, { as: 'ada', body });
    expect(changed.body).toMatchObject(body);
    const other = await app.patch(`/v1/webhooks/${id}`, { as: 'ada', body: { url: `${url}/2` } });
    expectError(other, { status: 422, code: 'validation_failed', paths: ['url'] });
  });

  test('its URL in another form sends no messages elsewhere, so it requires no right to read them', async () => {
    const { id } = await addWebhook(app, { url: 'https://example.com/hooks' });
    const as = await app.signIn('ada', ['manage:webhooks']);
    const change = (url: string) => app.patch(`/v1/webhooks/${id}`, { as, body: { url } });
    const url = 'https://Example.com:443/hooks';
    expect((await change(url)).body).toMatchObject({ url });
    expectError(await change(`${url}/2`), { status: 403, code: 'insufficient_scope' });
  });

  test.each([
    [
      ['order', '*.created'],
      ['types.0', 'types.1'],
    ],
  ])('%j is refused as types', async (types, paths) => {
    const body = { url: 'https://example.com/', types };
    const response = await app.post('/v1/webhooks', { as: 'ada', body });
    expectError(response, { status: 422, code: 'validation_failed', paths });
  });

  test('an organisation has a limited number', async () => {
    for (let made = 0; made < LIMITS.webhooks; made += 1) await addWebhook(app);
    const body = { url: 'https://example.com/', types: ['*'] };
    expectError(await app.post('/v1/webhooks', { as: 'ada', body }), { status: 409, code: 'conflict' });
    expect((await app.post('/v1/webhooks', { as: 'gil', body })).status).toBe(201);
  });

  test('it is changed with If-Match, and an empty change creates no new version', async () => {
    const { id } = await addWebhook(app);
    const path = `/v1/webhooks/${id}`;
    const etag = (await app.get(path, { as: 'ada' })).headers.get('etag') ?? '';
    const headers = { 'if-match': etag };
    const changed = await app.patch(path, { as: 'ada', headers, body: { enabled: false } });
    expect(changed.body).toMatchObject({ enabled: false, disabled_reason: 'by_hand' });
    const stale = await app.patch(path, { as: 'ada', headers, body: { enabled: true } });
    expectError(stale, { status: 412, code: 'precondition_failed' });
    expectError(await app.delete(path, { as: 'ada', headers }), { status: 412, code: 'precondition_failed' });
    const again = await app.patch(path, { as: 'ada', body: { enabled: false } });
    expect(again.headers.get('etag')).toBe(changed.headers.get('etag'));
    const enabled = await app.patch(path, { as: 'ada', body: { enabled: true } });
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
  });

  test('deleting a webhook removes it, and a repeat succeeds', async () => {
    const { id } = await addWebhook(app, { url: 'https://example.com/very-secret' });
    const path = `/v1/webhooks/${id}`;
    expect((await app.delete(path, { as: 'ada' })).status).toBe(204);
    await writesNothing(app, async () => {
      expect((await app.delete(path, { as: 'ada' })).status).toBe(204);
      for (const method of ['GET', 'PATCH']) {
        const body = method === 'PATCH' ? { enabled: true } : undefined;
        const response = await app.request(method, path, { as: 'ada', body });
        expectError(response, { status: 404, code: 'not_found' });
      }
      for (const end of ['/secret', '/deliveries/1/attempts']) {
        expectError(await app.post(path + end, { as: 'ada' }), { status: 404, code: 'not_found' });
      }
    });
    const rows = await engine.place.query(`select url, secret, former_secret from webhooks where id = ${id}`);
    expect(rows).toEqual([{ url: '', secret: '', former_secret: null }]);
  });

  describe('sending again', () => {
    test('requires an enabled webhook and one of its own deliveries', async () => {
      const one = await addWebhook(app);
      const other = await addWebhook(app);
      const delivery = await addDelivery(engine, one.id);
      const path = (webhook: number, id: number) => `/v1/webhooks/${webhook}/deliveries/${id}/attempts`;
      await writesNothing(app, async () => {
        const refused = { status: 404, code: 'not_found' };
        expectError(await app.post(path(other.id, delivery), { as: 'ada' }), refused);
        expectError(await app.post(path(one.id, 9_999_999), { as: 'ada' }), refused);
        expectError(await app.get(`/v1/webhooks/${other.id}/deliveries/${delivery}`, { as: 'ada' }), refused);
        expectError(await app.get(`/v1/webhooks/9999999/deliveries/${delivery}`, { as: 'ada' }), refused);
      });
      const sent = await app.post(path(one.id, delivery), { as: 'ada' });
      expect(sent.body).toMatchObject({ number: 1 });
      expect(sent.headers.get('location')).toBe(`/v1/webhooks/${one.id}/deliveries/${delivery}`);
      // It is still pending, so no new delivery is created.
      expect((await app.post(path(one.id, delivery), { as: 'ada' })).body).toMatchObject({ number: 1 });
      await app.patch(`/v1/webhooks/${one.id}`, { as: 'ada', body: { enabled: false } });
      const disabled = await app.post(path(one.id, delivery), { as: 'ada' });
      expectError(disabled, { status: 409, code: 'conflict' });
    });
  });
});
