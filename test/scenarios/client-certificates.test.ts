/**
 * Registering client certificates: how they are matched, and whom they authenticate. For sockets and
 * handshakes, see test/e2e.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createRevalidation } from '../../src/auth/revalidation.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { addAdministrator, createKey, eventsSince, withKey } from '../support/fixtures/api-keys.ts';
import type { CursorPage } from '../support/response-bodies.ts';

const PATH = '/v1/client-certificates';
const HEX = 'AB'.repeat(32);
/** Methods of the fake that these tests do not call. */
const never = new Proxy({} as never, {
  get: () => {
    throw new Error('not implemented');
  },
});
const BASE64URL = Buffer.from(HEX, 'hex').toString('base64url');

interface Registered {
  readonly id: number;
  readonly match: Readonly<Record<'thumbprint' | 'san_uri' | 'san_dns', string | null>>;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

describeEachEngine('client certificates', (engine) => {
  const app = startApp(engine);
  const send = (match: object, wish: object = {}) =>
    app.post<Registered>(PATH, {
      as: 'ada',
      body: { name: 'ci', match, scopes: ['read:orders'], ...wish },
    });
  const register = async (match: object, wish: object = {}) => {
    const response = await send(match, wish);
    expect(response.status, response.text).toBe(201);
    return response.body;
  };

  test('are shown with their match, and written to the log', async () => {
    const { result, events } = await eventsSince(app, () => send({ san_uri: 'spiffe://acme.example/ci' }));
    const { id } = result.body;
    expect(result.headers.get('location')).toBe(`${PATH}/${id}`);
    const shown = {
      id,
      name: 'ci',
      match: { thumbprint: null, san_uri: 'spiffe://acme.example/ci', san_dns: null },
      scopes: ['read:orders'],
      owner_id: 1,
      created_at: app.clock().toISOString(),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    };
    expect(result.body).toEqual(shown);
    expect((await app.get(`${PATH}/${id}`, { as: 'ada' })).body).toEqual(shown);
    const { body } = await app.get<CursorPage<Registered>>(`${PATH}?limit=100`, { as: 'ada' });
    expect(body.data.find((one) => one.id === id)).toEqual(shown);
    expect(events).toMatchObject([
      {
        type: 'client_certificate.created',
        subjectId: id,
        data: { name: 'ci', match: 'san_uri:spiffe://acme.example/ci', scopes: ['read:orders'] },
      },
    ]);
  });

  test.each([
    ['hexadecimal', { thumbprint: HEX }, { thumbprint: BASE64URL }],
    [
      'as printed by openssl',
      { thumbprint: `${'CD:'.repeat(31)}CD` },
      { thumbprint: Buffer.alloc(32, 0xcd).toString('base64url') },
    ],
    [
      'as encoded in tokens',
      { thumbprint: Buffer.alloc(32, 1).toString('base64url') },
      { thumbprint: Buffer.alloc(32, 1).toString('base64url') },
    ],
    ['a host name in upper case', { san_dns: 'CI.Capitals.EXAMPLE' }, { san_dns: 'ci.capitals.example' }],
    ['a URI', { san_uri: 'urn:acme:Machine:7' }, { san_uri: 'urn:acme:Machine:7' }],
  ])('accept %s', async (_name, match, stored) => {
    expect((await register(match)).match).toMatchObject(stored);
  });

  test.each([
    ['no match', undefined, ['match']],
    ['an empty match', {}, ['match']],
    ['two matches', { san_dns: 'a.example', san_uri: 'urn:a:b' }, ['match']],
    ['a common name', { cn: 'ci' }, ['match.cn', 'match']],
    ['a SHA-1 thumbprint', { thumbprint: 'AB'.repeat(20) }, ['match.thumbprint']],
    ['a thumbprint with one extra bit', { thumbprint: `${'A'.repeat(42)}B` }, ['match.thumbprint']],
    ['a wildcard', { san_dns: '*.acme.example' }, ['match.san_dns']],
    ['a URL as a host name', { san_dns: 'https://acme.example' }, ['match.san_dns']],
    ['a host name with a line break', { san_dns: 'acme.example\n' }, ['match.san_dns']],
    ['a relative URI', { san_uri: '/ci' }, ['match.san_uri']],
    ['a match that is a string', 'ci.acme.example', ['match']],
  ])('with %s are refused', async (_name, match, paths) => {
    const { result, events } = await eventsSince(app, () => send(match as object));
    expect(result.status).toBe(422);
    const details = (result.body as unknown as { error: { details: { path: string }[] } }).error.details;
    expect(paths).toEqual(expect.arrayContaining(details.map(({ path }) => path)));
    expect(events).toEqual([]);
  });

  describe('a match', () => {
    test('is unique on the whole server until it is revoked', async () => {
      const { id } = await register({ san_dns: 'once.example' });
      for (const as of ['ada', 'gil'] as const) {
        const body = { name: 'again', match: { san_dns: 'ONCE.example' }, scopes: ['read:orders'] };
        expectError(await app.post(PATH, { as, body }), { status: 409, code: 'conflict' });
      }
      expect((await app.delete(`${PATH}/${id}`, { as: 'ada' })).status).toBe(204);
      expect((await app.delete(`${PATH}/${id}`, { as: 'ada' })).status).toBe(204);
      await register({ san_dns: 'once.example' });
    });

    test('can be registered again after it has expired', async () => {
      const end = new Date(app.clock().getTime() + 60_000).toISOString();
      const { id } = await register({ san_dns: 'ending.example' }, { expires_at: end });
      expectError(await send({ san_dns: 'ending.example' }), { status: 409, code: 'conflict' });
      app.clock.advance(60_000);
      await register({ san_dns: 'ending.example' });
      const { body } = await app.get<Registered>(`${PATH}/${id}`, { as: 'ada' });
      expect(body.revoked_at).toBe(app.clock().toISOString());
    });

    test('can be registered again by its organisation after its registrant was removed', async () => {
      const { sender, set } = await addAdministrator(engine, app, 'leaving@acme.test');
      const body = { name: 'ci', match: { san_dns: 'left.example' }, scopes: ['read:orders'] };
      expect((await app.post(PATH, { as: sender, body })).status).toBe(201);
      expectError(await send({ san_dns: 'left.example' }), { status: 409, code: 'conflict' });
      await set('removed_at = created_at');
      // Machines that still present the certificate would act for another organisation.
      expectError(await app.post(PATH, { as: 'gil', body }), { status: 409, code: 'conflict' });
      await register({ san_dns: 'left.example' });
    });
  });

  describe('authenticate', () => {
    const presented = (names: { uris?: string[]; dns?: string[]; thumbprint?: string }) => ({
      thumbprint: names.thumbprint ?? Buffer.alloc(32, 9).toString('base64url'),
      sanUris: names.uris ?? [],
      sanDnsNames: names.dns ?? [],
      validFrom: new Date(app.clock().getTime() - 1000),
      validTo: new Date(app.clock().getTime() + 1_000_000),
    });
    const verify = (names: Parameters<typeof presented>[0], others: object = {}) =>
      app.services.clientCertificates.verify({ ...presented(names), ...others });

    test('as their owner, with the current role, until the earlier expiry', async () => {
      const { sender, set } = await addAdministrator(engine, app, 'certified@acme.test');
      const end = new Date(app.clock().getTime() + 60_000);
      const body = {
        name: 'mine',
        match: { san_dns: 'mine.example' },
        scopes: ['read:orders', 'write:users'],
        expires_at: end.toISOString(),
      };
      const { body: made } = await app.post<Registered>(PATH, { as: sender, body });
      expect(await verify({ dns: ['Mine.Example'] })).toMatchObject({
        kind: 'certificate',
        org: 'acme',
        role: 'admin',
        scopes: new Set(['read:orders', 'write:users']),
        expiresAt: end.getTime() / 1000,
        credential: { table: 'clientCertificates', id: made.id },
      });
      const soon = new Date(app.clock().getTime() + 5000);
      expect(await verify({ dns: ['mine.example'] }, { validTo: soon })).toMatchObject({
        expiresAt: soon.getTime() / 1000,
      });
      await set("role = 'viewer'");
      await nextTurn();
      expect(await verify({ dns: ['mine.example'] })).toMatchObject({
        role: 'viewer',
        scopes: new Set(['read:orders']),
      });
      await set("role = 'admin', removed_at = created_at");
      // Reads of one turn of the event loop share one snapshot.
      await nextTurn();
      await expect(verify({ dns: ['mine.example'] })).rejects.toMatchObject({ code: 'invalid_token' });
    });

    test('by the most specific match, but not by an ambiguous one', async () => {
      const byName = await register({ san_dns: 'several.example' });
      const byUri = await register({ san_uri: 'urn:several:1' });
      const byHash = await register({ thumbprint: 'EF'.repeat(32) });
      await register({ san_dns: 'other.example' });
      const all = {
        dns: ['several.example'],
        uris: ['urn:several:1'],
        thumbprint: Buffer.alloc(32, 0xef).toString('base64url'),
      };
      expect(await verify(all)).toMatchObject({ credential: { table: 'clientCertificates', id: byHash.id } });
      expect(await verify({ ...all, thumbprint: 'x' })).toMatchObject({
        credential: { table: 'clientCertificates', id: byUri.id },
      });
      expect(await verify({ dns: ['several.example'] })).toMatchObject({
        credential: { table: 'clientCertificates', id: byName.id },
      });
      await expect(verify({ dns: ['several.example', 'other.example'] })).rejects.toMatchObject({
        code: 'invalid_token',
      });
      // A name matches only names of its own kind.
      await expect(verify({ uris: ['several.example'] })).rejects.toMatchObject({ code: 'invalid_token' });
    });

    describe('beside an expired registration that is more specific', () => {
      test.each([
        [
          'of its own organisation: rejected, since the other one may give more rights',
          'ada',
          'token_expired',
        ],
        ['of another organisation: accepted', 'gil', undefined],
      ] as const)('%s', async (_name, as, code) => {
        const uris = [`urn:expired:${as}`];
        const dns = [`expired-${as}.example`];
        const body = {
          name: 'expired',
          match: { san_uri: uris[0] },
          scopes: ['read:orders'],
          expires_at: new Date(app.clock().getTime() + 60_000).toISOString(),
        };
        const first = await app.post<Registered>(PATH, { as, body });
        expect(first.status, first.text).toBe(201);
        const { id } = await register({ san_dns: dns[0] });
        app.clock.advance(60_000);
        app.signOutAll();
        const verified = verify({ uris, dns });
        if (code) await expect(verified).rejects.toMatchObject({ code });
        else
          expect(await verified).toMatchObject({
            org: 'acme',
            credential: { table: 'clientCertificates', id },
          });
      });
    });

    test('but not if the certificate also matches another organisation', async () => {
      await register({ san_dns: 'coveted.example' });
      const thumbprint = Buffer.alloc(32, 0x5b).toString('base64url');
      const certificate = { dns: ['coveted.example'], thumbprint };
      expect(await verify(certificate)).toMatchObject({ org: 'acme' });
      const body = { name: 'squatter', match: { thumbprint }, scopes: ['read:orders'] };
      const made = await app.post<Registered>(PATH, { as: 'gil', body });
      expect(made.status).toBe(201);
      await nextTurn();
      await expect(verify(certificate)).rejects.toMatchObject({ code: 'invalid_token' });
      await app.delete(`${PATH}/${made.body.id}`, { as: 'gil' });
      await nextTurn();
      expect(await verify(certificate)).toMatchObject({ org: 'acme' });
    });

    test('as their owner, also with names that a database cannot store', async () => {
      await register({ san_dns: 'control.example' });
      const names = { uris: ['spiffe://a\0b'], dns: ['control.example\0', 'control.example'] };
      expect(await verify(names)).toMatchObject({ org: 'acme' });
      await expect(verify({ uris: names.uris })).rejects.toMatchObject({ code: 'invalid_token' });
    });

    test('only while the registration exists', async () => {
      const requireStillValid = createRevalidation({ ...app.services, presence: never, opaqueTokens: never });
      const { id } = await register({ san_dns: 'lasting.example' });
      await register({ san_uri: 'urn:lasting:2' });
      const certificate = presented({ dns: ['lasting.example'] });
      const principal = await app.services.clientCertificates.verify(certificate);
      const goOn = (shown: typeof certificate) =>
        requireStillValid(principal, { authorization: undefined, certificate: shown }, app.clock());
      await expect(goOn(certificate)).resolves.toBeUndefined();
      await app.delete(`${PATH}/${id}`, { as: 'ada' });
      await nextTurn();
      await expect(
        goOn(presented({ dns: ['lasting.example'], uris: ['urn:lasting:2'] })),
      ).rejects.toMatchObject({
        code: 'invalid_token',
      });
    });

    test.each([
      ['before its validity begins', -10_000, -5_000, 'token_expired'],
      ['at its expiry', -10_000, 0, 'token_expired'],
      ['early', 5_000, 10_000, 'token_expired'],
    ])('but not if the certificate is presented %s', async (_name, from, to, code) => {
      await send({ san_dns: 'times.example' });
      const now = app.clock().getTime();
      const times = { validFrom: new Date(now + from), validTo: new Date(now + to) };
      await expect(verify({ dns: ['times.example'] }, times)).rejects.toMatchObject({ code });
    });

    test('but not with too many names', async () => {
      await register({ san_dns: 'many.example' });
      const dns = ['many.example', ...Array.from({ length: 60 }, (_, n) => `n${n}.example`)];
      await expect(verify({ dns })).rejects.toMatchObject({ code: 'invalid_token' });
    });
  });

  test('cannot exceed the scopes of their creator, nor be created by an app or a shorter-lived key', async () => {
    const narrow = await app.signIn('ada', ['read:orders', 'manage:api-keys']);
    const body = { name: 'more', match: { san_dns: 'more.example' }, scopes: ['read:orders', 'write:users'] };
    expectError(await app.post(PATH, { as: narrow, body }), {
      status: 422,
      code: 'validation_failed',
      paths: ['scopes.1'],
    });
    const end = new Date(app.clock().getTime() + 60_000).toISOString();
    const { key } = await createKey(app, { scopes: ['manage:api-keys'], expires_at: end });
    const heir = { name: 'heir', match: { san_dns: 'heir.example' }, scopes: ['manage:api-keys'] };
    expectError(await app.post(PATH, { ...withKey(key), body: heir }), {
      status: 422,
      code: 'validation_failed',
      paths: ['expires_at'],
    });
  });
});
