/** The keys that sign and verify access tokens, reread from the key file when it changes. */
import type { KeyObject, webcrypto } from 'node:crypto';
import { type Clock, monotonicTime } from '../core/clock.ts';
import { restrictToOwner } from '../core/private-files.ts';
import { sharedRun } from '../core/promises.ts';
import { createVault, type Secrets, type Vault } from '../core/vault.ts';
import { importKey, type Key, type PublicJwk } from './jwk.ts';
import { createKeyFile, RETIREMENT, readKeyFile } from './key-file.ts';

const VAULT_PURPOSE = 'vault';

/** Milliseconds after which the file is read again when a key is needed, so that a rotation takes effect. */
const FRESH_FOR = 60_000;

/** Minimum milliseconds between two reads because of an unknown `kid`, so that a flood of them does not read the file each time. */
const UNKNOWN_PAUSE = 1_000;

/**
 * Milliseconds for which a new key is not used for sealing, until every instance has read the file: before that, an instance could
 * not open the sealed values. A token names its key, so an instance that lacks the key reads the file; a seal does not name it.
 */
const UNSEALED = 2 * FRESH_FOR;

interface KeysOptions {
  readonly file: string;
  /** Whether to create the file when it is missing; in production it must exist. */
  readonly createWhenMissing: boolean;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock, for the age of the keys; tests pass their own. */
  readonly time?: () => number;
  /**
   * Called when the file has become unusable while the server runs, which continues with its present keys. Must not throw:
   * a read in the background has no caller to catch it.
   */
  readonly onReloadFailure?: (error: unknown) => void;
}

/** Reads the keys. @throws KeyFileError when the file is missing and may not be created, or is not usable. */
export async function loadKeys(options: KeysOptions): Promise<Keys> {
  if (options.createWhenMissing) await createKeyFile(options.file);
  const keys = new Keys(options);
  await keys.reload();
  // Afterwards, so that a wrong path changes nothing.
  restrictToOwner(options.file);
  return keys;
}

export class Keys {
  readonly #options: KeysOptions;
  readonly #time: () => number;
  #keys: readonly Key[] = [];
  #byKid: ReadonlyMap<string, Key> = new Map();
  #generation = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: KeysOptions) {
    this.#options = options;
    this.#time = options.time ?? monotonicTime;
  }

  /** Incremented when the keys of the file change, which invalidates cached verifications. */
  get generation(): number {
    return this.#generation;
  }

  /** The key that signs tokens: the newest one. */
  async signing(): Promise<Key> {
    await this.refresh(FRESH_FOR);
    return this.#first();
  }

  /** All keys that have not expired, the newest one first. */
  async live(): Promise<readonly Key[]> {
    await this.refresh(FRESH_FOR);
    return this.#live();
  }

  /** Finds the key that verifies signatures with this `kid`, undefined if there is none or it has expired. */
  async find(kid: string): Promise<webcrypto.CryptoKey | undefined> {
    await this.refresh(this.#byKid.has(kid) ? FRESH_FOR : UNKNOWN_PAUSE);
    const key = this.#byKid.get(kid);
    return key !== undefined && this.#isLive(key) ? key.publicKey : undefined;
  }

  /** The response of `/.well-known/jwks.json`, without private members. */
  publicJwks(): { keys: PublicJwk[] } {
    return { keys: this.#live().map((key) => key.publicJwk) };
  }

  /**
   * The secrets for a purpose other than signing, including those of expired keys. The first is the newest key's, or shortly
   * after a rotation the former key's.
   */
  secrets(purpose: string): Secrets {
    this.refreshInBackground();
    const newest = this.#first();
    const [, former, ...older] = this.#keys;
    if (!former) return [newest.secret(purpose)];
    const [one, other] = this.#hasJustReplaced(former) ? [former, newest] : [newest, former];
    return [one.secret(purpose), other.secret(purpose), ...older.map((key) => key.secret(purpose))];
  }

  /** The newest key's secret with its `kid`, for values that name the key that sealed them. */
  namedSecret(purpose: string): { kid: string; secret: KeyObject } {
    this.refreshInBackground();
    const { kid, secret } = this.#first();
    return { kid, secret: secret(purpose) };
  }

  /** Creates a vault, which seals with the newest key and opens with every key that is still in the file. */
  createVault(): Vault {
    return createVault({
      newest: () => this.namedSecret(VAULT_PURPOSE),
      find: async (kid) => {
        if (!this.#byKid.has(kid)) await this.refresh();
        return this.#byKid.get(kid)?.secret(VAULT_PURPOSE);
      },
    });
  }

  /** Whether a key was retired just now, as its `exp` shows. */
  #hasJustReplaced({ expiresAt }: Key): boolean {
    return Number.isFinite(expiresAt) && this.#now() < (expiresAt - RETIREMENT) * 1000 + UNSEALED;
  }

  /**
   * Reads the file again if the last read is older than this many milliseconds, by default a second: who asks may look for a key that
   * is new. It never rejects.
   */
  async refresh(maxAge = UNKNOWN_PAUSE): Promise<void> {
    if (!this.#isFresh(maxAge)) await this.#reread();
  }

  /**
   * Starts to reread the file if the last read is too old, without waiting: for callers that need no key but must notice soon
   * when one was removed. Otherwise it costs one comparison. It never throws.
   */
  refreshInBackground(): void {
    if (!this.#isFresh(FRESH_FOR)) void this.#reread();
  }

  /** Reads the file again; concurrent calls share one read. @throws KeyFileError when it is not usable; the keys then stay unchanged. */
  readonly reload = sharedRun(() => this.#read());

  /** Like `reload`, and reports its failure once for all concurrent calls. */
  readonly #reread = sharedRun(async () => {
    try {
      await this.reload();
    } catch (error) {
      this.#options.onReloadFailure?.(error);
    }
  });

  async #read(): Promise<void> {
    try {
      this.#replace(await Promise.all((await readKeyFile(this.#options.file)).map(importKey)));
    } finally {
      // At the end, so that calls during the read wait for it; also after a failure, so that the next read is not at once.
      this.#readAt = this.#time();
    }
  }

  #replace(keys: readonly Key[]): void {
    const described = (ring: readonly Key[]) =>
      JSON.stringify(ring.map((key) => [key.publicJwk, key.expiresAt]));
    if (described(keys) === described(this.#keys)) return;
    this.#keys = keys;
    this.#byKid = new Map(keys.map((key) => [key.kid, key]));
    this.#generation += 1;
  }

  #isFresh(maxAge: number): boolean {
    return this.#time() - this.#readAt < maxAge;
  }

  #first(): Key {
    const [first] = this.#keys;
    if (first === undefined) throw new Error('The keys were used before they were read.');
    return first;
  }

  #live(): readonly Key[] {
    return this.#keys.filter((key) => this.#isLive(key));
  }

  #isLive(key: Key): boolean {
    return this.#now() < key.expiresAt * 1000;
  }

  #now(): number {
    return this.#options.clock().getTime();
  }
}
