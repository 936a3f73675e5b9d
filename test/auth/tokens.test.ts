import { decodeJwt, decodeProtectedHeader, importJWK, type JWTPayload, SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import type { Keys } from '../../src/auth/keys.ts';
import { ROLE_SCOPES, SCOPES } from '../../src/auth/policy.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { VerifiedTokens } from '../../src/auth/verified-tokens.ts';
import { AUDIENCE, ISSUER, type TokenBench, testClock, tokenBench } from './fixtures.ts';

const MINUTE = 60_000;
const SUBJECT = { userId: 2, org: 'acme', role: 'editor', scopes: ['read:docs', 'write:docs'] } as const;

let bench: TokenBench;

beforeEach(async () => {
  bench = await tokenBench();
});

async function issue(): Promise<string> {
  return (await bench.tokens.issue(SUBJECT)).accessToken;
}

/** Awaiting within a function of its own makes what is thrown at once a rejection like any other. */
async function verify(token: string, tokens = bench.tokens) {
  return tokens.verify(token);
}

/** Counts how often a key is looked up, which happens once for each signature that is checked. */
function countingTokens(capacity?: number) {
  const looked: string[] = [];
  const { keys, clock } = bench;
  const counting: Keys = {
    get generation() {
      return keys.generation;
    },
    signing: () => keys.signing(),
    find: (kid) => {
      looked.push(kid);
      return keys.find(kid);
    },
    publicJwks: () => keys.publicJwks(),
    secrets: (purpose) => keys.secrets(purpose),
    reload: () => keys.reload(),
  };
  const options = { keys: counting, issuer: ISSUER, audience: AUDIENCE, clock };
  const tokens = createTokens(capacity === undefined ? options : { ...options, capacity });
  return { tokens, checks: () => looked.length };
}

describe('an access token', () => {
  test('says what the specification asks for', async () => {
    const { accessToken, expiresIn } = await bench.tokens.issue(SUBJECT);
    expect(expiresIn).toBe(900);
    const { kid } = await bench.keys.signing();
    expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid });
    const now = bench.clock().getTime() / 1000;
    expect(decodeJwt(accessToken)).toEqual({
      sub: '2',
      org: 'acme',
      role: 'editor',
      scopes: ['read:docs', 'write:docs'],
      iat: now,
      exp: now + 900,
      iss: ISSUER,
      aud: AUDIENCE,
      jti: expect.any(String),
    });
  });

  test('has a name of its own', async () => {
    expect(decodeJwt(await issue()).jti).not.toBe(decodeJwt(await issue()).jti);
  });

  test('carries no more than the role gives', async () => {
    const { accessToken } = await bench.tokens.issue({ ...SUBJECT, scopes: SCOPES });
    expect(decodeJwt(accessToken)['scopes']).toEqual(SCOPES.filter((scope) => ROLE_SCOPES.editor.has(scope)));
  });

  test('is read back as the principal it was made for', async () => {
    const token = await issue();
    const principal = await verify(token);
    expect(principal).toEqual({
      kind: 'user',
      userId: 2,
      org: 'acme',
      role: 'editor',
      scopes: new Set(['read:docs', 'write:docs']),
      expiresAt: bench.clock().getTime() / 1000 + 900,
      tokenId: decodeJwt(token).jti,
    });
    expect(Object.isFrozen(principal)).toBe(true);
  });

  test('of any role and set of scopes fits the header it is sent in', async () => {
    const { accessToken } = await bench.tokens.issue({ ...SUBJECT, role: 'admin', scopes: SCOPES });
    expect(accessToken.length).toBeLessThan(1024);
  });
});

