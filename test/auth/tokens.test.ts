import { readFile, rm, writeFile } from 'node:fs/promises';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import { ROLE_SCOPES, SCOPES } from '../../src/auth/policy.ts';
import { Tokens, type TokensOptions } from '../../src/auth/tokens.ts';
import { type Forge, GOOD_SUBJECT, HOSTILE_TOKENS, signed } from '../support/inputs/hostile-tokens.ts';
import { AUDIENCE, ISSUER, type TokenBench, tokenBench } from './fixtures.ts';

const MINUTE = 60_000;
const SUBJECT = GOOD_SUBJECT;

let bench: TokenBench;

beforeEach(async () => {
  bench = await tokenBench();
});

async function issue(): Promise<string> {
  return (await bench.tokens.issue(SUBJECT)).accessToken;
}

/** Async, so that a synchronous exception becomes a rejection. */
async function verify(token: string, tokens = bench.tokens) {
  return tokens.verify(token);
}

/** Counts lookups of a key, one per verified signature. */
function countingTokens(capacity?: number) {
  const looked: string[] = [];
  const { keys, clock } = bench;
  const counting: TokensOptions['keys'] = {
    get generation() {
      return keys.generation;
    },
    signing: () => keys.signing(),
    find: (kid) => {
      looked.push(kid);
      return keys.find(kid);
    },
    refreshInBackground: () => keys.refreshInBackground(),
  };
  const options = { keys: counting, issuer: ISSUER, audience: AUDIENCE, clock };
  const tokens = new Tokens(capacity === undefined ? options : { ...options, capacity });
  return { tokens, checks: () => looked.length };
}

