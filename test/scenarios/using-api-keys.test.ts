/** Using API keys: their scopes, their owner and the owner's current role, and what the log shows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import {
  addAdministrator,
  createKey,
  eventsSince,
  hashOf,
  secretOf,
  withKey,
} from '../support/fixtures/api-keys.ts';

describeEachEngine('API keys', (engine) => {
  const app = startApp(engine);

  describe('using a key', () => {
    let key = '';
    beforeAll(async () => {
      ({ key } = await createKey(app, { scopes: ['read:orders'] }));
    });

    test.each([
      ['GET', '/v1/users/1/orders', undefined],
      ['GET', '/v1/orders/1', undefined],
      ['GET', '/v1/products', undefined],
      ['GET', '/v1/users/1', 'read:users'],
      ['POST', '/v1/users/1/orders', 'write:orders'],
      ['DELETE', '/v1/orders/1', 'write:orders'],
      ['GET', '/v1/api-keys', 'manage:api-keys'],
      ['POST', '/v1/api-keys', 'manage:api-keys'],
    ])('with read:orders: %s %s lacks %s', async (method, path, lacks) => {
      const response = await app.request<ErrorBody>(method, path, withKey(key));
      if (lacks === undefined) return expect(response.status, response.text).toBe(200);
      expectError(response, { status: 403, code: 'insufficient_scope' });
      expect(response.body.error.message).toContain(`"${lacks}"`);
    });

    test.each([
      ['{ order(id: 1) { id items { product { name } } } }', undefined],
      ['{ products { nodes { id } } }', undefined],
      ['{ order(id: 1) { user { name } } }', 'read:users'],
      ['{ me { id } }', 'read:users'],
      ['mutation { deleteOrder(id: 1) }', 'write:orders'],
      ['{ apiKeys { nodes { id } } }', 'manage:api-keys'],
      ['mutation { createApiKey(input: {name: "x", scopes: ["read:orders"]}) { key } }', 'manage:api-keys'],
      ['mutation { revokeApiKey(id: 1) }', 'manage:api-keys'],
    ])('with read:orders: %s lacks %s', async (document, lacks) => {
      const response = await app.graphql(document, {}, withKey(key));
      expect(response.status).toBe(200);
      if (lacks === undefined) return expect(response.body.errors).toBeUndefined();
      expect(codesOf(response)).toEqual(['insufficient_scope']);
      expect(response.body.errors?.[0]?.message).toContain(`"${lacks}"`);
    });

    test('acts for the user who created it, in that organisation', async () => {
      const { key: mine } = await createKey(app, { scopes: ['read:users', 'write:orders'] });
      const me = await app.graphql('{ me { id org } }', {}, withKey(mine));
      expect(me.body).toEqual({ data: { me: { id: '1', org: 'acme' } } });
      expectError(await app.get('/v1/users/4', withKey(mine)), { status: 403, code: 'forbidden' });
      const { events } = await eventsSince(app, async () => {
        const body = { items: [{ product_id: 1, qty: 1 }] };
        expect((await app.post('/v1/users/2/orders', { ...withKey(mine), body })).status).toBe(201);
      });
      expect(events).toEqual([expect.objectContaining({ type: 'order.created', actorId: 1, org: 'acme' })]);
    });

    test.each([
      ['rename its owner', 'PATCH', '/v1/users/1', { name: 'Mallory' }],
      ['end the sessions of its owner', 'DELETE', '/v1/sessions/1', undefined],
      ['revoke the grants of its owner', 'DELETE', '/v1/grants/1', undefined],
    ])('may not %s, which requires a full sign-in', async (_, method, path, body) => {
      const { key: mine } = await createKey(app, { scopes: ['read:users', 'write:orders'] });
      const response = await app.request<ErrorBody>(method, path, { ...withKey(mine), body });
      expectError(response, { status: 403, code: 'forbidden' });
      expect(response.body.error.message).toContain('full sign-in');
    });

    test('reads the key and its owner in one statement', async () => {
      for (const spelling of ['ApiKey', 'apikey', 'APIKEY']) {
        const headers = { authorization: `${spelling} ${key}` };
        expect((await app.get('/v1/orders/1', { headers })).status).toBe(200);
        expect(app.statements.filter((name) => name !== 'apiKeys.touch')[0]).toBe('apiKeys.usable');
        expect(app.statements.filter((name) => /^(apiKeys|users)\.(?!touch)/.test(name))).toHaveLength(1);
      }
    });
  });

  test('a change of its owner’s role takes effect from the next request, both ways', async () => {
    const owner = await addAdministrator(engine, app, 'changing@acme.test');
    const scopes = ['read:orders', 'write:orders', 'write:users', 'manage:api-keys'];
    const { key } = await createKey(app, { scopes }, owner.sender);
    const body = { items: [{ product_id: 1, qty: 1 }] };
    const attempts = async () => ({
      read: (await app.get('/v1/orders/1', withKey(key))).status,
      order: (await app.post('/v1/users/1/orders', { ...withKey(key), body })).status,
      rename: (await app.patch('/v1/users/3', { ...withKey(key), body: { name: 'Vic' } })).status,
      keys: (await app.get('/v1/api-keys', withKey(key))).status,
    });
    const all = { read: 200, order: 201, rename: 200, keys: 200 };

    expect(await attempts()).toEqual(all);
    await owner.set("role = 'editor'");
    expect(await attempts()).toEqual({ ...all, rename: 403, keys: 403 });
    await owner.set("role = 'viewer'");
    expect(await attempts()).toEqual({ read: 200, order: 403, rename: 403, keys: 403 });
    const response = await app.post<ErrorBody>('/v1/users/1/orders', { ...withKey(key), body });
    expectError(response, { status: 403, code: 'insufficient_scope' });
    expect(response.body.error.message).toContain('"write:orders"');
    expectError(await app.get('/v1/api-keys', withKey(key)), { status: 403, code: 'insufficient_role' });
    await owner.set("role = 'admin'");
    expect(await attempts()).toEqual(all);
  });

  test('the log identifies callers by id, and never shows a key', async () => {
    const { id, key } = await createKey(app, { scopes: ['read:users', 'manage:api-keys'] });
    const callers = () =>
      app.log
        .map((line): { route?: string; principal?: unknown } => JSON.parse(line))
        .filter(({ route }) => route === '/v1/users/:user_id')
        .map(({ principal }) => principal);
    const before = callers().length;
    await app.get('/v1/users/1', withKey(key));
    await app.get('/v1/users/1', { as: 'vic' });
    await app.get('/v1/users/1', withKey(`${key}x`));
    await app.get('/v1/users/1');
    await expect
      .poll(() => callers().slice(before))
      .toEqual([
        { kind: 'api_key', id, org: 'acme' },
        { kind: 'user', id: 3, org: 'acme' },
        undefined,
        undefined,
      ]);

    await app.graphql('{ me { id } }', {}, withKey(key));
    await app.graphql('{ me { nothing } }', {}, withKey(key));
    await app.request('GET', `/v1/users/${key}`, withKey(key));
    await app.delete(`/v1/api-keys/${id}`, withKey(key));
    await app.get('/v1/users/1', withKey(key));
    const log = app.log.join('');
    expect(log).toContain('/v1/api-keys/:api_key_id');
    for (const secret of [secretOf(key), hashOf(key)]) {
      expect(log).not.toContain(secret);
    }
  });
});
