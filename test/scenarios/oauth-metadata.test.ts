/**
 * What the metadata of the authorization server list (RFC 8414, OpenID Connect Discovery), it does. The tests are derived from the lists,
 * so each further value is tested too.
 */

import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { claimsOf } from '../support/fixtures/members.ts';
import { type AppBody, Browser, oauthClient, REDIRECT } from '../support/oauth.ts';
import { DEFAULTS } from '../support/settings.ts';
import { Authority } from '../support/tls.ts';

type Metadata = Readonly<Record<string, unknown>> &
  Readonly<Record<`${string}_supported`, readonly string[]>>;

const directory = await mkdtemp(join(tmpdir(), 'portico-metadata-'));
const authority = await Authority.found(directory);
const certificate = await authority.issue({ names: 'URI:spiffe://ledger.example/sync' });
afterAll(() => rm(directory, { recursive: true }));

/** The header of a proxy that has verified the certificate. */
const FORWARDED = { 'client-cert': `:${new X509Certificate(certificate.cert).raw.toString('base64')}:` };

/** Claims of the protocol, which are not about a person and are in no list. */
const PROTOCOL = ['aud', 'exp', 'iat', 'nonce'];

describeOnSqlite('the metadata of the authorization server', (engine) => {
  const app = startApp(engine, {
    realTime: true,
    http: { trustProxy: 1, tls: { ...DEFAULTS.http.tls, header: 'rfc9440' } },
  });
  const { createApp, authorization } = oauthClient(app);

  const metadata = async () => (await app.get<Metadata>('/.well-known/openid-configuration')).body;
  const pathOf = (url: unknown) => String(url).slice(PUBLIC_URL.length);

  /** Calls with each value of a list, of which there must be one. */
  async function each(name: `${string}_supported`, check: (value: string) => Promise<void>) {
    const values = (await metadata())[name] ?? [];
    expect(values.length, name).toBeGreaterThan(0);
    for (const value of values) await check(value);
  }

  async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(form);
    const response = await fetch(app.url + path, { method: 'POST', body, headers });
    return { status: response.status, body: Object(await response.json().catch(() => ({}))) };
  }

  const ofSecret = ({ client_id, client_secret }: AppBody) => ({ client_id, client_secret });

  /** Returns the tokens for an authorization request of Ed. */
  async function tokensFor(made: AppBody, params: Record<string, string>) {
    const { verifier, url } = await authorization(made, params);
    const back = await new Browser(app).consent(url.href, 'ed');
    const { body } = await post('/oauth/token', {
      ...ofSecret(made),
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    });
    return body;
  }

  test('name endpoints that exist', async () => {
    const urls = Object.entries(await metadata()).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(urls.length).toBeGreaterThan(5);
    for (const [name, url] of urls) expect((await app.options(pathOf(url))).status, name).toBe(204);
  });

  test('list the claims that ID tokens and user info have', async () => {
    const scope = 'openid profile email read:orders';
    const { id_token, access_token } = await tokensFor(await createApp(), {
      scope,
      max_age: '60',
      nonce: 'n',
    });
    const authorized = { headers: { authorization: `Bearer ${access_token}` } };
    const { body } = await app.get<object>('/oauth/userinfo', authorized);
    const given = new Set([...Object.keys(claimsOf(id_token)), ...Object.keys(body)]);
    const { claims_supported: listed = [] } = await metadata();
    expect([...listed, ...PROTOCOL].toSorted()).toEqual([...given].toSorted());
    const { alg } = JSON.parse(Buffer.from(id_token.split('.')[0], 'base64url').toString());
    expect((await metadata())['id_token_signing_alg_values_supported']).toEqual([alg]);
  });

  test('list scopes that can be requested', async () => {
    const { scopes_supported: scopes = [] } = await metadata();
    const made = await createApp({ scopes: scopes.filter((scope) => scope.includes(':')) });
    await each('scopes_supported', async (scope) => {
      const { url } = await authorization(made, { scope });
      expect((await new Browser(app).visit(url.href)).text, scope).toContain('Sign in');
    });
  });

  test('list the response modes', async () => {
    const made = await createApp();
    await each('response_modes_supported', async (response_mode) => {
      const browser = new Browser(app);
      const { url } = await authorization(made, { response_mode });
      const page = await browser.signIn(await browser.visit(url.href), 'ed');
      const at = page.text.includes('name="scope"') ? await browser.allow(page) : page;
      const { search, hash } = new URL(at.url);
      const found = { query: /^\?code=/.test(search), fragment: /^#code=/.test(hash) };
      const isForm = new RegExp(`action="${REDIRECT}"[^]*name="code"`).test(at.text);
      expect({ ...found, form_post: isForm }, response_mode).toHaveProperty(response_mode, true);
    });
  });

  test('list the grant types, and no others are accepted', async () => {
    const made = await createApp();
    const errorFor = async (grant_type: string) =>
      (await post('/oauth/token', { ...ofSecret(made), grant_type })).body.error;
    await each('grant_types_supported', async (type) => {
      expect(await errorFor(type), type).not.toBe('unsupported_grant_type');
    });
    for (const type of ['implicit', 'password', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
      expect(await errorFor(type), type).toBe('unsupported_grant_type');
    }
  });

  describe('list how apps authenticate', () => {
    const service = (part: object) =>
      createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'], ...part });

    /** What an app sends with each method; undefined for one that the tests do not know. */
    const WAYS: Readonly<
      Record<
        string,
        (alg: string) => Promise<{ form: Record<string, string>; headers?: Record<string, string> }>
      >
    > = {
      client_secret_basic: async () => {
        const { client_id, client_secret } = await service({});
        const pair = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
        return { form: {}, headers: { authorization: `Basic ${pair}` } };
      },
      client_secret_post: async () => ({ form: ofSecret(await service({})) }),
      private_key_jwt: async (alg) => {
        const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
        const { client_id } = await service({ jwks: { keys: [await exportJWK(publicKey)] } });
        const assertion = new SignJWT({ jti: alg })
          .setProtectedHeader({ alg })
          .setIssuer(client_id)
          .setSubject(client_id)
          .setAudience(PUBLIC_URL)
          .setExpirationTime('1m');
        const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
        return { form: { client_assertion_type: type, client_assertion: await assertion.sign(privateKey) } };
      },
      tls_client_auth: async () => {
        const { client_id } = await service({ certificate: { san_uri: 'spiffe://ledger.example/sync' } });
        return { form: { client_id }, headers: FORWARDED };
      },
      none: async () => ({ form: { client_id: (await createApp({ type: 'native' })).client_id } }),
    };

    test.each([
      ['token', { grant_type: 'unknown' }, 'unsupported_grant_type'],
      ['revocation', { token: 'unknown' }, undefined],
      ['introspection', { token: 'unknown' }, undefined],
    ])('at the %s endpoint', async (endpoint, request, error) => {
      const path = pathOf((await metadata())[`${endpoint}_endpoint`]);
      const algorithms = `${endpoint}_endpoint_auth_signing_alg_values_supported` as const;
      await each(`${endpoint}_endpoint_auth_methods_supported`, async (method) => {
        const listed = method === 'private_key_jwt' ? ((await metadata())[algorithms] ?? []) : ['none'];
        for (const alg of listed) {
          const { form, headers = {} } = (await WAYS[method]?.(alg)) ?? { form: {} };
          const { status, body } = await post(path, { ...form, ...request }, headers);
          const name = `${method} ${alg}`;
          expect([status, body.error], name).toEqual([error === undefined ? 200 : 400, error]);
        }
      });
    });
  });

  test('list the algorithms of proofs of possession', async () => {
    const made = await createApp();
    await each('dpop_signing_alg_values_supported', async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const jwk = await exportJWK(publicKey);
      const dpop = await new SignJWT({ htm: 'POST', htu: `${PUBLIC_URL}/oauth/token`, jti: alg })
        .setIssuedAt()
        .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk })
        .sign(privateKey);
      const form = { ...ofSecret(made), grant_type: 'client_credentials', scope: 'read:orders' };
      expect((await post('/oauth/token', form, { dpop })).body.token_type, alg).toBe('DPoP');
    });
  });
});
