/** Tokens of apps: client authentication, refresh, binding and revocation. */
import { createHash } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { ACCEPT, callTool } from '../support/mcp.ts';
import { type AppBody, Browser, basic, clientOf, oauthClient } from '../support/oauth.ts';
import type { CursorPage } from '../support/response-bodies.ts';

/** The grant type of devices (RFC 8628). */
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

describeEachEngine('the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true, http: { corsOrigins: [] } });
  const { http, server, createApp, authorization, exchange, tokensFor, get } = oauthClient(app);

  /** The requests of acme for new orders that had an error. */
  const refusedOrders = async () => {
    await app.usage.write();
    const { body } = await app.get<CursorPage<{ operation: string; errors: number }>>(
      '/v1/operation-uses?limit=100',
      { as: 'ada' },
    );
    const uses = body.data.filter(({ operation }) => operation === 'CreateOrder');
    return uses.reduce((sum, { errors }) => sum + errors, 0);
  };

  test('rotates refresh tokens, returns the same successor during a grace period, and revokes the grant after that', async () => {
    const made = await createApp();
    const first = await tokensFor(made, 'ed', 'read:orders offline_access');
    const refresh = (token: string) =>
      oauth.refreshTokenGrantRequest(server, clientOf(made), basic(made), token, http);
    const process = async (token: string) =>
      oauth.processRefreshTokenResponse(server, clientOf(made), await refresh(token));
    const second = await process(first.refresh_token ?? '');
    const again = await process(first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(again.refresh_token).toBe(second.refresh_token);
    const third = await process(second.refresh_token ?? '');
    expect((await get('/v1/orders/1', third.access_token)).status).toBe(200);
    app.clock.advance(11_000);
    expect((await refresh(second.refresh_token ?? '')).status).toBe(400);
    expect((await refresh(third.refresh_token ?? '')).status).toBe(400);
    expect((await get('/v1/orders/1', third.access_token)).status).toBe(401);
  });

  test('issues tokens to apps themselves where they are installed', async () => {
    const made = await createApp({
      type: 'service',
      redirect_uris: [],
      scopes: ['read:orders', 'write:orders'],
    });
    const ask = (params: Record<string, string> | URLSearchParams = {}) =>
      oauth.clientCredentialsGrantRequest(server, clientOf(made), basic(made), params, http);
    const own = await oauth.processClientCredentialsResponse(
      server,
      clientOf(made),
      await ask({ scope: 'read:orders' }),
    );
    expect(own.scope).toBe('read:orders');
    expect((await get('/v1/orders/1', own.access_token)).status).toBe(200);
    const all = await oauth.processClientCredentialsResponse(server, clientOf(made), await ask());
    const body = { items: [{ product_id: 1, qty: 1 }] };
    const headers = { authorization: `Bearer ${all.access_token}` };
    expect((await app.post('/v1/users/2/orders', { headers, body })).status).toBe(201);
    expect((await ask({ org: 'globex' })).status).toBe(400);
    const installation = { client_id: made.client_id, scopes: ['read:orders'], role: 'viewer' };
    await app.post('/v1/installations', { as: 'gil', body: installation });
    const there = await oauth.processClientCredentialsResponse(
      server,
      clientOf(made),
      await ask({ org: 'globex' }),
    );
    expect(there.scope).toBe('read:orders');
    expect((await get('/v1/orders/1', there.access_token)).status).toBe(403);
    const ofTwo = await ask(new URLSearchParams('org=globex&org=acme'));
    expect([ofTwo.status, Object(await ofTwo.json()).error]).toEqual([400, 'invalid_request']);
  });

  test.each([PUBLIC_URL, 'https://evil.example', 'null'])(
    'issues a token to a request with the origin %s, whose page may not read the response',
    async (origin) => {
      const { client_id: id, client_secret: secret } = await createApp({
        type: 'service',
        redirect_uris: [],
      });
      const response = await fetch(`${app.url}/oauth/token`, {
        method: 'POST',
        headers: { origin, authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      expect(await response.json()).toMatchObject({ token_type: 'Bearer' });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('vary')?.match(/Origin/g)).toHaveLength(1);
      const metadata = await fetch(`${app.url}/.well-known/openid-configuration`, { headers: { origin } });
      expect(metadata.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  test.each(['jwt', 'opaque'])('introspects and revokes %s tokens', async (format) => {
    const made = await createApp({ token_format: format });
    const { access_token: token } = await tokensFor(made, 'ed', 'openid read:orders');
    expect(token.includes('.')).toBe(format === 'jwt');
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        server,
        clientOf(made),
        await oauth.introspectionRequest(server, clientOf(made), basic(made), token, http),
      );
    expect(await introspect()).toMatchObject({
      active: true,
      client_id: made.client_id,
      sub: '2',
      org: 'acme',
    });
    expect((await get('/v1/orders/1', token)).status).toBe(200);
    const other = await createApp();
    const foreign = await oauth.revocationRequest(server, clientOf(other), basic(other), token, http);
    expect([foreign.status, await foreign.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect((await get('/v1/orders/1', token)).status).toBe(200);
    const revoked = await oauth.revocationRequest(server, clientOf(made), basic(made), token, http);
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    expect(await introspect()).toEqual({ active: false });
    expect((await get('/v1/orders/1', token)).status).toBe(401);
  });

  test.each(['jwt', 'opaque'])('returns user info for %s tokens with openid', async (format) => {
    const made = await createApp({ token_format: format });
    const tokens = await tokensFor(made, 'ed', 'openid email read:orders');
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    expect(claims).toMatchObject({ sub: '2', aud: made.client_id, iss: PUBLIC_URL });
    const info = await oauth.processUserInfoResponse(
      server,
      clientOf(made),
      '2',
      await oauth.userInfoRequest(server, clientOf(made), tokens.access_token, http),
    );
    expect(info).toEqual({ sub: '2', org: 'acme', email: 'ed@acme.test' });
    const token = tokens.access_token;
    const send = async (body: string | URLSearchParams, headers: Record<string, string> = {}) => {
      const response = await fetch(`${app.url}/oauth/userinfo`, { method: 'POST', headers, body });
      return { status: response.status, body: await response.json() };
    };
    const post = (form: Record<string, string>, headers?: Record<string, string>) =>
      send(new URLSearchParams(form), headers);
    const authorization = `Bearer ${token}`;
    // A body of another type is ignored.
    for (const type of ['application/json', 'text/plain', 'image/png']) {
      const headers = { authorization, 'content-type': type };
      expect(await send('{}', headers)).toEqual({ status: 200, body: info });
      expect(await send('', headers)).toEqual({ status: 200, body: info });
      expect(await send('{}', { 'content-type': type })).toMatchObject({ status: 401 });
    }
    expect(await post({}, { authorization })).toEqual({ status: 200, body: info });
    expect(await post({ access_token: token })).toEqual({ status: 200, body: info });
    expect(await post({ access_token: token }, { authorization })).toMatchObject({ status: 400 });
    expect(await post({})).toMatchObject({ status: 401 });
    const without = await tokensFor(made, 'ed', 'read:orders');
    const refused = await get('/oauth/userinfo', without.access_token);
    expect(refused.status).toBe(403);
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_scope", scope="openid"');
  });

  test('a form of another type is refused with the right one', async () => {
    const response = await fetch(`${app.url}/oauth/interaction/none`, {
      method: 'POST',
      headers: { origin: PUBLIC_URL, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(415);
    expect(await response.text()).toContain('Send the body as application/x-www-form-urlencoded.');
  });

  test.each(['jwt', 'opaque'])('binds %s tokens to a key, and refuses them without it', async (format) => {
    const made = await createApp({ token_format: format });
    const keys = await oauth.generateKeyPair('ES256');
    const DPoP = oauth.DPoP(clientOf(made), keys);
    const { verifier, url } = await authorization(made, { scope: 'read:orders write:orders' });
    const back = await new Browser(app).consent(url.href, 'ed');
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await exchange(made, back, verifier, { DPoP }),
    );
    expect(tokens.token_type).toBe('dpop');
    const address = new URL(`${PUBLIC_URL}/v1/orders/1`);
    const ask = (options = {}) =>
      oauth.protectedResourceRequest(tokens.access_token, 'GET', address, undefined, undefined, {
        ...http,
        ...options,
      });
    expect((await ask({ DPoP })).status).toBe(200);
    await expect(ask()).rejects.toThrow();
    const thief = oauth.DPoP(clientOf(made), await oauth.generateKeyPair('ES256'));
    await expect(ask({ DPoP: thief })).rejects.toThrow();
    expect((await get('/v1/orders/1', tokens.access_token)).status).toBe(401);
    const shown = { headers: { authorization: `DPoP ${tokens.access_token}` } };
    expect((await app.graphql('{ me { id } }', {}, shown)).status).toBe(401);
    expect((await callTool(app, 'get_order', { order_id: 1 }, shown)).status).toBe(401);
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const post = (path: string, body: string, type = 'application/json') => {
      const headers = new Headers({ ...ACCEPT, 'content-type': type });
      const url = new URL(PUBLIC_URL + path);
      return oauth.protectedResourceRequest(tokens.access_token, 'POST', url, headers, body, {
        ...http,
        DPoP,
      });
    };
    const agent = await post('/mcp', message);
    expect([agent.status, await agent.text()]).toEqual([200, expect.stringContaining('"get_order"')]);
    // A refused body counts for its caller, although a proof is valid only once.
    const before = await refusedOrders();
    expect((await post('/v1/users/2/orders', '{')).status).toBe(400);
    expect((await post('/v1/users/2/orders', '{}', 'text/plain')).status).toBe(415);
    await expect.poll(refusedOrders).toBe(before + 2);
  });

  describe('the challenge for a bound token', () => {
    const htu = `${PUBLIC_URL}/v1/orders/1`;
    /** A proof that is valid except for some claims; a string is sent instead of one. */
    type Proof = Readonly<Record<string, unknown>> | string | undefined;
    let token = '';
    let key: Awaited<ReturnType<typeof oauth.generateKeyPair>>;

    beforeAll(async () => {
      key = await oauth.generateKeyPair('ES256', { extractable: true });
      const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'] });
      const DPoP = oauth.DPoP(clientOf(made), key);
      const request = [server, clientOf(made), basic(made), {}, { ...http, DPoP }] as const;
      const response = await oauth.clientCredentialsGrantRequest(...request);
      token = (await oauth.processClientCredentialsResponse(server, clientOf(made), response)).access_token;
    });

    const proofOf = async (claims: Readonly<Record<string, unknown>>, signer = key) => {
      const ath = createHash('sha256').update(token).digest('base64url');
      const iat = Math.floor(app.clock().getTime() / 1000);
      const jwk = await exportJWK(signer.publicKey);
      return new SignJWT({ htm: 'GET', htu, ath, jti: crypto.randomUUID(), iat, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .sign(signer.privateKey);
    };

    /** The error in the challenge of each scheme that has one. */
    const errorsIn = (challenges: string | null) =>
      Object.fromEntries(
        (challenges ?? '').split(/, (?=\w+ \w+=)/).flatMap((challenge) => {
          const error = /error="(\w+)"/.exec(challenge)?.[1];
          return error === undefined ? [] : [[challenge.split(' ')[0], error]];
        }),
      );

    const send = (proof: string | undefined, path = '/v1/orders/1') =>
      app.get(path, {
        headers: { authorization: `DPoP ${token}`, ...(proof !== undefined && { dpop: proof }) },
      });

    test.each<[string, Proof]>([
      ['no proof', undefined],
      ['no JWT', 'nonsense'],
      ['another method', { htm: 'POST' }],
      ['another URL', { htu: `${PUBLIC_URL}/v1/orders/2` }],
      ['another token', { ath: 'other' }],
      ['no id', { jti: '' }],
      ['an old time', { iat: 1 }],
    ])('names the proof for %s', async (_title, claims) => {
      const refused = await send(typeof claims === 'object' ? await proofOf(claims) : claims);
      expectError(refused, { status: 401, code: 'invalid_token' });
      expect(errorsIn(refused.headers.get('www-authenticate'))).toEqual({ DPoP: 'invalid_dpop_proof' });
    });

    test('names the proof if it was used before', async () => {
      const proof = await proofOf({});
      expect((await send(proof)).status).toBe(200);
      const refused = await send(proof);
      expectError(refused, { status: 401, code: 'invalid_token' });
      expect(errorsIn(refused.headers.get('www-authenticate'))).toEqual({ DPoP: 'invalid_dpop_proof' });
    });

    test('names the token if the proof has another key', async () => {
      const other = await oauth.generateKeyPair('ES256', { extractable: true });
      const refused = await send(await proofOf({}, other));
      expectError(refused, { status: 401, code: 'invalid_token' });
      expect(errorsIn(refused.headers.get('www-authenticate'))).toEqual({ DPoP: 'invalid_token' });
    });

    test('names the token if it is not sent as DPoP', async () => {
      const refused = await app.get('/v1/orders/1', { headers: { authorization: `Bearer ${token}` } });
      expect(errorsIn(refused.headers.get('www-authenticate'))).toEqual({ Bearer: 'invalid_token' });
    });
  });

  test('lets apps authenticate with their own keys', async () => {
    const keys = await oauth.generateKeyPair('ES256', { extractable: true });
    const jwk = await crypto.subtle.exportKey('jwk', keys.publicKey);
    const { kty, crv, x, y } = jwk;
    const jwks = { keys: [{ kty, crv, x, y, kid: 'one', alg: 'ES256' }] };
    const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'], jwks });
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      clientOf(made),
      oauth.PrivateKeyJwt({ key: keys.privateKey, kid: 'one' }),
      {},
      http,
    );
    const tokens = await oauth.processClientCredentialsResponse(server, clientOf(made), response);
    expect((await get('/v1/orders/1', tokens.access_token)).status).toBe(200);
    const other = await oauth.generateKeyPair('ES256');
    const wrong = oauth.PrivateKeyJwt({ key: other.privateKey, kid: 'one' });
    expect((await oauth.clientCredentialsGrantRequest(server, clientOf(made), wrong, {}, http)).status).toBe(
      401,
    );
  });

  test.each([
    ['web', []],
    ['native', ['client_credentials']],
    ['service', ['authorization_code', 'refresh_token', DEVICE_GRANT]],
  ])('refuses grant types that %s apps may not use', async (type, disallowed) => {
    const { client_id, client_secret } = await createApp({
      type,
      ...(type === 'service' && { redirect_uris: [] }),
    });
    const client = { client_id, ...(client_secret && { client_secret }) };
    const errorOf = async (path: string, params: object) => {
      const body = new URLSearchParams({ ...client, ...params });
      const response = await fetch(`${app.url}${path}`, { method: 'POST', body });
      return [response.status, Object(await response.json()).error];
    };
    const unauthorized = [400, 'unauthorized_client'];
    for (const grant_type of server.grant_types_supported ?? []) {
      const error = await errorOf('/oauth/token', { grant_type });
      if (disallowed.includes(grant_type)) expect(error, grant_type).toEqual(unauthorized);
      else expect(error, grant_type).not.toEqual(unauthorized);
    }
    const device = await errorOf('/oauth/device', { scope: 'read:orders' });
    expect(device).toEqual(disallowed.includes(DEVICE_GRANT) ? unauthorized : [200, undefined]);
  });

  test('accepts both secrets of an app and no other', async () => {
    const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'] });
    const rotate = async () =>
      (await app.post<AppBody>(`/v1/apps/${made.id}/secrets`, { as: 'ada' })).body.client_secret;
    const ask = (secret: string) =>
      oauth.clientCredentialsGrantRequest(server, clientOf(made), oauth.ClientSecretPost(secret), {}, http);
    const first = await oauth.processClientCredentialsResponse(
      server,
      clientOf(made),
      await ask(made.client_secret),
    );
    const second = await rotate();
    expect([(await ask(made.client_secret)).status, (await ask(second)).status]).toEqual([200, 200]);
    expect((await get('/v1/orders/1', first.access_token)).status).toBe(200);
    const third = await rotate();
    expect([
      (await ask(made.client_secret)).status,
      (await ask(second)).status,
      (await ask(third)).status,
    ]).toEqual([401, 200, 200]);
    expect((await get('/v1/orders/1', first.access_token)).status).toBe(401);
  });

  test.each([
    ['the user', (id: number) => app.delete(`/v1/grants/${id}`, { as: 'ed' })],
    ['an administrator', (id: number) => app.delete(`/v1/grants/${id}`, { as: 'ada' })],
  ])('refuses tokens of a grant that %s has revoked, at once', async (_who, revoke) => {
    const made = await createApp();
    const tokens = await tokensFor(made, 'ed', 'read:orders');
    const { body } = await app.get<{ data: { id: number; client_id: string }[] }>('/v1/grants', { as: 'ed' });
    const grant = body.data.find(({ client_id }) => client_id === made.client_id);
    expect((await get('/v1/orders/1', tokens.access_token)).status).toBe(200);
    expect((await revoke(grant?.id ?? 0)).status).toBe(204);
    expect((await get('/v1/orders/1', tokens.access_token)).status).toBe(401);
  });
});
