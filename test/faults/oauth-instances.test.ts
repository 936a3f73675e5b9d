/** The authorization server as two processes: a credential used or revoked on one is used or revoked on both. */
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { PUBLIC_URL } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { Browser, fetchFrom } from '../support/oauth.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';
import { openReceiver } from '../support/webhook-receiver.ts';

const REDIRECT = 'https://ledger.example/callback';

/** Concurrent exchanges of one code, alternating between the instances. */
const EXCHANGES = 50;

describeEachEngine(
  'two instances of the authorization server',
  (engine) => {
    engine.withDemo();
    const servers = manageServers(afterAll);
    let instances: [ServerProcess, ServerProcess];
    let admin = '';
    let app: { readonly id: number; readonly client_id: string; readonly client_secret: string };
    let server: oauth.AuthorizationServer;

    const call = async <T>(method: string, path: string, token: string, body?: object, at = 0) => {
      const response = await fetch(instances[at === 0 ? 0 : 1].url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
    };

    beforeAll(async () => {
      const directory = await servers.directory();
      const env = {
        DATABASE_URL: engine.place.url,
        AUTH_KEYS_FILE: join(directory, 'keys.json'),
        PUBLIC_URL,
        DEMO: '1',
        RATE_LIMIT_POINTS: '1000000',
        WEBHOOK_ALLOW_LOOPBACK: '1',
      };
      instances = [await servers.start({ env }), await servers.start({ env })];
      const login = { email: 'ada@acme.test', password: DEMO_PASSWORD };
      const response = await fetch(`${instances[0].url}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(login),
      });
      admin = Object(await response.json()).access_token;
      const body = {
        name: 'Ledger',
        type: 'web',
        redirect_uris: [REDIRECT],
        scopes: ['read:orders', 'read:feed'],
      };
      app = (await call<typeof app>('POST', '/v1/apps', admin, body)).body;
      const issuer = new URL(PUBLIC_URL);
      const http = { [oauth.customFetch]: fetchFrom(instances[0]) };
      server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' }),
      );
    });

    const http = (at: number) => ({ [oauth.customFetch]: fetchFrom(instances[at % 2 === 0 ? 0 : 1]) });
    const client = () => ({ client_id: app.client_id });
    const secret = () => oauth.ClientSecretBasic(app.client_secret);

    /** Returns a code with the consent of a user, and the form to exchange it. */
    async function consented(scope: string) {
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = String(
        new URLSearchParams({
          client_id: app.client_id,
          redirect_uri: REDIRECT,
          response_type: 'code',
          scope,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      );
      const back = await new Browser(instances[0]).consent(url.href, 'ed');
      const params = oauth.validateAuthResponse(server, client(), back);
      return (at: number) =>
        oauth.authorizationCodeGrantRequest(server, client(), secret(), params, REDIRECT, verifier, http(at));
    }

    const revocations = async () =>
      (await call<{ data: { data: object }[] }>('GET', '/feed?type=grant.revoked&limit=100', admin)).body
        .data;

    test(`of ${EXCHANGES} parallel exchanges of a code, one succeeds, and the grant is revoked once`, async () => {
      const exchange = await consented('read:orders');
      const before = (await revocations()).length;
      const responses = await Promise.all(Array.from({ length: EXCHANGES }, (_, at) => exchange(at)));
      const good = responses.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 400)).toHaveLength(EXCHANGES - 1);
      const { access_token: token } = Object(await good[0]?.json());
      for (const at of [0, 1]) {
        await waitUntil(
          async () => (await call('GET', '/v1/orders/1', token, undefined, at)).status === 401,
          'the token to be refused',
        );
      }
      const events = await revocations();
      expect(events).toHaveLength(before + 1);
      expect(events[0]?.data).toMatchObject({ reason: 'code_reused', client_id: app.client_id });
    });

    test('a refresh token that is used after its grace period, on both at once, revokes the grant once', async () => {
      const exchange = await consented('read:orders offline_access');
      const first = await oauth.processAuthorizationCodeResponse(server, client(), await exchange(0));
      const refresh = (token: string, at: number) =>
        oauth.refreshTokenGrantRequest(server, client(), secret(), token, http(at));
      const used = first.refresh_token ?? '';
      const parallel = await Promise.all([0, 1, 2, 3].map((at) => refresh(used, at)));
      const successors = await Promise.all(
        parallel.map(async (response) => Object(await response.json()).refresh_token),
      );
      expect(new Set(successors).size).toBe(1);
      const next = await refresh(String(successors[0]), 1);
      expect(next.status).toBe(200);
      const before = (await revocations()).length;
      const reused = await Promise.all([0, 1, 2, 3].map((at) => refresh(used, at)));
      expect(reused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      expect(await revocations()).toHaveLength(before + 1);
      expect((await refresh(Object(await next.json()).refresh_token, 0)).status).toBe(400);
    });

    const ways: readonly (readonly [string, (grantId: number) => Promise<unknown>])[] = [
      ['the grant is revoked', (grantId) => call('DELETE', `/v1/grants/${grantId}`, admin)],
      [
        'the app is uninstalled',
        async () => {
          type Installations = { data: { id: number; client_id: string }[] };
          const { body } = await call<Installations>('GET', '/v1/installations', admin);
          const installed = body.data.find(({ client_id }) => client_id === app.client_id);
          await call('DELETE', `/v1/installations/${installed?.id}`, admin);
          const again = { client_id: app.client_id, scopes: ['read:orders', 'read:feed'], role: 'viewer' };
          await call('POST', '/v1/installations', admin, again);
        },
      ],
      ['the app is deleted', () => call('DELETE', `/v1/apps/${app.id}`, admin)],
    ];

    test.each(ways)(
      'when %s, the other instance refuses its token and closes its streams',
      async (_title, revoke) => {
        const exchange = await consented('read:orders read:feed');
        const { access_token: token } = await oauth.processAuthorizationCodeResponse(
          server,
          client(),
          await exchange(1),
        );
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
        await expectEnd(token, () => revoke(Number(claims.gid)));
      },
    );

    test('events of apps and grants reach the webhooks and streams of either instance', async () => {
      const types = ['app.installed', 'app.uninstalled', 'grant.created', 'grant.revoked'];
      const receiver = await openReceiver();
      onTestFinished(() => receiver.close());
      const hook = { url: receiver.url, types: ['app.*', 'grant.*'] };
      expect((await call('POST', '/v1/webhooks', admin, hook)).status).toBe(201);
      const streams = await Promise.all(instances.map(({ url }) => openEventStream(`${url}/feed`, admin)));
      const body = { name: 'Told', type: 'web', redirect_uris: [REDIRECT], scopes: ['read:orders'] };
      app = (await call<typeof app>('POST', '/v1/apps', admin, body)).body;
      const { access_token: token } = Object(await (await (await consented('read:orders'))(1)).json());
      const { gid } = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
      expect((await call('DELETE', `/v1/grants/${gid}`, admin)).status).toBe(204);
      expect((await call('DELETE', `/v1/apps/${app.id}`, admin)).status).toBe(204);
      await receiver.until(types.length);
      expect(receiver.received.map((message) => JSON.parse(message.body).type).toSorted()).toEqual(types);
      for (const stream of streams) {
        const has = () => types.every((type) => stream.text.includes(`"${type}"`));
        await waitUntil(has, 'the events on the stream');
        stream.stop();
      }
    });

    test('when a secret is rotated out, the other instance refuses its tokens, and closes its streams', async () => {
      const body = { name: 'Sync', type: 'service', scopes: ['read:orders', 'read:feed'] };
      const { body: own } = await call<typeof app>('POST', '/v1/apps', admin, body);
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        { client_id: own.client_id },
        oauth.ClientSecretBasic(own.client_secret),
        {},
        http(1),
      );
      const { access_token: token } = Object(await response.json());
      await expectEnd(token, async () => {
        // Two secrets are valid at once.
        for (const _secret of [2, 3]) await call('POST', `/v1/apps/${own.id}/secrets`, admin);
      });
    });

    /** Expects that a token and its streams on the other instance end when something is revoked on the first. */
    async function expectEnd(token: string, revoke: () => Promise<unknown>): Promise<void> {
      const [, other] = instances;
      const socket = await new SocketClient(other.port).open({ accessToken: token });
      socket.send(subscribe('1', 'subscription { activity { id } }'));
      const stream = await openEventStream(`${other.url}/feed`, token);
      const order = async () => (await call('GET', '/v1/orders/1', token, undefined, 1)).status;
      expect(await order()).toBe(200);
      await revoke();
      // Long before it would expire.
      await waitUntil(async () => (await order()) === 401, 'the token to be refused');
      expect(await socket.end()).toBe(4403);
      await waitUntil(() => stream.ended, 'the stream to end');
    }
  },
  // SQLite supports a single instance.
  'postgres',
);
