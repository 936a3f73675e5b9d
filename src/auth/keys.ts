/** The keys that sign and verify access tokens, as the key file has them now. */
import type { KeyObject, webcrypto } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { restrictToOwner } from '../core/private-files.ts';
import type { Secrets } from '../core/secrets.ts';
import { importKey, type Key, type PrivateJwk, type PublicJwk } from './jwk.ts';
import { createKeyFile, RETIREMENT, readKeyFile } from './key-file.ts';

/** Milliseconds after which the file is read again when a key is needed, so that a rotation is noticed. */
const FRESH_FOR = 60_000;

/** Milliseconds between readings for the sake of an unknown `kid`, so that a flood of them reads no files. */
const UNKNOWN_PAUSE = 1_000;

/**
 * Milliseconds that a new key seals nothing, until every instance has read the file: one that has not yet could not open
 * what was sealed with it. A token names its key, so that an instance that does not know it reads the file; a seal does not.
 */
const UNSEALED = 2 * FRESH_FOR;

export interface Keys {
  /** Incremented when the keys of the file change, which invalidates cached verifications. */
  readonly generation: number;
  signing(): Promise<{ readonly kid: string; readonly privateKey: webcrypto.CryptoKey }>;
  /** The key that verifies what was signed under this name, or undefined. Names are only ever looked up. */
  find(kid: string): Promise<webcrypto.CryptoKey | undefined>;
  /** The key that signs, with its private member: for the authorization server, which signs by itself. */
  signingJwk(): Omit<PrivateJwk, 'exp'>;
  /** What `/.well-known/jwks.json` answers. It has no private member. */
  publicJwks(): { readonly keys: readonly PublicJwk[] };
  /**
   * What other uses than signing are made with, also of keys that have ended. The first is the signing key's, or just after a
   * rotation the former key's.
   */
  secrets(purpose: string): Secrets;
  /** The secret of the signing key, under its name: for what names the key that it was made with. */
  namedSecret(purpose: string): { readonly kid: string; readonly secret: KeyObject };
  /** The secret of the key with this name, also of one that has ended. An unknown name has the file read again. */
  secretOf(kid: string, purpose: string): Promise<KeyObject | undefined>;
  /**
   * Starts to reread the file when the last reading is too old, without waiting: for callers that need no key,
   * but would like to learn soon that one is gone. It costs one comparison otherwise, and never throws.
   *
   * @param at what time it is.
   */
  refreshInBackground(at: Date): void;
  /** Reads the file again. @throws KeyFileError when it is not usable; the keys stay as they were then. */
  reload(): Promise<void>;
}

export interface KeysOptions {
  readonly file: string;
  /** Whether to make the file when it is missing; in production it has to be there. */
  readonly createWhenMissing: boolean;
  readonly clock: Clock;
  /**
   * Called when the file has become unusable while the server runs. It goes on with the keys that it has. Must not throw:
   * a reading in the background has no caller to catch it.
   */
  readonly onReloadFailure?: (error: unknown) => void;
}

/** @throws KeyFileError when the file is missing and may not be made, or is not usable. */
export async function loadKeys(options: KeysOptions): Promise<Keys> {
  if (options.createWhenMissing) await createKeyFile(options.file);
  restrictToOwner(options.file);
  const ring = new KeyRing(options);
  await ring.reload();
  return ring;
}

class KeyRing implements Keys {
  readonly #options: KeysOptions;
  #keys: readonly Key[] = [];
  #byKid: ReadonlyMap<string, Key> = new Map();
  #generation = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: KeysOptions) {
    this.#options = options;
  }

  get generation(): number {
    return this.#generation;
  }

  async signing(): Promise<Key> {
    await this.#refresh(FRESH_FOR);
    return this.#first();
  }

  async find(kid: string): Promise<webcrypto.CryptoKey | undefined> {
    await this.#refresh(this.#byKid.has(kid) ? FRESH_FOR : UNKNOWN_PAUSE);
    const key = this.#byKid.get(kid);
    return key !== undefined && this.#isLive(key) ? key.publicKey : undefined;
  }

  signingJwk(): Omit<PrivateJwk, 'exp'> {
    this.refreshInBackground(this.#options.clock());
    return this.#first().privateJwk;
  }

  publicJwks(): { keys: PublicJwk[] } {
    return { keys: this.#keys.filter((key) => this.#isLive(key)).map((key) => key.publicJwk) };
  }

  secrets(purpose: string): Secrets {
    this.refreshInBackground(this.#options.clock());
    const newest = this.#first();
    const [, former, ...older] = this.#keys;
    if (!former) return [newest.secret(purpose)];
    const [one, other] = this.#hasJustReplaced(former) ? [former, newest] : [newest, former];
    return [one.secret(purpose), other.secret(purpose), ...older.map((key) => key.secret(purpose))];
  }

  namedSecret(purpose: string): { kid: string; secret: KeyObject } {
    this.refreshInBackground(this.#options.clock());
    const { kid, secret } = this.#first();
    return { kid, secret: secret(purpose) };
  }

  async secretOf(kid: string, purpose: string): Promise<KeyObject | undefined> {
    if (!this.#byKid.has(kid)) await this.#refresh(UNKNOWN_PAUSE);
    return this.#byKid.get(kid)?.secret(purpose);
  }

  /** The end of a retired key shows when it was retired. */
  #hasJustReplaced({ expiresAt }: Key): boolean {
    return Number.isFinite(expiresAt) && this.#now() < (expiresAt - RETIREMENT) * 1000 + UNSEALED;
  }

  refreshInBackground(at: Date): void {
    // A reading notes its time when it begins, so a stream of calls begins one. What fails is reported there.
    if (!this.#isFresh(FRESH_FOR, at.getTime())) void this.#refresh(FRESH_FOR);
  }

  /** Those who ask while the file is being read get what that reading finds. */
  reload(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#readAt = this.#now();
    const keys = await Promise.all((await readKeyFile(this.#options.file)).map(importKey));
    const described = (ring: readonly Key[]) =>
      JSON.stringify(ring.map((key) => [key.publicJwk, key.expiresAt]));
    if (described(keys) === described(this.#keys)) return;
    this.#keys = keys;
    this.#byKid = new Map(keys.map((key) => [key.kid, key]));
    this.#generation += 1;
  }

  /** Reads the file when the last reading is older than so many milliseconds. */
  async #refresh(maxAge: number): Promise<void> {
    if (this.#isFresh(maxAge, this.#now())) return;
    try {
      await this.reload();
    } catch (error) {
      this.#options.onReloadFailure?.(error);
    }
  }

  #isFresh(maxAge: number, now: number): boolean {
    return now - this.#readAt < maxAge;
  }

  #first(): Key {
    const [first] = this.#keys;
    if (first === undefined) throw new Error('The keys are used before they were read.');
    return first;
  }

  #isLive(key: Key): boolean {
    return this.#now() < key.expiresAt * 1000;
  }

  #now(): number {
    return this.#options.clock().getTime();
  }
}