describe('a hostile token', () => {
  type Claims = Record<string, unknown>;
  const base64url = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

  /** A token with the server's own signature: what even a signature must not let pass. */
  async function signed(header: Claims = {}, claims: Claims | string = {}): Promise<string> {
    const { kid, privateKey } = await bench.keys.signing();
    const head = base64url({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header });
    const body = base64url(typeof claims === 'string' ? claims : { ...good(), ...claims });
    const signature = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(`${head}.${body}`));
    return `${head}.${body}.${Buffer.from(signature).toString('base64url')}`;
  }

  function good(): Claims {
    const now = bench.clock().getTime() / 1000;
    const { userId, ...rest } = SUBJECT;
    return { ...rest, sub: String(userId), iat: now, exp: now + 900, iss: ISSUER, aud: AUDIENCE, jti: 'a' };
  }

  const without = (claim: string) => () => signed({}, { [claim]: undefined });
  const claiming = (claims: Claims) => () => signed({}, claims);
  const headed = (header: Claims) => () => signed(header);
  const seconds = (offset: number) => bench.clock().getTime() / 1000 + offset;

  /** A token of another's key that offers the key to verify it with. */
  async function foreign(header: (jwk: Claims) => Claims): Promise<string> {
    const other = await tokenBench();
    const { privateKey, kid } = await other.keys.signing();
    const [jwk] = other.keys.publicJwks().keys;
    // The payload is hostile on purpose, so it is not what the library takes for claims.
    return new SignJWT(good() as JWTPayload)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header({ ...jwk }) })
      .sign(privateKey);
  }

  /** A token whose HMAC key is what everybody can read in the public JWKS. */
  async function hmacWithPublicKey(secretOf: (jwk: { x: string }) => string): Promise<string> {
    const [jwk] = bench.keys.publicJwks().keys;
    if (!jwk) throw new Error('The ring has no key.');
    return new SignJWT(good() as JWTPayload)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid })
      .sign(Buffer.from(secretOf(jwk), 'base64url'));
  }

  const unsigned =
    (alg: string, signature = '') =>
    async () => {
      const { kid } = await bench.keys.signing();
      return `${base64url({ alg, typ: 'at+jwt', kid })}.${base64url(good())}.${signature}`;
    };

  test('the table below starts from a token that is good', async () => {
    await expect(verify(await signed())).resolves.toMatchObject({ userId: 2 });
  });

  const MAKERS: readonly [name: string, make: () => string | Promise<string>][] = [
    ['algorithm none', unsigned('none')],
    ['algorithm None', unsigned('None')],
    ['algorithm NONE', unsigned('NONE')],
    ['algorithm none with a signature of the right length', unsigned('none', 'A'.repeat(86))],
    ['algorithm none under our signature', headed({ alg: 'none' })],
    ['HS256 with the public x as secret', () => hmacWithPublicKey((jwk) => jwk.x)],
    ['HS256 with the public JWK as secret', () => hmacWithPublicKey((jwk) => base64url(jwk))],
    ['HS256 under our signature', headed({ alg: 'HS256' })],
    ['ES256 under our signature', headed({ alg: 'ES256' })],
    ['another name of our algorithm', headed({ alg: 'Ed25519' })],
    ['no algorithm', headed({ alg: undefined })],
    ['an algorithm that is a list', headed({ alg: ['EdDSA'] })],

    ['an embedded jwk of its own', () => foreign((jwk) => ({ jwk }))],
    [
      'an embedded jwk and our kid',
      () => foreign((jwk) => ({ jwk, kid: bench.keys.publicJwks().keys[0]?.kid })),
    ],
    ['a jku', () => foreign(() => ({ jku: 'https://evil.test/jwks.json' }))],
    ['an x5u', () => foreign(() => ({ x5u: 'https://evil.test/key.pem' }))],
    ['an x5c', () => foreign(() => ({ x5c: ['MIIB'] }))],
    ['another key under our kid', () => foreign(() => ({ kid: bench.keys.publicJwks().keys[0]?.kid }))],
    ['a jwk under our signature', headed({ jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } })],
    ['a jku under our signature', headed({ jku: 'https://evil.test/jwks.json' })],
    ['a crit that asks for nothing known', headed({ crit: ['exp'], exp: 1 })],
    ['an unencoded payload', headed({ crit: ['b64'], b64: false })],

    ['no kid', headed({ kid: undefined })],
    ['an unknown kid', headed({ kid: 'unknown' })],
    ['a kid like a path', headed({ kid: '../../../../etc/passwd' })],
    ['a kid like SQL', headed({ kid: "' or 1=1 --" })],
    ['a kid named __proto__', headed({ kid: '__proto__' })],
    ['a kid named constructor', headed({ kid: 'constructor' })],
    ['a kid that is a number', headed({ kid: 1 })],
    ['a kid that is a list', headed({ kid: ['a'] })],
    ['a kid of 10 KB', headed({ kid: 'k'.repeat(10_240) })],

    ['no typ', headed({ typ: undefined })],
    ['the typ of another JWT', headed({ typ: 'JWT' })],
    ['the typ in another spelling', headed({ typ: 'application/at+jwt' })],
    ['a typ that is a number', headed({ typ: 1 })],

    ['exp as a string', () => signed({}, { exp: String(seconds(900)) })],
    ['exp of 1e400', () => signed({}, JSON.stringify(good()).replace(/"exp":\d+/, '"exp":1e400'))],
    ['exp null', claiming({ exp: null })],
    ['no exp', without('exp')],
    ['nbf in the future', () => signed({}, { nbf: seconds(60) })],
    ['nbf as a string', claiming({ nbf: 'now' })],
    ['iat as a string', claiming({ iat: 'now' })],
    ['no iat', without('iat')],
    ['another issuer', claiming({ iss: `${ISSUER}/` })],
    ['an issuer that is a list', claiming({ iss: [ISSUER] })],
    ['no issuer', without('iss')],
    ['another audience', claiming({ aud: 'https://other.test' })],
    ['an audience that is a number', claiming({ aud: 1 })],
    ['no audience', without('aud')],

    ['no subject', without('sub')],
    ['a subject that is a number', claiming({ sub: 2 })],
    ['a subject that is no id', claiming({ sub: 'ada' })],
    ['a subject of 0', claiming({ sub: '0' })],
    ['a subject below 0', claiming({ sub: '-1' })],
    ['a subject with a fraction', claiming({ sub: '2.0' })],
    ['a subject with an exponent', claiming({ sub: '2e0' })],
    ['a subject with a space', claiming({ sub: '2 ' })],
    ['a subject beyond exact integers', claiming({ sub: '9007199254740993' })],
    ['no organisation', without('org')],
    ['an empty organisation', claiming({ org: '' })],
    ['an organisation that is a list', claiming({ org: ['acme'] })],
    ['no role', without('role')],
    ['a role that does not exist', claiming({ role: 'owner' })],
    ['a role in another spelling', claiming({ role: 'Admin' })],
    ['a role named __proto__', claiming({ role: '__proto__' })],
    ['a role that is a list', claiming({ role: ['admin'] })],
    ['a role that is an object', claiming({ role: { toString: 'admin' } })],
    ['no scopes', without('scopes')],
    ['scopes as one string', claiming({ scopes: 'read:docs write:docs' })],
    ['scopes as an object', claiming({ scopes: { 0: 'read:docs', length: 1 } })],
    ['scopes null', claiming({ scopes: null })],
    ['a scope that is a number', claiming({ scopes: ['read:docs', 1] })],
    ['a scope that is a list', claiming({ scopes: [['read:docs']] })],
    ['a scope that does not exist', claiming({ scopes: ['read:docs', 'read:everything'] })],
    ['a scope beyond the role', claiming({ scopes: ['write:users'] })],
    ['a scope beyond a viewer', claiming({ role: 'viewer', scopes: ['write:docs'] })],
    ['no jti', without('jti')],
    ['a jti that is a number', claiming({ jti: 1 })],

    ['a payload that is a list', () => signed({}, '[]')],
    ['a payload that is null', () => signed({}, 'null')],
    ['a payload that is not JSON', () => signed({}, '{"sub":')],
    ['an empty payload', () => signed({}, '')],
    ['an empty string', () => ''],
    ['a refresh token', () => `prt_${'A'.repeat(43)}`],
    ['three dots', () => '...'],
    ['dots and nothing', () => '..'],
    ['something else entirely', () => 'portico-demo'],
    ['no signature', async () => (await issue()).replace(/[^.]*$/, '')],
    ['two parts', async () => (await issue()).replace(/\.[^.]*$/, '')],
    ['a truncated signature', async () => (await issue()).slice(0, -1)],
    ['half a token', async () => (await issue()).slice(0, 100)],
    ['one character more', async () => `${await issue()}A`],
    ['a fourth part', async () => `${await issue()}.e30`],
    ['a fifth part', async () => `${await issue()}.e30.e30`],
    ['padding', async () => `${await issue()}==`],
    ['a space before', async () => ` ${await issue()}`],
    ['a newline after', async () => `${await issue()}\n`],
    ['a space within', async () => (await issue()).replace('.', '. ')],
    ['a newline within', async () => (await issue()).replace('.', '.\n')],
    ['a NUL after', async () => `${await issue()}\0`],
    ['the scheme before', async () => `Bearer ${await issue()}`],
    [
      'another payload',
      async () => (await issue()).replace(/\.[^.]*\./, `.${base64url({ ...good(), role: 'admin' })}.`),
    ],
    ['a signature in another spelling', async () => (await issue()).replace(/.$/, nextLetter)],
    [
      'the signature of another token',
      async () => `${(await issue()).replace(/[^.]*$/, '')}${(await issue()).split('.')[2]}`,
    ],
    ['100 KB', () => `e30.${'A'.repeat(100_000)}.${'A'.repeat(86)}`],
  ];

  /** The same signature bytes: the last character of 64 bytes has 4 bits that mean nothing. */
  function nextLetter(letter: string): string {
    return String.fromCharCode(letter.charCodeAt(0) + 1);
  }

  test.each(MAKERS)('%s is 401', async (_name, make) => {
    const token = await make();
    await expect(verify(token)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'invalid_token',
      status: 401,
    });
    // What was refused is not remembered as good.
    await expect(verify(token)).rejects.toMatchObject({ name: 'ApiError', code: 'invalid_token' });
  });

  test('no answer repeats what was sent', async () => {
    const error = await verify(await signed({ kid: 'canary-kid' }, { sub: 'canary-sub' })).catch(String);
    expect(error).not.toContain('canary');
  });

  test('every token of the table was made for one reason each', () => {
    expect(new Set(MAKERS.map(([name]) => name)).size).toBe(MAKERS.length);
  });
});

