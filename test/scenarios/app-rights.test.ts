/**
 * Rights of apps: they follow the current rights of the user. Also the statements that tokens cost, and the
 * events of apps.
 */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ownGrantOf } from '../../src/auth/apps/consents.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { findClientApp } from '../../src/db/queries/apps.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { addMember } from '../support/fixtures/members.ts';
import { callTool } from '../support/mcp.ts';
import { Browser, type SignedIn } from '../support/oauth.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream } from '../support/raw-clients.ts';

const REDIRECT = 'https://ledger.example/callback';
/** From RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

interface Made {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string;
}

describeEachEngine('an app', (engine) => {
  const app = startApp(engine, { realTime: true });

  const createApp = async (part: object = {}): Promise<Made> => {
    const body = {
      name: 'Ledger',
      type: 'web',
      redirect_uris: [REDIRECT],
      scopes: ['read:orders', 'write:orders', 'read:feed'],
      ...part,
    };
    return (await app.post<Made>('/v1/apps', { as: 'ada', body })).body;
  };

  const token = async (made: Made, form: Record<string, string>) => {
    const { client_id, client_secret } = made;
    const body = new URLSearchParams({ client_id, client_secret, ...form });
    const response = await fetch(`${app.url}/oauth/token`, { method: 'POST', body });
    return { status: response.status, body: Object(await response.json()) };
  };

  const authorizationUrl = (made: Made, scope: string): URL => {
    const url = new URL(`${PUBLIC_URL}/oauth/authorize`);
    url.search = String(
      new URLSearchParams({
        client_id: made.client_id,
        redirect_uri: REDIRECT,
        response_type: 'code',
        prompt: 'consent',
        scope,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      }),
    );
    return url;
  };

  /** Returns the tokens for a user who grants all scopes; Ed by default. @param before called before the exchange of the code. */
  const consented = async (
    made: Made,
    scope: string,
    person: SignedIn | 'ed' = 'ed',
    before: () => Promise<unknown> = async () => {},
  ) => {
    const url = authorizationUrl(made, scope);
    const back = await new Browser(app).consent(url.href, person);
    await before();
    const code = back.searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER };
    return (await token(made, form)).body;
  };

  const bearer = (accessToken: string) => ({ headers: { authorization: `Bearer ${accessToken}` } });
  const place = (accessToken: string) =>
    app.post('/v1/users/2/orders', { ...bearer(accessToken), body: { items: [{ product_id: 1, qty: 1 }] } });
  const introspect = async ({ client_id, client_secret }: Made, accessToken: string) => {
    const body = new URLSearchParams({ client_id, client_secret, token: accessToken });
    const response = await fetch(`${app.url}/oauth/introspect`, { method: 'POST', body });
    expect(response.status).toBe(200);
    return Object(await response.json());
  };
  const setRole = (role: string) => app.patch('/v1/orgs/acme/users/2', { as: 'ada', body: { role } });

  describe('of a user', () => {
    test.each(['jwt', 'opaque'])(
      'has no more rights than its user after a demotion, with a %s token',
      async (token_format) => {
        const made = await createApp({ token_format });
        const tokens = await consented(made, 'offline_access read:orders write:orders');
        expect((await place(tokens.access_token)).status).toBe(201);
        await setRole('viewer');
        expectError(await place(tokens.access_token), { status: 403, code: 'insufficient_scope' });
        expect((await app.get('/v1/users/2/orders', bearer(tokens.access_token))).status).toBe(200);
        const reported = await introspect(made, tokens.access_token);
        expect(reported).toMatchObject({ active: true, role: 'viewer', sub: '2', token_type: 'Bearer' });
        expect(reported.scope.split(' ').toSorted()).toEqual(['offline_access', 'read:orders']);
        const refreshed = await token(made, {
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token,
        });
        expect(refreshed.body.scope.split(' ')).not.toContain('write:orders');
        expectError(await place(refreshed.body.access_token), { status: 403, code: 'insufficient_scope' });
        await setRole('editor');
        const again = await token(made, {
          grant_type: 'refresh_token',
          refresh_token: refreshed.body.refresh_token,
        });
        expect((await place(again.body.access_token)).status).toBe(201);
      },
    );

    /**
     * RFC 6749, section 5.2: the grant is valid, so it is not `invalid_grant`, with which a client would discard its refresh token and ask
     * the person for a consent that they cannot give. The requested scopes exceed what the person can grant now, so it is
     * `invalid_scope`; section 3.3 allows no token without a scope.
     */
    test('gets no token without scopes after a demotion, and refreshes again after a promotion', async () => {
      const made = await createApp();
      const member = await addMember(app, 'editor');
      const setMemberRole = (role: string) =>
        app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role } });
      const tokens = await consented(made, 'offline_access write:orders', member);
      const refresh = () => token(made, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
      await setMemberRole('viewer');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const refused = await refresh();
        expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
        // Longer than a used refresh token may be sent again.
        app.clock.advance(11_000);
      }
      await setMemberRole('editor');
      const { status, body } = await refresh();
      expect([status, body.scope.split(' ').toSorted()]).toEqual([200, ['offline_access', 'write:orders']]);
    });

    test('refreshes to one of its scopes only while that is left', async () => {
      const made = await createApp();
      const member = await addMember(app, 'editor');
      const tokens = await consented(made, 'offline_access read:orders write:orders', member);
      await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
      const refresh = (scope: string) =>
        token(made, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, scope });
      expect((await refresh('write:orders')).body.error).toBe('invalid_scope');
      expect((await refresh('read:orders')).body.scope).toBe('read:orders');
    });

    test('gets no token for a code if the scopes are lost before the exchange', async () => {
      const made = await createApp();
      const member = await addMember(app, 'editor');
      const demote = () =>
        app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
      expect(await consented(made, 'write:orders', member, demote)).toMatchObject({ error: 'invalid_scope' });
    });

    test('is denied access by a person who clears all scopes', async () => {
      const made = await createApp();
      const url = authorizationUrl(made, 'offline_access read:orders');
      const back = await new Browser(app).consent(url.href, 'ed', ['read:orders']);
      expect(back.searchParams.get('error')).toBe('access_denied');
    });

    test('loses access at once when the user is removed', async () => {
      const made = await createApp();
      const member = await addMember(app, 'editor');
      const tokens = await consented(made, 'offline_access read:orders', member);
      expect((await app.get('/v1/orders/1', bearer(tokens.access_token))).status).toBe(200);
      await app.delete(`/v1/orgs/acme/users/${member.id}`, { as: 'ada' });
      expectError(await app.get('/v1/orders/1', bearer(tokens.access_token)), {
        status: 401,
        code: 'invalid_token',
      });
      const refreshed = await token(made, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    });
  });

  describe.each(['jwt', 'opaque'])('whose scopes are narrowed', (token_format) => {
    const authorize = async (by: string, made: Made) => {
      const scope = 'read:orders write:orders';
      if (by === 'of a person') return (await consented(made, scope)).access_token;
      return (await token(made, { grant_type: 'client_credentials', scope })).body.access_token;
    };

    test.each(['of a person', 'of its own'])(
      `has less rights with a ${token_format} token %s`,
      async (by) => {
        const made = await createApp({ token_format });
        const accessToken = await authorize(by, made);
        expect((await place(accessToken)).status).toBe(201);
        const narrow = { as: 'ada', body: { scopes: ['read:orders', 'write:docs'] } } as const;
        expect((await app.patch(`/v1/apps/${made.id}`, narrow)).status).toBe(200);
        await expect.poll(async () => (await place(accessToken)).status).toBe(403);
        expectError(await place(accessToken), { status: 403, code: 'insufficient_scope' });
        expect((await app.get('/v1/users/2/orders', bearer(accessToken))).status).toBe(200);
        expect((await introspect(made, accessToken)).scope).toBe('read:orders');
      },
    );
  });

  describe.each(['jwt', 'opaque'])('whose scopes are widened', (token_format) => {
    test.each([
      ['all scopes', {}],
      ['the new scope as well', { scope: 'read:orders read:docs' }],
    ])(
      `has the new scope with a new ${token_format} token only, if both requests are for %s`,
      async (_which, asked) => {
        const service = { type: 'service', redirect_uris: [], scopes: ['read:orders'], token_format };
        const made = await createApp(service);
        const authorize = async () =>
          (await token(made, { grant_type: 'client_credentials', ...asked })).body;
        const read = async (accessToken: string) =>
          (await app.get('/v1/orgs/acme/docs', bearer(accessToken))).status;
        const former = await authorize();
        expect([former.scope, await read(former.access_token)]).toEqual(['read:orders', 403]);
        const widen = { as: 'ada', body: { scopes: ['read:orders', 'read:docs'] } } as const;
        expect((await app.patch(`/v1/apps/${made.id}`, widen)).status).toBe(200);
        const next = await authorize();
        expect(next.scope.split(' ').toSorted()).toEqual(['read:docs', 'read:orders']);
        expect(await read(next.access_token)).toBe(200);
        app.clock.advance(LIMITS.opaqueTokenAge);
        expect(await read(former.access_token)).toBe(403);
        expect((await introspect(made, former.access_token)).scope).toBe('read:orders');
      },
    );
  });

  test('gets a grant of its own only with a secret that is valid when the grant begins, on another instance too', async () => {
    const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'] });
    const rotate = () => app.post(`/v1/apps/${made.id}/secrets`, { as: 'ada' });
    await rotate();
    const of = `from app_secrets where app_id = ${made.id}`;
    const [former, present] = (await engine.place.query(`select id ${of} order by id`)).map(({ id }) =>
      Number(id),
    );
    const row = await findClientApp(engine.database, { id: made.id });
    if (!row || former === undefined || present === undefined) throw new Error('The app has two secrets.');
    // The request has authenticated with the former secret, and continues after the rotation.
    expect((await rotate()).status).toBe(201);
    const grantWith = (secretId: number) =>
      ownGrantOf({ database: engine.database, clock: app.clock }, row, 'acme', secretId);
    expect(await grantWith(former)).toBeUndefined();
    expect(await grantWith(present)).toMatchObject({ org: 'acme', scopes: ['read:orders'] });
    expect((await app.delete(`/v1/apps/${made.id}`, { as: 'ada' })).status).toBe(204);
    expect(await grantWith(present)).toBeUndefined();
  });

  test.each(['jwt', 'opaque'])('whose role rises has it with a new %s token only', async (token_format) => {
    const made = await createApp({
      type: 'service',
      redirect_uris: [],
      scopes: ['read:users'],
      token_format,
    });
    const authorize = async () => (await token(made, { grant_type: 'client_credentials' })).body.access_token;
    const former = await authorize();
    const widen = { as: 'ada', body: { scopes: ['read:users', 'write:users'] } } as const;
    expect((await app.patch(`/v1/apps/${made.id}`, widen)).status).toBe(200);
    app.clock.advance(LIMITS.opaqueTokenAge);
    const roles = [await introspect(made, former), await introspect(made, await authorize())];
    expect(roles.map(({ role }) => role)).toEqual(['viewer', 'admin']);
  });

  test('its stream ends when the app loses the scope', async () => {
    const made = await createApp({});
    const { access_token: accessToken } = await consented(made, 'read:feed read:orders write:orders');
    const stream = await openEventStream(`${app.url}/feed`, accessToken);
    const narrow = { as: 'ada', body: { scopes: ['read:orders', 'write:orders'] } } as const;
    expect((await app.patch(`/v1/apps/${made.id}`, narrow)).status).toBe(200);
    // Rights are checked with each event.
    const ended = async () => (await place(accessToken)).status === 201 && stream.ended;
    await waitUntil(ended, 'the stream to end', undefined, 100);
  });

  test.each(['jwt', 'opaque'])(
    'introspects all scopes of its own %s token, until it is uninstalled',
    async (token_format) => {
      const made = await createApp({ token_format });
      const { body } = await token(made, { grant_type: 'client_credentials' });
      const reported = await introspect(made, body.access_token);
      expect(reported).toMatchObject({
        active: true,
        client_id: made.client_id,
        org: 'acme',
        role: 'editor',
      });
      expect(reported.scope).toBe('read:orders read:feed write:orders');
      const list = await app.get<{ data: { id: number; client_id: string }[] }>(
        '/v1/installations?limit=100',
        { as: 'ada' },
      );
      const installed = list.body.data.find(({ client_id }) => client_id === made.client_id);
      expect((await app.delete(`/v1/installations/${installed?.id}`, { as: 'ada' })).status).toBe(204);
      expect(await introspect(made, body.access_token)).toEqual({ active: false });
    },
  );

  test.each(['jwt', 'opaque'])('identifies no person with its own %s token', async (token_format) => {
    const made = await createApp({ token_format });
    const { body } = await token(made, {
      grant_type: 'client_credentials',
      scope: 'openid email read:orders',
    });
    expect(body.scope).toBe('read:orders');
    expect((await introspect(made, body.access_token)).scope).toBe('read:orders');
    expectError(await app.get('/oauth/userinfo', bearer(body.access_token)), {
      status: 403,
      code: 'insufficient_scope',
    });
  });

  test('with an opaque token runs no more statements than with a JWT while the token is cached', async () => {
    const readerWith = async (token_format: string) => {
      const made = await createApp({ token_format, type: 'service', redirect_uris: [] });
      const { body } = await token(made, { grant_type: 'client_credentials' });
      return async () => {
        for (const _use of ['first', 'next']) {
          expect((await app.get('/v1/orders/1', bearer(body.access_token))).status).toBe(200);
        }
        return [...app.statements];
      };
    };
    const [jwt, opaque] = [await readerWith('jwt'), await readerWith('opaque')];
    // A token is cached for a second, which may pass between two requests on a busy machine.
    await vi.waitFor(async () => expect(await opaque()).toEqual(await jwt()), { timeout: 60_000 });
  });

  test('has its events in the feed', async () => {
    const made = await createApp();
    await consented(made, 'read:orders');
    type Grants = { data: { id: number; client_id: string }[] };
    const { body: grants } = await app.get<Grants>('/v1/grants', { as: 'ed' });
    const grant = grants.data.find(({ client_id }) => client_id === made.client_id);
    await app.delete(`/v1/grants/${grant?.id}`, { as: 'ed' });
    await app.delete(`/v1/apps/${made.id}`, { as: 'ada' });
    const expected = ['app.installed', 'app.uninstalled', 'grant.created', 'grant.revoked'];
    type Page = { data: { type: string; data: { client_id?: string } }[] };
    const { body: feed } = await app.get<Page>('/feed?limit=100', { as: 'ada' });
    const own = feed.data.filter(({ data }) => data.client_id === made.client_id).map(({ type }) => type);
    expect(own.toSorted()).toEqual(expected);
  });

  describe('discovers where to get a token', () => {
    const METADATA = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"`;
    let narrow: string;

    beforeAll(async () => {
      const made = await createApp({ type: 'service', redirect_uris: [] });
      narrow = (await token(made, { grant_type: 'client_credentials', scope: 'read:orders' })).body
        .access_token;
    });

    test.each([
      ['REST', () => app.get('/v1/orders/1')],
      ['a stream', () => app.get('/feed', { headers: { accept: 'text/event-stream' } })],
      ['REST, with a bad token', () => app.get('/v1/orders/1', bearer('none'))],
      ['GraphQL, with a bad token', () => app.graphql('{ order(id: 1) { id } }', {}, bearer('none'))],
      ['userinfo', () => app.get('/oauth/userinfo')],
    ])('from a 401 of %s', async (_door, ask) => {
      const response = await ask();
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain(METADATA);
    });

    test.each([
      [
        'REST',
        () => app.post('/v1/users/2/orders', { ...bearer(narrow), body: { items: [] } }),
        'write:orders',
      ],
      [
        'a stream',
        () => app.get('/feed', { headers: { ...bearer(narrow).headers, accept: 'text/event-stream' } }),
        'read:feed',
      ],
      [
        'an agent, with those that it has',
        () => callTool(app, 'create_order', { user_id: 2, items: [] }, bearer(narrow)),
        'read:orders write:orders',
      ],
    ])('and which scope it lacks, from a 403 of %s', async (_door, ask, scope) => {
      const response = await ask();
      expect(response.status).toBe(403);
      const challenge = response.headers.get('www-authenticate');
      expect(challenge).toContain(`error="insufficient_scope", scope="${scope}"`);
    });

    test.each([
      // RFC 8414, section 2.
      [
        'oauth-authorization-server',
        [
          'issuer',
          'authorization_endpoint',
          'token_endpoint',
          'response_types_supported',
          'jwks_uri',
          'scopes_supported',
          'code_challenge_methods_supported',
        ],
      ],
      // OpenID Connect Discovery 1.0, section 3.
      [
        'openid-configuration',
        [
          'issuer',
          'authorization_endpoint',
          'token_endpoint',
          'jwks_uri',
          'response_types_supported',
          'subject_types_supported',
          'id_token_signing_alg_values_supported',
          'userinfo_endpoint',
        ],
      ],
      // RFC 9728, section 2.
      [
        'oauth-protected-resource',
        ['resource', 'authorization_servers', 'scopes_supported', 'bearer_methods_supported'],
      ],
    ])('from /.well-known/%s', async (name, members) => {
      const { status, body } = await app.get<Record<string, unknown>>(`/.well-known/${name}`);
      expect(status).toBe(200);
      for (const member of members) expect(body, member).toHaveProperty(member);
      for (const [member, value] of Object.entries(body)) {
        if (/_endpoint$|_uri$|^issuer$|^resource$/.test(member))
          expect(String(value).startsWith(PUBLIC_URL), member).toBe(true);
      }
    });
  });
});
