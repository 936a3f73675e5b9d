/** Apps, their installations and their grants, as administrators manage them. */
import { describe, expect, test } from 'vitest';
import { accessOf } from '../../src/graphql/directives/auth.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { ROUTE_CALLS } from '../access/shared/rules.ts';
import { distinctRoutes, routeName } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody, Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addForeignApp, addGrant } from '../support/fixtures/rows.ts';
import { addWebhook } from '../support/fixtures/webhooks.ts';
import { Browser, oauthClient } from '../support/oauth.ts';

interface AppBody {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string | null;
}

interface InstallationBody {
  readonly id: number;
  readonly client_id: string;
  readonly member_id: number;
}

const WEB = {
  name: 'Ledger Sync',
  type: 'web',
  redirect_uris: ['https://ledger.example/callback', 'http://127.0.0.1:3000/callback'],
  scopes: ['write:orders', 'read:orders'],
  homepage_url: 'https://ledger.example',
};

describeEachEngine('apps', (engine) => {
  const app = startApp(engine);
  const { authorization } = oauthClient(app);
  const fixtures = createFixtures(app, engine);

  const create = async (body: object) => {
    const response = await app.post<AppBody>('/v1/apps', { as: 'ada', body });
    expect(response.status, response.text).toBe(201);
    return response;
  };
  const eventsOf = async (as: 'ada' | 'gil', type: string) =>
    (await app.get<{ data: { data: object; actor_id: number }[] }>(`/feed?type=${type}`, { as })).body.data;

  test('are not kept out by a person with the address of their member, through any route', async () => {
    const made = await create(WEB);
    const email = `App_${Number(made.body.client_id.slice('app_'.length)) + 1}.acme@apps.invalid`;
    const refusing: string[] = [];
    for (const route of distinctRoutes.filter(({ hasBody }) => hasBody)) {
      const call = await ROUTE_CALLS[routeName(route)]?.(fixtures);
      const body = Object(call?.body);
      if (!('email' in body) || accessOf(route.root.field) === 'public') continue;
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(call?.params?.[name]));
      const sent = {
        as: 'ada',
        body: { ...body, email },
        ...(call?.headers && { headers: call.headers }),
      } as const;
      const refused = await app.request(route.method, path, sent);
      expectError(refused, { status: 422, code: 'validation_failed', paths: ['email'] });
      refusing.push(route.document.name);
    }
    expect(refusing.toSorted()).toEqual(['CreateInvitation', 'CreateMember']);
    await create({ ...WEB, name: 'Next' });
  });

  test('are created with a secret that is shown once, and installed in their organisation', async () => {
    const made = await create(WEB);
    const { id, client_id, client_secret } = made.body;
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(client_secret).toMatch(/^pas_[\w-]{43}$/);
    expect(made.body).toMatchObject({ name: 'Ledger Sync', scopes: ['read:orders', 'write:orders'] });
    const read = await app.get(`/v1/apps/${id}`, { as: 'ada' });
    expect(read.body).toMatchObject({ id, client_id, token_format: 'jwt', redirect_uris: WEB.redirect_uris });
    expect(read.text).not.toContain(client_secret);
    expect(JSON.stringify(await engine.place.query('select * from app_secrets'))).not.toContain(
      client_secret,
    );

    const { data } = (await app.get<{ data: InstallationBody[] }>('/v1/installations', { as: 'ada' })).body;
    const installed = data.find((each) => each.client_id === client_id);
    expect(installed).toMatchObject({
      role: 'editor',
      publisher: 'acme',
      scopes: ['read:orders', 'write:orders'],
    });
    expect(await eventsOf('ada', 'app.installed')).toContainEqual(
      expect.objectContaining({
        actor_id: 1,
        data: { name: 'Ledger Sync', client_id, role: 'editor', scopes: ['read:orders', 'write:orders'] },
      }),
    );
  });

  test('for devices, with public keys or with a certificate have no secret', async () => {
    const native = await create({ ...WEB, type: 'native', redirect_uris: ['com.example.app:/back'] });
    expect(native.body.client_secret).toBeNull();
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'one' }] };
    const keyed = await create({ name: 'Keyed', type: 'service', scopes: ['read:orders'], jwks });
    expect(keyed.body.client_secret).toBeNull();
    const certificate = { san_dns: 'sync.ledger.example' };
    const named = await create({ name: 'Named', type: 'service', scopes: ['read:orders'], certificate });
    expect(named.body.client_secret).toBeNull();
    const secret = await app.post<ErrorBody>(`/v1/apps/${named.body.id}/secrets`, { as: 'ada' });
    expectError(secret, { status: 409, code: 'conflict' });
  });

  describe('are refused', () => {
    test.each([
      [{ redirect_uris: ['http://ledger.example/callback'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['https://ledger.example/#part'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['https://user@ledger.example/'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['com.example.app:/back'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['javascript:alert(1)'], type: 'native' }, 'redirect_uris.0'],
      [{ redirect_uris: ['/relative'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['https://*/callback'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['https://ledger.example;sandbox/'] }, 'redirect_uris.0'],
      [{ redirect_uris: ['https://ledger.example,other/'], type: 'native' }, 'redirect_uris.0'],
      [{ redirect_uris: [] }, 'redirect_uris'],
      [{ type: 'service' }, 'redirect_uris'],
      [{ post_logout_redirect_uris: ['http://ledger.example/'] }, 'post_logout_redirect_uris.0'],
      [{ post_logout_redirect_uris: ['javascript:alert(1)'], type: 'native' }, 'post_logout_redirect_uris.0'],
      [
        { redirect_uris: [], post_logout_redirect_uris: ['https://ledger.example/'], type: 'service' },
        'post_logout_redirect_uris',
      ],
      [{ scopes: ['read:everything'] }, 'scopes.0'],
      [{ scopes: [] }, 'scopes'],
      [{ homepage_url: 'javascript:alert(1)' }, 'homepage_url'],
      [{ jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, 'jwks.keys.0'],
      [{ jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'short' }] } }, 'jwks.keys.0'],
      [{ certificate: { san_uri: 'urn:a', san_dns: 'b' } }, 'certificate'],
    ])('with %j', async (part, path) => {
      const response = await app.post<ErrorBody>('/v1/apps', { as: 'ada', body: { ...WEB, ...part } });
      expect([response.status, response.body.error.code]).toEqual([422, 'validation_failed']);
      expect(response.body.error.details?.map((each) => each.path)).toContain(path);
    });
  });

  test.each(['redirect_uris', 'post_logout_redirect_uris'])(
    'keep each of the %s once, when they are created and changed',
    async (member) => {
      const [first = '', second = ''] = WEB.redirect_uris;
      const repeated = { [member]: [first, second, first] };
      const once = { [member]: [first, second] };
      const { body: made } = await create({ ...WEB, ...repeated });
      expect(made).toMatchObject(once);
      const { id } = made;
      const change = () => app.patch(`/v1/apps/${id}`, { as: 'ada', body: repeated });
      expect((await writesNothing(app, change)).body).toMatchObject(once);
    },
  );

  test('give no access beyond the scopes of the credentials that change them', async () => {
    const { id } = (await create(WEB)).body;
    const path = `/v1/apps/${id}`;
    const narrow = await app.signIn('ada', ['manage:apps', 'read:orders']);
    const equal = await app.signIn('ada', ['manage:apps', 'read:orders', 'write:orders']);
    const takeover = { redirect_uris: ['https://other.example/callback'] };
    await writesNothing(app, async () => {
      for (const refused of [
        await app.post<ErrorBody>(`${path}/secrets`, { as: narrow }),
        await app.patch<ErrorBody>(path, { as: narrow, body: takeover }),
      ]) {
        expectError(refused, { status: 403, code: 'insufficient_scope' });
        expect(refused.headers.get('www-authenticate')).toContain('scope="write:orders"');
      }
    });
    const [kept, removed] = WEB.redirect_uris;
    for (const redirect_uris of [undefined, WEB.redirect_uris, [removed, kept], [kept]]) {
      const body = { name: 'Ledger', redirect_uris };
      expect((await app.patch(path, { as: narrow, body })).status).toBe(200);
    }
    const restored = { redirect_uris: WEB.redirect_uris };
    expect((await app.patch(path, { as: narrow, body: restored })).status).toBe(403);
    expect((await app.post(`${path}/secrets`, { as: equal })).status).toBe(201);
    expect((await app.patch(path, { as: equal, body: takeover })).status).toBe(200);
  });

  test('keep a homepage from before a rule, which may be sent again', async () => {
    const { id } = (await create(WEB)).body;
    const homepage_url = 'https:/ledger.example/about';
    await engine.place.query(`update apps set homepage_url = '${homepage_url}' where id = ${id}`);
    const body = { name: 'Kept', homepage_url };
    expect((await app.patch(`/v1/apps/${id}`, { as: 'ada', body })).body).toMatchObject(body);
    const other = { homepage_url: `${homepage_url}/2` };
    const refused = await app.patch<ErrorBody>(`/v1/apps/${id}`, { as: 'ada', body: other });
    expectError(refused, { status: 422, code: 'validation_failed', paths: ['homepage_url'] });
  });

  test.each(['https://ledger.example;sandbox/', 'https://ledger.example,other/', 'https://*/callback'])(
    'keep the redirect URI %s from before a rule, of which the policy of pages has only the scheme',
    async (stored) => {
      const { body: made } = await create(WEB);
      const path = `/v1/apps/${made.id}`;
      const uris = JSON.stringify([stored]);
      await engine.place.query(`update apps set redirect_uris = '${uris}' where id = ${made.id}`);
      const added = 'https://ledger.example/other';
      for (const redirect_uris of [undefined, [stored], [stored, added]]) {
        const { status, text } = await app.patch(path, { as: 'ada', body: { name: 'Kept', redirect_uris } });
        expect(status, text).toBe(200);
      }
      const policyFor = async (redirect_uri: string) => {
        const { url } = await authorization({ ...made, client_secret: '' }, { redirect_uri });
        const { status, headers, text } = await new Browser(app).visit(url.href);
        expect([status, text]).toEqual([200, expect.stringContaining('name="password"')]);
        return headers.get('content-security-policy');
      };
      const policy = await policyFor(added);
      expect(policy).toContain("form-action 'self' https:;");
      expect(await policyFor(stored)).toBe(policy);
      await app.patch(path, { as: 'ada', body: { redirect_uris: [added] } });
      const again = await app.patch<ErrorBody>(path, { as: 'ada', body: { redirect_uris: [added, stored] } });
      expectError(again, { status: 422, code: 'validation_failed', paths: ['redirect_uris.1'] });
    },
  );

  test('are updated together with their installation in their own organisation', async () => {
    const { id, client_id } = (await create(WEB)).body;
    const tag = (await app.get(`/v1/apps/${id}`, { as: 'ada' })).headers.get('etag');
    const body = { scopes: ['read:orders'], redirect_uris: ['https://ledger.example/other'] };
    const headers = { 'if-match': String(tag) };
    const changed = await app.patch(`/v1/apps/${id}`, { as: 'ada', body, headers });
    expect(changed.body).toMatchObject(body);
    const stale = await app.patch<ErrorBody>(`/v1/apps/${id}`, { as: 'ada', body, headers });
    expectError(stale, { status: 412, code: 'precondition_failed' });
    const { data } = (await app.get<{ data: InstallationBody[] }>('/v1/installations', { as: 'ada' })).body;
    expect(data.find((each) => each.client_id === client_id)).toMatchObject({
      scopes: ['read:orders'],
      role: 'viewer',
    });
  });

  test('have at most two secrets', async () => {
    const { id } = (await create(WEB)).body;
    for (let round = 0; round < 3; round += 1) {
      const rotated = await app.post<AppBody>(`/v1/apps/${id}/secrets`, { as: 'ada' });
      expect([rotated.status, rotated.body.client_secret]).toEqual([201, expect.stringMatching(/^pas_/)]);
    }
    const good = `select id from app_secrets where app_id = ${id} and revoked_at is null`;
    expect(await engine.place.query(good)).toHaveLength(2);
  });

  test('of other organisations are installed by an administrator, with a service member', async () => {
    const clientId = await addForeignApp(engine);
    const body = { client_id: clientId, scopes: ['read:orders'], role: 'viewer' };
    const unknown = { ...body, client_id: 'app_999999' };
    expect((await app.post('/v1/installations', { as: 'ada', body: unknown })).status).toBe(404);
    const tooMuch = { ...body, scopes: ['read:users'] };
    const refused = await app.post<ErrorBody>('/v1/installations', { as: 'ada', body: tooMuch });
    expect(refused.body.error.details).toEqual([
      { path: 'scopes.0', message: 'is not among the scopes of the app' },
    ]);
    const made = await app.post<InstallationBody>('/v1/installations', { as: 'ada', body });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ publisher: 'initech' })]);
    const again = await app.post<ErrorBody>('/v1/installations', { as: 'ada', body });
    expectError(again, { status: 409, code: 'conflict' });

    const member = made.body.member_id;
    const kind = await app.graphql(
      'query ($id: ID!) { user(id: $id) { kind name } }',
      { id: member },
      { as: 'ada' },
    );
    expect(kind.body.data).toEqual({ user: { kind: 'app', name: 'Foreign' } });
    const people = await app.get('/v1/orgs/acme/users?limit=100', { as: 'ada' });
    expect(people.text).not.toContain('Foreign');
    for (const act of [
      () => app.patch<ErrorBody>(`/v1/orgs/acme/users/${member}`, { as: 'ada', body: { role: 'admin' } }),
      () => app.delete<ErrorBody>(`/v1/orgs/acme/users/${member}`, { as: 'ada' }),
      () => app.patch<ErrorBody>(`/v1/users/${member}`, { as: 'ada', body: { name: 'Ada' } }),
    ]) {
      const response = await act();
      expectError(response, { status: 409, code: 'conflict' });
      expect(response.body.error.message).toContain('Uninstall');
    }

    for (let round = 0; round < 2; round += 1) {
      expect((await app.delete(`/v1/installations/${made.body.id}`, { as: 'ada' })).status).toBe(204);
    }
    expect((await app.get(`/v1/installations/${made.body.id}`, { as: 'ada' })).status).toBe(404);
    const gone = await eventsOf('ada', 'app.uninstalled');
    expect(gone).toEqual([
      expect.objectContaining({ data: { name: 'Foreign', client_id: clientId, reason: 'uninstalled' } }),
    ]);
    expect((await app.post('/v1/installations', { as: 'ada', body })).status).toBe(201);
  });

  test('are uninstalled everywhere when deleted', async () => {
    const { id, client_id } = (await create(WEB)).body;
    const body = { client_id, scopes: ['read:orders'], role: 'viewer' };
    const there = await app.post<InstallationBody>('/v1/installations', { as: 'gil', body });
    expect(there.status).toBe(201);
    const grant = await addGrant(engine, id);
    for (let round = 0; round < 2; round += 1) {
      expect((await app.delete(`/v1/apps/${id}`, { as: 'ada' })).status).toBe(204);
    }
    expect((await app.get(`/v1/installations/${there.body.id}`, { as: 'gil' })).status).toBe(404);
    const [event] = await eventsOf('gil', 'app.uninstalled');
    expect(event).toMatchObject({ actor_id: null, data: { client_id, reason: 'app_deleted' } });
    const [row] = await engine.place.query(`select revoked_reason from grants where id = ${grant}`);
    expect(row).toEqual({ revoked_reason: 'app_deleted' });
    expect((await app.post('/v1/installations', { as: 'gil', body })).status).toBe(404);
  });

  describe('whose messages must not outlive their grants:', () => {
    const scopes = ['manage:webhooks', 'read:feed', 'read:orders'];
    const tokenOf = async ({ client_id, client_secret }: AppBody) => {
      const form = { grant_type: 'client_credentials', client_id, client_secret: client_secret ?? '' };
      const response = await fetch(`${app.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return { token: Object(await response.json()).access_token as string };
    };
    const uninstall = async ({ client_id }: AppBody) => {
      const { data } = (
        await app.get<{ data: InstallationBody[] }>('/v1/installations?limit=100', { as: 'ada' })
      ).body;
      return app.delete(`/v1/installations/${data.find((each) => each.client_id === client_id)?.id}`, {
        as: 'ada',
      });
    };
    const types = ['order.created'];
    const redirect = (as: Sender, id: number, url: string) =>
      app.patch(`/v1/webhooks/${id}`, { as, body: { url } });

    test.each([
      ['uninstalled', uninstall],
      ['deleted', (made: AppBody) => app.delete(`/v1/apps/${made.id}`, { as: 'ada' })],
    ])('with an app that is %s, the webhooks are deleted that it gave their URL', async (_title, end) => {
      const made = (await create({ name: 'Hooks', type: 'service', scopes })).body;
      const as = await tokenOf(made);
      const own = await addWebhook(app, { as, types });
      const redirected = await addWebhook(app, { types });
      await redirect(as, redirected.id, 'https://hooks.example.com/app');
      const ofOthers = await addWebhook(app, { types });
      await app.patch(`/v1/webhooks/${ofOthers.id}`, { as, body: { enabled: false } });
      const takenOver = await addWebhook(app, { as, types });
      await redirect('ada', takenOver.id, 'https://hooks.example.com/ada');
      const first = (await app.events()).length;

      expect((await end(made)).status).toBe(204);
      const found: number[] = [];
      for (const { id } of [own, redirected, ofOthers, takenOver]) {
        if ((await app.get(`/v1/webhooks/${id}`, { as: 'ada' })).status === 200) found.push(id);
      }
      expect(found).toEqual([ofOthers.id, takenOver.id]);
      const events = (await app.events()).slice(first).map(({ type, subjectId }) => [type, subjectId]);
      expect(events).toEqual([
        ['webhook.deleted', own.id],
        ['webhook.deleted', redirected.id],
        ['app.uninstalled', made.id],
      ]);
      const kept = await engine.place.query(`select url, secret from webhooks where id = ${own.id}`);
      expect(kept).toEqual([{ url: '', secret: '' }]);
    });
  });

  test("are listed with their grants: a user's own, and all of them for administrators", async () => {
    const { id, client_id } = (await create(WEB)).body;
    const grant = await addGrant(engine, id);
    const shown = {
      id: grant,
      client_id,
      app_name: 'Ledger Sync',
      user_id: 1,
      scopes: WEB.scopes.toSorted(),
    };
    const own = await app.get<{ data: unknown[] }>('/v1/grants', { as: 'ada' });
    expect(own.body.data).toEqual([expect.objectContaining(shown)]);
    const read = () => app.get(`/v1/grants/${grant}`, { as: 'ada' });
    expect((await read()).body).toEqual(own.body.data[0]);
    expect((await app.get<{ data: unknown[] }>('/v1/grants', { as: 'ed' })).body.data).toEqual([]);
    expectError(await app.get<ErrorBody>('/v1/grants?all=true', { as: 'ed' }), {
      status: 403,
      code: 'insufficient_role',
    });
    expectError(
      await app.get<ErrorBody>('/v1/grants?all=true', { as: await app.signIn('ada', ['read:users']) }),
      {
        status: 403,
        code: 'insufficient_scope',
      },
    );
    expect((await app.get<{ data: unknown[] }>('/v1/grants?all=true', { as: 'ada' })).body.data).toHaveLength(
      1,
    );
    for (let round = 0; round < 2; round += 1) {
      expect((await app.delete(`/v1/grants/${grant}`, { as: 'ada' })).status).toBe(204);
    }
    expectError(await read(), { status: 404, code: 'not_found' });
    expect((await app.get<{ data: unknown[] }>('/v1/grants?all=true', { as: 'ada' })).body.data).toEqual([]);
    expect(await eventsOf('ada', 'grant.revoked')).toEqual([
      expect.objectContaining({ data: { client_id, user_id: 1, reason: 'revoked' } }),
    ]);
    expect((await app.delete('/v1/grants/999999', { as: 'ada' })).status).toBe(404);
  });
});
