/**
 * Hashes and verifies passwords with argon2id. Hashing is slow on purpose, so the number of running and waiting hashes is limited
 * for the whole process, with fair shares for all callers.
 */
import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { isLongerThan, isShorterThan } from '../core/characters.ts';
import type { AbortSignalLike } from '../core/deadline.ts';
import { ApiError, invalidValue } from '../core/errors.ts';
import { type Flow, OWN_WORK } from '../core/fair-queue.ts';
import { FairSlots } from '../core/fair-slots.ts';
import { LIMITS } from '../core/limits.ts';
import type { UserRow } from '../db/rows.ts';

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

/** Seconds after which a refused sign-in may be retried: the queue is empty by then. */
const RETRY_AFTER = 1;

/** The caller for whom a password is hashed. */
export interface HashingFor {
  /** The caller's share of the threads; the server's own when left out. */
  readonly flow?: Flow;
  /** Aborted when no caller waits for the outcome any more: hashing that has not started is then skipped. */
  readonly signal?: AbortSignalLike | undefined;
}

const slots = new FairSlots({
  slots: LIMITS.concurrentHashes,
  capacity: LIMITS.waitingHashes,
  refusal: () =>
    new ApiError('unavailable', { message: 'Too many sign-ins at once.', retryAfter: RETRY_AFTER }),
});

async function withSlot<T>(task: () => Promise<T>, { flow = OWN_WORK, signal }: HashingFor): Promise<T> {
  signal?.throwIfAborted();
  return slots.use(task, flow, signal);
}

/**
 * A hash that matches no password, made once from random bytes. Verifying against it takes as long as verifying against a real
 * one, so that timing does not reveal which addresses have an account.
 */
const DECOY = decoy();

function decoy(): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  const parameters = `m=${MEMORY_KIB},t=${PASSES},p=${LANES}`;
  return `$argon2id$v=19$${parameters}$${random(SALT_BYTES)}$${random(HASH_BYTES)}`;
}

/** Normalizes a password, since keyboards encode accented letters in two ways. */
const normalized = (password: string): string => password.normalize('NFC');

/**
 * Returns the hash to store for a password, in PHC notation with its parameters and salt.
 *
 * @throws ApiError `validation_failed` for a password that is empty or too long, `unavailable` when too many wait. Also throws
 *   the signal's reason.
 */
export async function hashPassword(password: string, whose: HashingFor = {}): Promise<string> {
  if (password.length === 0 || isLongerThan(password, LIMITS.passwordLength)) {
    throw invalidValue('password', `must have 1 to ${LIMITS.passwordLength} characters`);
  }
  return withSlot(() => hash(normalized(password), PARAMETERS), whose);
}

/**
 * Whether the password matches the hash. Without a hash (unknown address) the result is false after the same amount of work. A
 * password that is too long is rejected at once.
 *
 * @throws ApiError `unavailable` when too many wait. Also throws the signal's reason.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  whose: HashingFor = {},
): Promise<boolean> {
  if (isLongerThan(password, LIMITS.passwordLength)) return false;
  const matches = await withSlot(() => verify(stored ?? DECOY, normalized(password)), whose);
  return matches && stored !== null;
}

type PasswordOwner = Pick<UserRow, 'email' | 'name'>;

/**
 * Returns the hash to store for a new password.
 *
 * @param path the path of the password in the caller's input.
 * @throws ApiError `validation_failed` for a password that is too short or too long, is one of the
 *   {@link LIMITS.refusedPasswords} most common, or contains the address or the name of its owner; `unavailable` when too many
 *   passwords are being hashed. Also throws the signal's reason.
 */
export async function hashNewPassword(
  password: string,
  owner: PasswordOwner,
  path: string,
  whose?: HashingFor,
): Promise<string> {
  const message = await problemWithPassword(password, owner);
  if (message !== undefined) throw invalidValue(path, message);
  return hashPassword(password, whose);
}

/** Returns the problem of a new password, undefined if it is acceptable (NIST SP 800-63B, section 3.1.1.2). */
async function problemWithPassword(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const { shortestPassword, passwordLength } = LIMITS;
  if (isShorterThan(password, shortestPassword) || isLongerThan(password, passwordLength)) {
    return `must have ${shortestPassword} to ${passwordLength} characters`;
  }
  const spelled = comparable(password);
  if ((await mostUsed()).has(spelled)) return 'is one of the most common passwords';
  return wordsOf(owner).some((word) => spelled.includes(word))
    ? 'must not contain the email address or the name'
    : undefined;
}

const comparable = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Returns the address, its part before the @, the name and its words. Short ones are skipped: they occur in too many words. */
function wordsOf({ email, name }: PasswordOwner): readonly string[] {
  const [local = ''] = email.split('@');
  return [email, local, name, name.replaceAll(/\s/gu, ''), ...name.split(/\s+/u)]
    .map(comparable)
    .filter((word) => word.length >= LIMITS.passwordOwnerWord);
}

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Reads passwords from public breaches, the most common first, from the package `@zxcvbn-ts/language-common`. It is loaded when the first
 * password is set, since most processes set none.
 */
function mostUsed(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, LIMITS.refusedPasswords)),
  );
  return known;
}
