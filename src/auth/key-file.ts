/**
 * The file with the private keys: a JWKS (RFC 7517) whose first key signs and all of whose keys verify. It is created and
 * replaced atomically, so that a reader never sees a part of it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, link, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { ownCodeOf } from '../core/failure.ts';
import { isRecord } from '../core/json.ts';
import { LIMITS } from '../core/limits.ts';
import { makeDirectory } from '../core/private-files.ts';
import { generateJwk, type PrivateJwk, parseJwk } from './jwk.ts';

/** For a new file that only its owner may read and write. */
const NEW = { flag: 'wx', mode: 0o600, flush: true } as const;

/** Maximum keys in one file. Retired keys stay for about a month: two rotations a day make 62 keys, and more are a mistake. */
const KEYS_MAX = 64;

/**
 * Seconds that a retired key continues to verify after its last token has expired. This allows for clock skew, and for an instance
 * that has not read the file yet and still signs with the key.
 */
const RETIREMENT_SLACK = 60 * 60;

/** Seconds from the rotation that retires a key until it no longer verifies tokens. */
export const RETIREMENT = LIMITS.accessTokenLifetime / 1000 + RETIREMENT_SLACK;

/**
 * Seconds that a key stays in the file after it no longer verifies tokens. Values sealed with its secrets are still in use: the
 * retry of a request is recognised by a seal in its idempotency record, which each attempt renews. Records without an outcome are
 * kept longest. If their retry were refused, the client would make the charge again.
 */
const AFTERLIFE = LIMITS.unfinishedRecordLifetime / 1000;

/** The file cannot be used. The message names it and says why. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';

  constructor(file: string, reason: string, cause?: unknown) {
    super(`The key file ${file} ${reason}.`, { cause });
  }

  get isMissing(): boolean {
    return ownCodeOf(this.cause) === 'ENOENT';
  }
}

/** @throws KeyFileError when the file is missing, unreadable, or not a JWKS of private Ed25519 keys. */
export async function readKeyFile(file: string): Promise<PrivateJwk[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const reason = ownCodeOf(cause) === 'ENOENT' ? 'does not exist' : `cannot be read: ${ownCodeOf(cause)}`;
    throw new KeyFileError(file, reason, cause);
  }
  const entries = parseJwks(file, text);
  const keys: PrivateJwk[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      keys.push(await parseJwk(entry));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new KeyFileError(file, `is not usable: key ${index + 1} ${reason}`);
    }
  }
  if (keys[0]?.exp !== undefined) {
    throw new KeyFileError(file, 'is not usable: its first key signs and must not have exp');
  }
  if (new Set(keys.map((key) => key.kid)).size < keys.length) {
    throw new KeyFileError(file, 'is not usable: two keys have the same kid');
  }
  return keys;
}

function parseJwks(file: string, text: string): readonly unknown[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be key material.
    throw new KeyFileError(file, 'is not JSON');
  }
  const keys = isRecord(content) ? content['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length < 1 || keys.length > KEYS_MAX) {
    throw new KeyFileError(file, `must be an object with "keys", a list of 1 to ${KEYS_MAX} private JWKs`);
  }
  return keys;
}

/**
 * Creates the file with one new key if it does not exist.
 *
 * The file is written under a temporary name and then linked to its final name, which fails if that exists: of two processes that
 * start together one creates the file, and both read the same keys.
 *
 * @returns true if this call has created the file.
 */
export async function createKeyFile(file: string): Promise<boolean> {
  // Checked first, so that the directory of an existing file need not be writable.
  if (existsSync(file)) return false;
  const draft = `${file}.${randomUUID()}`;
  try {
    makeDirectory(dirname(file));
    await writeFile(draft, textOf([await generateJwk()]), NEW);
    await link(draft, file);
    await syncDirectory(file);
    return true;
  } catch (cause) {
    if (ownCodeOf(cause) === 'EEXIST') return false;
    throw new KeyFileError(file, `cannot be created: ${ownCodeOf(cause)}`, cause);
  } finally {
    // Where no file can be created, none can be removed either: the first failure is the one to report.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/**
 * Adds a new key at the beginning of the file, so that it signs from now on. The other keys stay until their tokens have expired
 * and the values sealed with their secrets are no longer needed. Running instances read the change without a restart.
 *
 * @returns the `kid` of the new key.
 * @throws KeyFileError when the file is not usable, or another process is changing it.
 */
export async function rotateKeyFile(file: string, clock: Clock): Promise<string> {
  // Resolve symbolic links, so that the target is replaced and not the link.
  const target = await realpath(file).catch((cause: unknown) => {
    throw new KeyFileError(file, `cannot be found: ${ownCodeOf(cause)}`, cause);
  });
  // The draft is also the lock: the process that creates it may change the file.
  const draft = `${target}.next`;
  await writeFile(draft, '', NEW).catch((cause: unknown) => {
    const reason =
      ownCodeOf(cause) === 'EEXIST'
        ? `is being changed by another process; if there is none, remove ${draft}`
        : `cannot be replaced: ${draft} cannot be created: ${ownCodeOf(cause)}`;
    throw new KeyFileError(target, reason, cause);
  });
  try {
    const added = await generateJwk();
    const kept = retired(await readKeyFile(target), clock);
    if (kept.length >= KEYS_MAX)
      throw new KeyFileError(target, `holds ${KEYS_MAX} keys that are still in use`);
    // Only the draft that this process has created, with its mode: a new file could be read by others.
    await writeFile(draft, textOf([added, ...kept]), { flag: 'r+', flush: true });
    await keepOwner(target, draft);
    await rename(draft, target);
    await syncDirectory(target);
    return added.kid;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function retired(keys: readonly PrivateJwk[], clock: Clock): PrivateJwk[] {
  const now = Math.floor(clock().getTime() / 1000);
  const end = now + RETIREMENT;
  return keys
    .map((key) => ({ ...key, exp: Math.min(key.exp ?? end, end) }))
    .filter((key) => key.exp + AFTERLIFE > now);
}

/** Gives a file the owner of the one that it replaces: root may rotate the keys of a server that runs as another user. */
async function keepOwner(target: string, draft: string): Promise<void> {
  const [{ uid, gid }, made] = await Promise.all([stat(target), stat(draft)]);
  if (uid === made.uid) return;
  await chown(draft, uid, gid).catch((cause: unknown) => {
    throw new KeyFileError(target, 'belongs to another user, who must rotate the keys', cause);
  });
}

const textOf = (keys: readonly PrivateJwk[]): string => `${JSON.stringify({ keys }, null, 2)}\n`;

/** Syncs the directory as well: losing a new key in a power failure would end every session. */
async function syncDirectory(file: string): Promise<void> {
  const directory = await open(dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
