/** What organisations may register of an app: the authorization server serves each app that was accepted. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { type AppBody, Browser, oauthClient, REDIRECT } from '../support/oauth.ts';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const p256 = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = (modulusLength: number): Pair => generateKeyPairSync('rsa', { modulusLength });

/** Kinds of keys, with the algorithms by which an app could sign with them. */
const KEYS: readonly [string, () => Pair, readonly string[]][] = [
  ['P-256', p256, ['ES256']],
  ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }), ['ES384']],
  ['secp256k1', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }), []],
  ['Ed25519', () => generateKeyPairSync('ed25519'), ['EdDSA', 'Ed25519']],
  ['Ed448', () => generateKeyPairSync('ed448'), []],
  ['X25519', () => generateKeyPairSync('x25519'), []],
  ['RSA with 2048 bits', () => rsa(2048), ['PS256', 'RS256']],
  ['RSA with 1024 bits', () => rsa(1024), []],
];

/** Members of a key of the curve P-256 with which the app can sign. */
const ACCEPTED: readonly object[] = [
  { kid: 'one' },
  { alg: 'ES256' },
  { use: 'sig' },
  { key_ops: ['verify'] },
  { x5c: ['MIIB'] },
  { ext: true },
];

/** Members with which the authorization server would ignore the key, or refuse all requests of the app. */
const REFUSED: readonly object[] = [
  { kid: '' },
  { kid: 1 },
  { alg: 'ES384' },
  { alg: 'none' },
  { alg: '' },
  { alg: 256 },
  { use: 'enc' },
  { use: ['sig'] },
  { key_ops: ['encrypt'] },
  { key_ops: 'verify' },
  { x5c: 'MIIB' },
  { x5c: [''] },
  { p: 'AQAB' },
  { oth: [] },
];

const URIS: readonly string[] = [
  REDIRECT,
  'HTTPS://Ledger.Example/callback',
  'https://ledger.example:8443/callback?kept=1',
  'https://localhost/callback',
  'https://127.0.0.1/callback',
  'https://[::1]:8443/callback',
  'http://localhost/callback',
  'http://127.0.0.1:3000/callback',
  'http://[::1]/callback',
  'http://ledger.example/callback',
  'com.example.app:/callback',
  'com.example.app:callback',
  'javascript:alert(1)',
  'data:text/html,x',
];

describeOnSqlite('the authorization server serves each app that was created', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { authorization } = oauthClient(app);

  /** @returns undefined if the app was refused. */
  const create = async (part: object): Promise<AppBody | undefined> => {
    const body = { name: 'Ledger', scopes: ['read:orders'], ...part };
    const made = await app.post<AppBody & ErrorBody>('/v1/apps', { as: 'ada', body });
    expect([201, 422], made.text).toContain(made.status);
    return made.status === 201 ? made.body : undefined;
  };
  const createService = (jwk: object) => create({ type: 'service', jwks: { keys: [jwk] } });

  async function tokenFor({ client_id }: AppBody, { privateKey }: Pair, alg: string) {
    const jti = await calculateJwkThumbprint(privateKey);
    const assertion = await new SignJWT({ jti: `${jti} ${alg}` })
      .setProtectedHeader({ alg })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(PUBLIC_URL)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });
    const response = await fetch(`${app.url}/oauth/token`, { method: 'POST', body });
    return response.status;
  }

  describe('with a key', () => {
    test.each(KEYS)('%s', async (_name, generate, algorithms) => {
      const pair = generate();
      const made = await createService(pair.publicKey.export({ format: 'jwk' }));
      const isUsable = algorithms.length > 0 && !algorithms.includes('ES384');
      expect(made !== undefined).toBe(isUsable);
      if (made) for (const alg of algorithms) expect(await tokenFor(made, pair, alg), alg).toBe(200);
    });

    test.each(ACCEPTED)('that has %o', async (members) => {
      const pair = p256();
      const made = await createService({ ...pair.publicKey.export({ format: 'jwk' }), ...members });
      expect(made && (await tokenFor(made, pair, 'ES256'))).toBe(200);
    });

    test.each(REFUSED)('but not one that has %o', async (members) => {
      const jwk = { ...p256().publicKey.export({ format: 'jwk' }), ...members };
      expect(await createService(jwk)).toBeUndefined();
    });

    test.each(['d', 'p', 'q', 'dp', 'dq', 'qi'])(
      'but no RSA key with the private member %s',
      async (name) => {
        const { publicKey, privateKey } = rsa(2048);
        const part = { [name]: privateKey.export({ format: 'jwk' })[name] };
        expect(await createService({ ...publicKey.export({ format: 'jwk' }), ...part })).toBeUndefined();
      },
    );
  });

  describe('with a name of its certificate', () => {
    test.each([
      [{ san_dns: 'Sync.Ledger.Example' }, { san_dns: 'sync.ledger.example', san_uri: null }],
      [
        { san_uri: 'SPIFFE://ledger.example/Sync' },
        { san_uri: 'SPIFFE://ledger.example/Sync', san_dns: null },
      ],
      [{ san_dns: '*.ledger.example' }, undefined],
      [{ san_dns: 'ledger example' }, undefined],
      [{ san_uri: 'ledger.example' }, undefined],
      [{ san_uri: 'https://ledger.example', san_dns: 'ledger.example' }, undefined],
    ])('%o, checked as that of a client certificate', async (certificate, expected) => {
      const made = await create({ type: 'service', certificate });
      const read = made && (await app.get<{ certificate: object }>(`/v1/apps/${made.id}`, { as: 'ada' }));
      expect(read?.body.certificate).toEqual(expected);
    });
  });

  describe.each(['web', 'native'])('of type %s', (type) => {
    let accepted = 0;
    test.each(URIS)('with the redirect URI %s', async (uri) => {
      const made = await create({ type, redirect_uris: [uri] });
      if (!made) return;
      accepted += 1;
      const { url } = await authorization(made, { redirect_uri: uri, scope: 'read:orders' });
      const page = await new Browser(app).visit(url.href);
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('name="password"')]);
    });
    test('with at least five of them', () => expect(accepted).toBeGreaterThanOrEqual(5));
  });
});
