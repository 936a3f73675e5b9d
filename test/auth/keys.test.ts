import { generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fastify } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { type Keys, loadKeys } from '../../src/auth/keys.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { publicKeysRoute } from '../../src/http/routes/metadata.ts';
import { type TestClock, testClock } from '../support/test-doubles.ts';
import { temporaryDirectory } from './fixtures.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: TestClock;
let file: string;

beforeEach(async () => {
  clock = testClock();
  file = join(await temporaryDirectory(), 'deep', 'keys.json');
});

const load = (createWhenMissing = true): Promise<Keys> =>
  loadKeys({ file, createWhenMissing, clock, time: () => clock().getTime() });

/** Key objects cannot be compared, so this returns them in hexadecimal. */
const secretsOf = (keys: Keys, purpose: string) =>
  keys.secrets(purpose).map((secret) => secret.export().toString('hex'));

describe('a missing key file', () => {
  test('is created with one key, readable only by its owner', async () => {
    const keys = await load();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(file))).toEqual(['keys.json']);
    expect(keys.publicJwks().keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
      },
    ]);
  });

  test('with a wider mode is restricted to its owner when it is read', async () => {
    await load();
    await chmod(file, 0o644);
    await load();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  });

  test('is created once by many processes that start together', async () => {
    const rings = await Promise.all(Array.from({ length: 20 }, () => load()));
    const kids = new Set(rings.map((keys) => keys.publicJwks().keys[0]?.kid));
    expect(kids.size).toBe(1);
    expect(await readdir(dirname(file))).toEqual(['keys.json']);
  });

  test('does not replace a dangling symbolic link', async () => {
    await mkdir(dirname(file));
    await symlink('nothing', file);
    await expect(load()).rejects.toThrow('does not exist');
    expect(await readlink(file)).toBe('nothing');
    expect(await readdir(dirname(file))).toEqual(['keys.json']);
  });

  test('is not overwritten if it exists', async () => {
    await load();
    const before = await readFile(file, 'utf8');
    await load();
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('fails the start if it must not be created', async () => {
    await expect(load(false)).rejects.toThrow(`The key file ${file} does not exist.`);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('an unusable key file', () => {
  const key = (): Record<string, unknown> => ({
    ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  });
  const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const twice = { ...key(), kid: 'a' };

  test.each<[string, unknown, RegExp]>([
    ['not JSON', '{"keys": [', /is not JSON/],
    ['a list', [], /a list of 1 to 64 private JWKs/],
    ['no keys', { keys: [] }, /a list of 1 to 64 private JWKs/],
    ['too many keys', { keys: Array.from({ length: 65 }, key) }, /a list of 1 to 64 private JWKs/],
    ['null as a key', { keys: [null] }, /key 1 must be an object/],
    ['an RSA key', { keys: [key(), rsa()] }, /key 2 must have kty "OKP"/],
    ['a public key', { keys: [{ ...key(), d: undefined }] }, /key 1 must have the private member d/],
    ['a short d', { keys: [{ ...key(), d: 'c2hvcnQ' }] }, /key 1 must have the private member d/],
    ['no x', { keys: [{ ...key(), x: undefined }] }, /key 1 must have the public member x/],
    [
      'with the x of another key',
      { keys: [{ ...key(), x: key()['x'] }] },
      /key 1 has an x that does not belong to its d/,
    ],
    ['another algorithm', { keys: [{ ...key(), alg: 'HS256' }] }, /key 1 must have alg "EdDSA"/],
    ['another use', { keys: [{ ...key(), use: 'enc' }] }, /key 1 must have use "sig"/],
    ['a kid like a path', { keys: [{ ...key(), kid: '../../etc/passwd' }] }, /key 1 must have a kid/],
    ['a kid that is a number', { keys: [{ ...key(), kid: 7 }] }, /key 1 must have a kid/],
    ['two keys with one kid', { keys: [twice, { ...key(), kid: 'a' }] }, /two keys have the same kid/],
    [
      'an exp of a wrong type',
      { keys: [key(), { ...key(), exp: 'soon' }] },
      /key 2 must have exp in whole seconds/,
    ],
    ['a first key that has expired', { keys: [{ ...key(), exp: 1 }] }, /its first key signs/],
  ])('%s stops the start, and no secret is quoted', async (_name, content, reason) => {
    file = join(dirname(dirname(file)), 'keys.json');
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(file, text);
    const error = await load().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'KeyFileError', message: expect.stringMatching(reason) });
    for (const [secret] of text.matchAll(/(?<="d":")[^"]+/g)) expect(String(error)).not.toContain(secret);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('a directory in its place is reported', async () => {
    file = dirname(dirname(file));
    await expect(load(false)).rejects.toThrow(/cannot be read: EISDIR/);
  });
});

test('a plain private JWKS is accepted', async () => {
  file = join(dirname(dirname(file)), 'keys.json');
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  await writeFile(file, JSON.stringify({ keys: [jwk] }));
  const [shown] = (await load(false)).publicJwks().keys;
  expect(shown).toMatchObject({ x: jwk.x, kid: expect.stringMatching(/^[\w-]{43}$/) });
});

describe('rotation', () => {
  test('puts a new key first and keeps the previous one until its tokens have expired', async () => {
    const keys = await load();
    const { kid: former } = await keys.signing();
    const added = await rotateKeyFile(file, clock);
    await keys.reload();

    expect((await keys.signing()).kid).toBe(added);
    expect(await keys.find(former)).toBeDefined();
    expect(keys.publicJwks().keys.map((key) => key.kid)).toEqual([added, former]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    clock.advance(15 * MINUTE);
    expect(await keys.find(former)).toBeDefined();
    clock.advance(HOUR);
    expect(await keys.find(former)).toBeUndefined();
    expect(keys.publicJwks().keys.map((key) => key.kid)).toEqual([added]);
  });

  test('keeps the owner of the file, who is the user of the server', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only the superuser can give a file to another user');
    await load();
    await chown(file, 65_534, 65_534);
    await rotateKeyFile(file, clock);
    expect(await stat(file)).toMatchObject({ uid: 65_534, gid: 65_534 });
  });

  test('keeps a key for opening sealed values for a month after its tokens have expired', async () => {
    const keys = await load();
    const { kid: former } = await keys.signing();
    const [sealed] = secretsOf(keys, 'idempotency');
    for (const hours of [2, 10, 29.5 * 24 + 12]) {
      await rotateKeyFile(file, clock);
      clock.advance(hours * HOUR);
    }
    await keys.reload();
    expect(secretsOf(keys, 'idempotency')).toContain(sealed);
    expect(await keys.find(former)).toBeUndefined();
    expect(keys.publicJwks().keys.map(({ kid }) => kid)).not.toContain(former);

    clock.advance(1.25 * HOUR);
    await rotateKeyFile(file, clock);
    await keys.reload();
    expect(secretsOf(keys, 'idempotency')).not.toContain(sealed);
  });

  test('seals with the new key once every instance has it', async () => {
    const fast = await load();
    const slow = await load();
    const sealOf = (keys: Keys) => secretsOf(keys, 'cursors')[0];
    await rotateKeyFile(file, clock);
    await fast.reload();
    expect(secretsOf(slow, 'cursors')).toContain(sealOf(fast));
    clock.advance(MINUTE);
    // Reading the keys triggers a check of the file, for the next reader.
    slow.secrets('cursors');
    await slow.reload();
    clock.advance(MINUTE + 1000);
    await fast.signing();
    expect(sealOf(fast)).toEqual(secretsOf(fast, 'cursors')[0]);
    expect(sealOf(fast)).not.toEqual(secretsOf(fast, 'cursors')[1]);
    expect(secretsOf(slow, 'cursors')).toContain(sealOf(fast));
  });

  test('does not extend the lifetime of a key that was rotated earlier', async () => {
    await load();
    await rotateKeyFile(file, clock);
    const [, before] = JSON.parse(await readFile(file, 'utf8')).keys;
    clock.advance(MINUTE);
    await rotateKeyFile(file, clock);
    const [, , after] = JSON.parse(await readFile(file, 'utf8')).keys;
    expect(after).toEqual(before);
  });

  test('is detected by a running instance within a minute, and at once for an unknown kid', async () => {
    const signer = await load();
    const verifier = await load();
    const added = await rotateKeyFile(file, clock);
    clock.advance(MINUTE);
    expect(signer.publicJwks().keys.map(({ kid }) => kid)).not.toContain(added);
    await signer.refresh();
    expect(signer.publicJwks().keys.map(({ kid }) => kid)).toContain(added);
    const later = await rotateKeyFile(file, clock);
    clock.advance(1_000);
    expect(await verifier.find(later)).toBeDefined();
  });

  test('is known to all of several requests that arrive while the file is read', async () => {
    const former = await load();
    const added = await rotateKeyFile(file, clock);
    clock.advance(MINUTE);
    const found = await Promise.all(Array.from({ length: 5 }, () => former.find(added)));
    expect(found.map((key) => key !== undefined)).toEqual([true, true, true, true, true]);

    const later = await rotateKeyFile(file, clock);
    const vault = (await load()).createVault();
    const sealed = vault.seal('secret', 'place');
    const opener = former.createVault();
    clock.advance(1_000);
    expect(former.publicJwks().keys.map(({ kid }) => kid)).not.toContain(later);
    const opened = await Promise.all(Array.from({ length: 5 }, () => opener.open(sealed, 'place')));
    expect(opened).toEqual(Array(5).fill('secret'));
  });

  test('removes a key within a minute, although the clock was set back, and signs with another one', async () => {
    let time = 0;
    const keys = await loadKeys({ file, createWhenMissing: true, clock, time: () => time });
    const { kid: leaked } = await keys.signing();
    const added = await rotateKeyFile(file, clock);
    const [kept] = JSON.parse(await readFile(file, 'utf8')).keys;
    await writeFile(file, JSON.stringify({ keys: [kept] }));
    clock.advance(-3 * HOUR);
    time += MINUTE;
    const signing = await Promise.all([keys.signing(), keys.signing()]);
    expect(signing.map(({ kid }) => kid)).toEqual([added, added]);
    expect(await keys.find(leaked)).toBeUndefined();
  });

  test('is published by an instance without other requests', async () => {
    const server = fastify().route(publicKeysRoute(await load()));
    const added = await rotateKeyFile(file, clock);
    clock.advance(MINUTE);
    const { headers, body } = await server.inject('/.well-known/jwks.json');
    expect(headers['cache-control']).toBe(`public, max-age=${LIMITS.publicKeysAge / 1000}`);
    expect(JSON.parse(body).keys[0]).toMatchObject({ kid: added });
  });

  test('unknown kids do not cause repeated reads of the file', async () => {
    const keys = await load();
    const { generation } = keys;
    const added = await rotateKeyFile(file, clock);
    clock.advance(999);
    expect(await keys.find(added)).toBeUndefined();
    expect(keys.generation).toBe(generation);
    clock.advance(1);
    expect(await keys.find(added)).toBeDefined();
    expect(keys.generation).toBe(generation + 1);
  });

  test('runs one at a time', async () => {
    await load();
    const results = await Promise.allSettled([1, 2, 3].map(() => rotateKeyFile(file, clock)));
    const done = results.filter((result) => result.status === 'fulfilled');
    const { keys } = JSON.parse(await readFile(file, 'utf8'));
    expect(keys).toHaveLength(1 + done.length);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason.message).toContain('is being changed by another');
    }
    expect(await readdir(dirname(file))).toEqual(['keys.json']);
  });

  test('whose draft an operator removes is not made, since its file would have other permissions', async () => {
    await load();
    const before = await readFile(file, 'utf8');
    // The clock is read between the two writes of the draft.
    const removing = () => {
      rmSync(`${file}.next`);
      return clock();
    };
    await expect(rotateKeyFile(file, removing)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(dirname(file))).toEqual(['keys.json']);
  });

  test('replaces the target of a symbolic link, not the link', async () => {
    await load();
    const alias = join(dirname(file), 'alias.json');
    await symlink(file, alias);
    const added = await rotateKeyFile(alias, clock);
    file = alias;
    expect((await (await load(false)).signing()).kid).toBe(added);
    expect(JSON.parse(await readFile(join(dirname(file), 'keys.json'), 'utf8')).keys).toHaveLength(2);
  });

  test('a file that became unusable is reported, and the previous keys stay in use', async () => {
    const reported: unknown[] = [];
    await load();
    const keys = await loadKeys({
      file,
      createWhenMissing: false,
      clock,
      time: () => clock().getTime(),
      onReloadFailure: (error) => reported.push(error),
    });
    const { kid } = await keys.signing();
    await rm(file);
    clock.advance(MINUTE);
    expect((await keys.signing()).kid).toBe(kid);
    expect(reported).toEqual([expect.objectContaining({ name: 'KeyFileError' })]);
    await expect(keys.reload()).rejects.toThrow('does not exist');
  });
});

test('derived secrets differ by purpose and key, are equal on every instance, and change with a rotation', async () => {
  const keys = await load();
  const other = await load();
  const [secret] = secretsOf(keys, 'cursors');
  expect(Buffer.from(secret ?? '', 'hex')).toHaveLength(32);
  expect(secretsOf(other, 'cursors')).toEqual([secret]);
  expect(secretsOf(keys, 'other')).not.toEqual([secret]);
  await rotateKeyFile(file, clock);
  await keys.reload();
  clock.advance(3 * MINUTE);
  const [added, former] = secretsOf(keys, 'cursors');
  expect(former).toEqual(secret);
  expect(added).not.toEqual(secret);
});
