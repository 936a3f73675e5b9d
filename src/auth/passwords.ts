/**
 * Passwords are kept as argon2id hashes. Hashing is slow on purpose, so how much of it runs at once, and how
 * much waits, is bounded here for the whole process.
 */
import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

const MEMORY_KIB = 19 * 1024;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The parameters of the OWASP Password Storage Cheat Sheet for argon2id: m = 19 MiB, t = 2, p = 1. */
const PARAMETERS: Options = {
  algorithm: 2, // Argon2id; the package declares its names as a const enum, which type stripping cannot read.
  memoryCost: MEMORY_KIB,
  timeCost: PASSES,
  parallelism: LANES,
  outputLen: HASH_BYTES,
};

/** Seconds after which a turned away sign-in may come again: the queue is empty by then. */
const RETRY_AFTER = 1;

/** Runs at most so many tasks at once, lets a bounded number wait in order, and turns the rest away. */
export class Gate {
  readonly #concurrent: number;
  readonly #capacity: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(concurrent: number, capacity: number) {
    this.#concurrent = concurrent;
    this.#capacity = capacity;
  }

  /** @throws ApiError `unavailable` with `retryAfter` when too many wait already; the task has not run then. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#concurrent) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#capacity) {
      throw new ApiError('unavailable', { message: 'Too many sign-ins at once.', retryAfter: RETRY_AFTER });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The place passes straight to the one who waited longest, so that no newcomer can slip in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

const gate = new Gate(LIMITS.concurrentHashes, LIMITS.waitingHashes);

/**
 * A hash that no password has, made once from random bytes. Verifying against it takes the work that
 * verifying against a real one takes, so that time does not tell which addresses have an account.
 */
const DECOY = decoy();

function decoy(): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  const parameters = `m=${MEMORY_KIB},t=${PASSES},p=${LANES}`;
  return `$argon2id$v=19$${parameters}$${random(SALT_BYTES)}$${random(HASH_BYTES)}`;
}

/** Keyboards spell the same accented letter in two ways; a person who changes machines must still get in. */
const normalized = (password: string): string => password.normalize('NFC');

/**
 * The hash to store for a password, in PHC notation with its parameters and salt.
 *
 * @throws ApiError `validation_failed` for a password that is empty or too long, `unavailable` when too many wait.
 */
export async function hashPassword(password: string): Promise<string> {
  if (password.length === 0 || password.length > LIMITS.passwordLength) {
    throw new ApiError('validation_failed', {
      details: [{ path: 'password', message: `Must have 1 to ${LIMITS.passwordLength} characters.` }],
    });
  }
  return gate.run(() => hash(normalized(password), PARAMETERS));
}

/**
 * True when the password belongs to the hash. Without a hash (nobody has the address) the answer is false
 * after the same work. A password beyond the bound is false at once, whoever asks.
 *
 * @throws ApiError `unavailable` when too many wait.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  if (password.length > LIMITS.passwordLength) return false;
  const matches = await gate.run(() => verify(stored ?? DECOY, normalized(password)));
  return matches && stored !== null;
}