describe('an access token', () => {
  test('has the claims of the specification', async () => {
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

  test('has a unique id', async () => {
    expect(decodeJwt(await issue()).jti).not.toBe(decodeJwt(await issue()).jti);
  });

  test('has no more scopes than the role allows', async () => {
    const { accessToken } = await bench.tokens.issue({ ...SUBJECT, scopes: SCOPES });
    expect(decodeJwt(accessToken)['scopes']).toEqual(SCOPES.filter((scope) => ROLE_SCOPES.editor.has(scope)));
  });

  test('verifies as the principal it was issued to', async () => {
    const token = await issue();
    const principal = await verify(token);
    expect(principal).toEqual({
      kind: 'user',
      userId: 2,
      org: 'acme',
      role: 'editor',
      scopes: new Set(['read:docs', 'write:docs']),
      expiresAt: bench.clock().getTime() / 1000 + 900,
    });
    expect(Object.isFrozen(principal)).toBe(true);
  });

  test('of any role and set of scopes fits the header', async () => {
    const { accessToken } = await bench.tokens.issue({ ...SUBJECT, role: 'admin', scopes: SCOPES });
    expect(accessToken.length).toBeLessThan(1024);
  });
});

describe('a hostile token', () => {
  const forge = (): Forge => ({
    keys: bench.keys,
    clock: bench.clock,
    issuer: ISSUER,
    audience: AUDIENCE,
    issue,
  });

  test('the table below starts from a valid token', async () => {
    await expect(verify(await signed(forge()))).resolves.toMatchObject({ userId: 2 });
  });

  test.each(HOSTILE_TOKENS)('%s returns 401', async (_name, make) => {
    const token = await make(forge());
    await expect(verify(token)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'invalid_token',
      status: 401,
    });
    // A refused token is not cached as valid.
    await expect(verify(token)).rejects.toMatchObject({ name: 'ApiError', code: 'invalid_token' });
  });

  test('a lifetime of more than 15 minutes is refused', async () => {
    const now = bench.clock().getTime() / 1000;
    const living = (seconds: number) => signed(forge(), {}, { iat: now, exp: now + seconds });
    await expect(verify(await living(900))).resolves.toMatchObject({ userId: 2 });
    for (const seconds of [901, 86_400, 900_000]) {
      await expect(verify(await living(seconds))).rejects.toMatchObject({ code: 'invalid_token' });
    }
  });

  test('no response repeats the token', async () => {
    const error = await verify(await signed(forge(), { kid: 'canary-kid' }, { sub: 'canary-sub' })).catch(
      String,
    );
    expect(error).not.toContain('canary');
  });

  test('every token of the table has exactly one fault', () => {
    expect(new Set(HOSTILE_TOKENS.map(([name]) => name)).size).toBe(HOSTILE_TOKENS.length);
  });
});

describe('the expiry of a token', () => {
  test('is at the second of its exp', async () => {
    const token = await issue();
    bench.clock.advance(15 * MINUTE - 1);
    await expect(verify(token)).resolves.toMatchObject({ userId: 2 });
    bench.clock.advance(1);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired', status: 401 });
  });

  test('also applies to cached tokens', async () => {
    const token = await issue();
    await verify(token);
    bench.clock.advance(15 * MINUTE - 1);
    expect(bench.tokens.verify(token)).not.toBeInstanceOf(Promise);
    bench.clock.advance(1);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired' });
    bench.clock.advance(-1);
    await expect(verify(token)).resolves.toMatchObject({ userId: 2 });
  });

  test('applies a fractional exp to the millisecond', async () => {
    const { kid, privateKey } = await bench.keys.signing();
    const now = bench.clock().getTime() / 1000;
    const token = await new SignJWT({ ...decodeJwt(await issue()), exp: now + 0.5 })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
      .sign(privateKey);
    bench.clock.advance(500);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  test('an expired token with a foreign signature is invalid, not expired', async () => {
    const other = await tokenBench();
    const { accessToken } = await other.tokens.issue(SUBJECT);
    bench.clock.advance(60 * MINUTE);
    await expect(verify(accessToken)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

describe('verified tokens', () => {
  test('are verified once and cached', async () => {
    const { tokens, checks } = countingTokens();
    const token = await issue();
    const first = tokens.verify(token);
    expect(first).toBeInstanceOf(Promise);
    const principal = await first;
    expect(tokens.verify(token)).toBe(principal);
    expect(checks()).toBe(1);
  });

  test('share one verification if they arrive together', async () => {
    const { tokens, checks } = countingTokens();
    const token = await issue();
    const principals = await Promise.all(Array.from({ length: 50 }, () => tokens.verify(token)));
    expect(new Set(principals).size).toBe(1);
    expect(checks()).toBe(1);
  });

  test('share one failure as well, and failures are not cached', async () => {
    const { tokens, checks } = countingTokens();
    const token = (await issue()).replace(/.{86}$/, 'A'.repeat(86));
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => verify(token, tokens)));
    expect(attempts.every(({ status }) => status === 'rejected')).toBe(true);
    expect(checks()).toBe(1);
    await expect(verify(token, tokens)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(checks()).toBe(2);
  });

  test('are limited in number', async () => {
    const { tokens, checks } = countingTokens(3);
    const issued = await Promise.all(Array.from({ length: 10 }, issue));
    for (const token of issued) await tokens.verify(token);
    expect(checks()).toBe(10);
    for (const token of issued.slice(-3)) expect(tokens.verify(token)).not.toBeInstanceOf(Promise);
    const [first = ''] = issued;
    expect(tokens.verify(first)).toBeInstanceOf(Promise);
  });

  test('a token with the same ending as a cached one is not confused with it', async () => {
    const { tokens, clock } = bench;
    const token = await issue();
    const principal = await tokens.verify(token);
    expect(tokens.known(token, clock())).toBe(principal);
    const [header, payload = '', signature] = token.split('.');
    const forged = [header, payload.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), signature].join('.');
    for (const other of [forged, `x${token}`, token.slice(1), token.slice(-32), '']) {
      expect(tokens.known(other, clock())).toBeUndefined();
    }
    await expect(verify(forged)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('the least recently used is forgotten first', async () => {
    const { keys, clock } = bench;
    const small = new Tokens({ keys, issuer: ISSUER, audience: AUDIENCE, clock, capacity: 2 });
    const [one = '', two = '', three = ''] = await Promise.all(
      [1, 2, 3].map(async (userId) => (await small.issue({ ...SUBJECT, userId })).accessToken),
    );
    for (const token of [one, two, one, three]) await small.verify(token);
    const known = [one, two, three].map((token) => small.known(token, clock())?.userId);
    expect(known).toEqual([1, undefined, 3]);
  });
});

describe('rotation of keys', () => {
  test('earlier tokens stay valid, new ones are signed with the new key', async () => {
    const former = await issue();
    const added = await rotateKeyFile(bench.keysFile, bench.clock);
    await bench.keys.reload();
    const token = await issue();
    expect(decodeProtectedHeader(token).kid).toBe(added);
    await expect(verify(former)).resolves.toMatchObject({ userId: 2 });
    await expect(verify(token)).resolves.toMatchObject({ userId: 2 });
  });

  test('removing a key from the file invalidates its tokens, also cached ones', async () => {
    const { keysFile, clock } = bench;
    const token = await issue();
    await verify(token);
    await rotateKeyFile(keysFile, clock);
    const [added] = JSON.parse(await readFile(keysFile, 'utf8')).keys;
    await writeFile(keysFile, JSON.stringify({ keys: [added] }));
    await bench.keys.reload();
    await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('using a cached token is enough to detect a removed key', async () => {
    const { keysFile, clock, tokens, keys } = bench;
    const token = await issue();
    const principal = await verify(token);
    await rotateKeyFile(keysFile, clock);
    const [added] = JSON.parse(await readFile(keysFile, 'utf8')).keys;
    await writeFile(keysFile, JSON.stringify({ keys: [added] }));
    const { generation } = keys;
    clock.advance(MINUTE);
    // The request does not wait for the file: it triggers the reading, and still uses the cache.
    expect(tokens.verify(token)).toBe(principal);
    await expect.poll(() => keys.generation).not.toBe(generation);
    await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('a missing file is reported once a minute, and cached tokens stay valid', async () => {
    const { keysFile, clock } = bench;
    const reported: unknown[] = [];
    const keys = await loadKeys({
      file: keysFile,
      createWhenMissing: false,
      clock,
      time: () => clock().getTime(),
      onReloadFailure: (error) => reported.push(error),
    });
    const tokens = new Tokens({ keys, issuer: ISSUER, audience: AUDIENCE, clock });
    const token = await issue();
    const principal = await tokens.verify(token);
    await rm(keysFile);
    for (let minute = 1; minute <= 2; minute += 1) {
      clock.advance(MINUTE);
      for (let use = 0; use < 10; use += 1) expect(tokens.verify(token)).toBe(principal);
      await expect.poll(() => reported.length).toBe(minute);
    }
    expect(reported).toEqual([1, 2].map(() => expect.objectContaining({ name: 'KeyFileError' })));
  });

  test('the published public key verifies the tokens', async () => {
    const [jwk] = bench.keys.publicJwks().keys;
    expect(Object.keys(jwk ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const [head, body, signature = ''] = (await issue()).split('.');
    const key = await importJWK({ ...jwk }, 'EdDSA');
    if (key instanceof Uint8Array) throw new Error('An Ed25519 key is not a secret.');
    const data = Buffer.from(`${head}.${body}`);
    expect(await crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64url'), data)).toBe(true);
  });
});
