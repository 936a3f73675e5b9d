/**
 * A third-party app with `openid-client`, over HTTPS against a running server: every way to get a token, and
 * what tokens permit.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { exportJWK, SignJWT } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { describeEachEngine } from '../support/engines.ts';
import { Browser, type Fetch } from '../support/oauth.ts';
import { freePort, manageServers, waitUntil } from '../support/process.ts';
import { Authority, type Issued } from '../support/tls.ts';

const REDIRECT = 'https://ledger.example/callback';

interface Made {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Like `fetch`, for a server whose certificate is from a private authority; `shown` is the client's certificate. */
const fetchOver =
  (ca: string, shown?: Issued): Fetch =>
  async (url, init = {}) => {
    const webRequest = new Request(url, init);
    const sent = request(url, {
      ca,
      method: webRequest.method,
      headers: Object.fromEntries(webRequest.headers),
      ...(shown && { cert: shown.cert, key: shown.key }),
    });
    sent.end(await webRequest.text());
    const [response] = await once(sent, 'response');
    const bytes = await buffer(response);
    const headersOf = Object.entries(response.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
    const bodyOf = [204, 303].includes(response.statusCode) ? null : new Uint8Array(bytes);
    return new Response(bodyOf, { status: response.statusCode, headers: headersOf });
  };

const metadataOf = ({ client_secret }: Made, shown?: Issued) => ({
  client_secret,
  use_mtls_endpoint_aliases: shown !== undefined,
});

describeEachEngine('openid-client', (engine) => {
  const servers = manageServers(afterAll);
  let issuer: string;
  let ca: string;
  let machine: Issued;
  let admin: string;
  let certifiedPort: number;

  beforeAll(async () => {
    const authority = await Authority.found(await servers.directory());
    ca = await authority.ca();
    const own = await authority.issue({ names: 'DNS:localhost' });
    machine = await authority.issue({ names: 'URI:spiffe://ledger.example/sync' });
    const [{ url }, port] = [await engine.create('bare'), await freePort()];
    certifiedPort = await freePort();
    issuer = `https://localhost:${port}`;
    await servers.launch({
      env: {
        DATABASE_URL: url,
        AUTH_KEYS_FILE: join(await servers.directory(), 'keys.json'),
        PORT: String(port),
        TLS_CERT_FILE: own.certFile,
        TLS_KEY_FILE: own.keyFile,
        MTLS_PORT: String(certifiedPort),
        MTLS_CA_FILE: authority.caFile,
      },
    });
    const isReady = () =>
      fetchOver(ca)(`${issuer}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isReady, 'the server to be ready');
    const login = { email: 'ada@acme.test', password: 'portico-demo' };
    admin = (await post<{ access_token: string }>('/v1/auth/login', login)).access_token;
  });

  async function post<T>(path: string, body: object): Promise<T> {
    const headers = {
      'content-type': 'application/json',
      ...(admin && { authorization: `Bearer ${admin}` }),
    };
    const response = await fetchOver(ca)(issuer + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.ok, path).toBe(true);
    return (await response.json()) as T;
  }

  const createApp = (part: object = {}) =>
    post<Made>('/v1/apps', {
      name: 'Ledger',
      type: 'web',
      redirect_uris: [REDIRECT],
      scopes: ['read:orders', 'read:feed'],
      ...part,
    });

  /** Configures the app with the address of the server and its credentials. */
  const discover = (made: Made, auth?: client.ClientAuth, shown?: Issued) =>
    client.discovery(new URL(issuer), made.client_id, metadataOf(made, shown), auth, {
      [client.customFetch]: fetchOver(ca, shown),
    });

  /** Has a user consent. @returns the redirect URL with the response, and the values to verify it with. */
  async function consent(config: client.Configuration, scope: string, isPushed = false) {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const checks = { pkceCodeVerifier, expectedState: client.randomState() };
    const params = {
      redirect_uri: REDIRECT,
      scope,
      state: checks.expectedState,
      // Without it there is no refresh token (OpenID Connect Core, section 11).
      prompt: 'consent',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    };
    const url = isPushed
      ? await client.buildAuthorizationUrlWithPAR(config, params)
      : client.buildAuthorizationUrl(config, params);
    const browser = new Browser({ url: issuer }, issuer, fetchOver(ca));
    return { back: await browser.consent(url.href, 'ed'), checks };
  }

  const order = (config: client.Configuration, token: string, options?: client.DPoPOptions) =>
    client.fetchProtectedResource(
      config,
      token,
      new URL(`${issuer}/v1/orders/1`),
      'GET',
      undefined,
      undefined,
      options,
    );

  test.each(['jwt', 'opaque'])(
    'gets %s tokens for a user, refreshes, introspects and revokes them',
    async (format) => {
      const made = await createApp({ token_format: format });
      const config = await discover(made);
      const { back, checks } = await consent(config, 'openid email offline_access read:orders', true);
      const tokens = await client.authorizationCodeGrant(config, back, checks);
      expect(tokens.claims()).toMatchObject({ sub: '2', aud: made.client_id });
      expect((await order(config, tokens.access_token)).status).toBe(200);
      expect(await client.fetchUserInfo(config, tokens.access_token, '2')).toMatchObject({
        email: 'ed@acme.test',
      });

      // The response to the first refresh is lost, so the app retries it.
      const once = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(again.refresh_token).toBe(once.refresh_token);
      const next = await client.refreshTokenGrant(config, again.refresh_token ?? '');
      expect((await order(config, next.access_token)).status).toBe(200);

      expect(await client.tokenIntrospection(config, next.access_token)).toMatchObject({
        active: true,
        sub: '2',
      });
      await client.tokenRevocation(config, next.refresh_token ?? '');
      expect(await client.tokenIntrospection(config, next.access_token)).toMatchObject({ active: false });
      await expect(order(config, next.access_token)).rejects.toThrow();
      await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  test('does not exchange a code with another verifier, or a mixed-up issuer', async () => {
    const config = await discover(await createApp());
    const { back, checks } = await consent(config, 'read:orders');
    const mixed = new URL(back);
    mixed.searchParams.set('iss', 'https://other.example');
    await expect(client.authorizationCodeGrant(config, mixed, checks)).rejects.toThrow();
    const other = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expect(client.authorizationCodeGrant(config, back, other)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('connects a device', async () => {
    const made = await createApp({ type: 'native', redirect_uris: [] });
    const config = await discover(made, client.None());
    const device = await client.initiateDeviceAuthorization(config, { scope: 'read:orders' });
    const browser = new Browser({ url: issuer }, issuer, fetchOver(ca));
    const { text } = await browser.visit(device.verification_uri);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const fields = new URLSearchParams({ xsrf, user_code: device.user_code, confirm: 'yes' });
    await browser.allow(await browser.signIn(await browser.visit('/device', fields), 'vic'));
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.1 });
    expect((await order(config, tokens.access_token)).status).toBe(200);
  });

  test('gets its own tokens with a secret, or with a key', async () => {
    const service = { type: 'service', redirect_uris: [] };
    const config = await discover(await createApp(service));
    const own = await client.clientCredentialsGrant(config, { scope: 'read:orders' });
    expect((await order(config, own.access_token)).status).toBe(200);

    const keys = await client.randomDPoPKeyPair('ES256', { extractable: true });
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    const jwks = { keys: [{ kty, crv, x, y, kid: 'one', alg: 'ES256' }] };
    const keyed = await createApp({ ...service, jwks });
    const auth = client.PrivateKeyJwt({ key: keys.privateKey, kid: 'one' });
    const byKey = await client.clientCredentialsGrant(await discover(keyed, auth), {});
    expect((await order(config, byKey.access_token)).status).toBe(200);
  });

  test('binds tokens to a key (DPoP), and they are valid only with it, on every door', async () => {
    const config = await discover(await createApp());
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const { back, checks } = await consent(config, 'read:orders read:feed');
    const { access_token: token } = await client.authorizationCodeGrant(config, back, checks, undefined, {
      DPoP,
    });
    expect((await order(config, token, { DPoP })).status).toBe(200);
    const query = JSON.stringify({ query: '{ order(id: 1) { id } }' });
    const asJson = new Headers({ 'content-type': 'application/json' });
    const graph = new URL(`${issuer}/graphql`);
    const shown = await client.fetchProtectedResource(config, token, graph, 'POST', query, asJson, { DPoP });
    expect(await shown.json()).toMatchObject({ data: { order: { id: '1' } } });
    for (const authorization of [`Bearer ${token}`, `DPoP ${token}`]) {
      const asked = (path: string, init: object = {}) =>
        fetchOver(ca)(issuer + path, {
          ...init,
          headers: {
            authorization,
            accept: 'text/event-stream, application/json',
            'content-type': 'application/json',
          },
        });
      expect((await asked('/v1/orders/1')).status).toBe(401);
      expect((await asked('/feed')).status).toBe(401);
      expect((await asked('/graphql', { method: 'POST', body: query })).status).toBe(401);
      const socket = new WebSocket(`${issuer.replace('https', 'wss')}/graphql`, 'graphql-transport-ws', {
        ca,
        headers: { authorization },
      });
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init' }));
      expect((await once(socket, 'close'))[0]).toBe(4403);
    }
  });

  test('authenticates by a certificate, and its tokens are bound to it', async () => {
    const certificate = { san_uri: 'spiffe://ledger.example/sync' };
    const made = await createApp({ type: 'service', redirect_uris: [], certificate });
    const config = await discover(made, client.TlsClientAuth(), machine);
    // It finds the endpoints that request certificates in `mtls_endpoint_aliases`.
    const { access_token: token } = await client.clientCredentialsGrant(config, {});
    const at = new URL(`https://localhost:${certifiedPort}/v1/orders/1`);
    expect((await client.fetchProtectedResource(config, token, at, 'GET')).status).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetchOver(ca)(`${issuer}/v1/orders/1`, { headers })).status).toBe(401);
  });

  test('accepts proofs (DPoP) for the URLs of the port for client certificates, on that port', async () => {
    const { client_id, client_secret } = await createApp({ type: 'service', redirect_uris: [] });
    const { privateKey, publicKey } = await client.randomDPoPKeyPair('ES256');
    const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) };
    const certified = `https://localhost:${certifiedPort}`;
    const send = async (url: string, htu: string, init: object, claims: object = {}) => {
      const proof = await new SignJWT({ htm: 'POST', htu, jti: crypto.randomUUID(), ...claims })
        .setIssuedAt()
        .setProtectedHeader(header)
        .sign(privateKey);
      const shown = url.startsWith(certified) ? machine : undefined;
      const given = { dpop: proof, ...('headers' in init && Object(init.headers)) };
      const response = await fetchOver(ca, shown)(url, { ...init, headers: given });
      return { status: response.status, body: Object(await response.json()) };
    };
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const ask = (at: string, htu: string) =>
      send(`${at}/oauth/token`, htu, { method: 'POST', body: new URLSearchParams(form) });
    const refused = { status: 400, body: { error: 'invalid_dpop_proof' } };
    const elsewhere = `https://localhost:${certifiedPort + 1}`;
    for (const [at, htu, result] of [
      [certified, `${certified}/oauth/token`, { status: 200 }],
      [certified, `${certified}/oauth/token?query#fragment`, { status: 200 }],
      [certified, `${issuer}/oauth/token`, { status: 200 }],
      [certified, `${certified}/oauth/par`, refused],
      [certified, `${elsewhere}/oauth/token`, refused],
      [certified, `https://other.example:${certifiedPort}/oauth/token`, refused],
      [issuer, `${issuer}/oauth/token`, { status: 200 }],
      [issuer, `${certified}/oauth/token`, refused],
    ] as const) {
      expect(await ask(at, htu), `${htu} at ${at}`).toMatchObject(result);
    }

    const { access_token: token } = (await ask(certified, `${certified}/oauth/token`)).body;
    const ath = createHash('sha256').update(token).digest('base64url');
    const read = async (at: string, named: string) => {
      const headers = { authorization: `DPoP ${token}` };
      return (await send(`${at}/v1/orders/1`, `${named}/v1/orders/1`, { headers }, { htm: 'GET', ath }))
        .status;
    };
    for (const [at, named, status] of [
      [certified, certified, 200],
      [certified, issuer, 200],
      [certified, elsewhere, 401],
      [issuer, certified, 401],
    ] as const) {
      expect(await read(at, named), `${named} at ${at}`).toBe(status);
    }
  });
});