describe('the end of a token', () => {
  test('comes at the second of its exp', async () => {
    const token = await issue();
    bench.clock.advance(15 * MINUTE - 1);
    await expect(verify(token)).resolves.toMatchObject({ userId: 2 });
    bench.clock.advance(1);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired', status: 401 });
  });

  test('is not outlived by the cache', async () => {
    const token = await issue();
    await verify(token);
    bench.clock.advance(15 * MINUTE - 1);
    expect(bench.tokens.verify(token)).not.toBeInstanceOf(Promise);
    bench.clock.advance(1);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired' });
    bench.clock.advance(-1);
    await expect(verify(token)).resolves.toMatchObject({ userId: 2 });
  });

  test('an exp with a fraction is kept to the millisecond', async () => {
    const { kid, privateKey } = await bench.keys.signing();
    const now = bench.clock().getTime() / 1000;
    const token = await new SignJWT({ ...decodeJwt(await issue()), exp: now + 0.5 })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
      .sign(privateKey);
    bench.clock.advance(500);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  test('a token of another key is never called expired: it never was a token', async () => {
    const other = await tokenBench();
    const { accessToken } = await other.tokens.issue(SUBJECT);
    bench.clock.advance(60 * MINUTE);
    await expect(verify(accessToken)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

describe('verified tokens', () => {
  test('are checked once, and known at once after that', async () => {
    const { tokens, checks } = countingTokens();
    const token = await issue();
    const first = tokens.verify(token);
    expect(first).toBeInstanceOf(Promise);
    const principal = await first;
    expect(tokens.verify(token)).toBe(principal);
    expect(checks()).toBe(1);
  });

  test('share one check when they come together', async () => {
    const { tokens, checks } = countingTokens();
    const token = await issue();
    const principals = await Promise.all(Array.from({ length: 50 }, () => tokens.verify(token)));
    expect(new Set(principals).size).toBe(1);
    expect(checks()).toBe(1);
  });

  test('share one failure as well, and a failure is not kept', async () => {
    const { tokens, checks } = countingTokens();
    const token = (await issue()).replace(/.{86}$/, 'A'.repeat(86));
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => verify(token, tokens)));
    expect(attempts.every(({ status }) => status === 'rejected')).toBe(true);
    expect(checks()).toBe(1);
    await expect(verify(token, tokens)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(checks()).toBe(2);
  });

  test('are no more than the bound', async () => {
    const { tokens, checks } = countingTokens(3);
    const issued = await Promise.all(Array.from({ length: 10 }, issue));
    for (const token of issued) await tokens.verify(token);
    expect(checks()).toBe(10);
    for (const token of issued.slice(-3)) expect(tokens.verify(token)).not.toBeInstanceOf(Promise);
    const [first = ''] = issued;
    expect(tokens.verify(first)).toBeInstanceOf(Promise);
  });

  test('the least recently used goes first', () => {
    const principal = {
      kind: 'user',
      userId: 1,
      org: 'acme',
      role: 'viewer',
      scopes: ROLE_SCOPES.viewer,
      tokenId: 'a',
      expiresAt: Number.POSITIVE_INFINITY,
    } as const;
    const cache = new VerifiedTokens(2, testClock());
    cache.add('a', principal);
    cache.add('b', principal);
    cache.get('a');
    cache.add('c', principal);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([principal, undefined, principal]);
    for (let i = 0; i < 1000; i += 1) cache.add(`token ${i}`, principal);
    cache.add('token 999', principal);
    expect(cache.size).toBe(2);
  });

  test('an entry that has ended leaves at once', () => {
    const clock = testClock();
    const cache = new VerifiedTokens(2, clock);
    const expiresAt = clock().getTime() / 1000 + 1;
    const scopes = ROLE_SCOPES.viewer;
    cache.add('a', { kind: 'user', userId: 1, org: 'acme', role: 'viewer', scopes, tokenId: 'a', expiresAt });
    clock.advance(1000);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });
});

describe('rotation of keys', () => {
  test('former tokens live on, new ones are signed with the new key', async () => {
    const former = await issue();
    const added = await rotateKeyFile(bench.keysFile, bench.clock);
    await bench.keys.reload();
    const token = await issue();
    expect(decodeProtectedHeader(token).kid).toBe(added);
    await expect(verify(former)).resolves.toMatchObject({ userId: 2 });
    await expect(verify(token)).resolves.toMatchObject({ userId: 2 });
  });

  test('a key that is taken out of the file voids what it signed, also what was verified before', async () => {
    const { keysFile, clock } = bench;
    const token = await issue();
    await verify(token);
    await rotateKeyFile(keysFile, clock);
    const { readFile, writeFile } = await import('node:fs/promises');
    const [added] = JSON.parse(await readFile(keysFile, 'utf8')).keys;
    await writeFile(keysFile, JSON.stringify({ keys: [added] }));
    await bench.keys.reload();
    await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('the public half that is published verifies the tokens', async () => {
    const [jwk] = bench.keys.publicJwks().keys;
    expect(Object.keys(jwk ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const [head, body, signature = ''] = (await issue()).split('.');
    const key = await importJWK({ ...jwk }, 'EdDSA');
    if (key instanceof Uint8Array) throw new Error('An Ed25519 key is not a secret.');
    const data = Buffer.from(`${head}.${body}`);
    expect(await crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64url'), data)).toBe(true);
  });
});
