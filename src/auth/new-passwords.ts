/** What a new password must be. Passwords that exist already are not asked: their people sign in as before. */
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { type HashingFor, hashPassword } from './passwords.ts';

/** Whose password it becomes. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/**
 * The hash to store for a new password.
 *
 * @param path where the password stands in what the caller sent.
 * @throws ApiError `validation_failed` for a password that is too short or too long, is among the
 *   {@link LIMITS.refusedPasswords} most used, or contains the address or the name of its owner; `unavailable` when too many
 *   passwords are being hashed; and the signal's reason.
 */
export async function hashNewPassword(
  password: string,
  owner: PasswordOwner,
  path: string,
  whose?: HashingFor,
): Promise<string> {
  const message = await problemWithPassword(password, owner);
  if (message !== undefined) throw new ApiError('validation_failed', { details: [{ path, message }] });
  return hashPassword(password, whose);
}

/** What is wrong with a new password, undefined for a good one. After NIST SP 800-63B, section 3.1.1.2. */
export async function problemWithPassword(
  password: string,
  owner: PasswordOwner,
): Promise<string | undefined> {
  const { shortestPassword, passwordLength } = LIMITS;
  if (password.length < shortestPassword || password.length > passwordLength) {
    return `must have ${shortestPassword} to ${passwordLength} characters`;
  }
  const spelled = comparable(password);
  if ((await mostUsed()).has(spelled)) return 'is among the most used passwords';
  return wordsOf(owner).some((word) => spelled.includes(word))
    ? 'must not contain the email address or the name'
    : undefined;
}

const comparable = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The address, what stands before its @, the name and its words. Short ones are in too many words to be looked for. */
function wordsOf({ email, name }: PasswordOwner): readonly string[] {
  const [local = ''] = email.split('@');
  return [email, local, name, name.replaceAll(/\s/gu, ''), ...name.split(/\s+/u)]
    .map(comparable)
    .filter((word) => word.length >= LIMITS.passwordOwnerWord);
}

let known: Promise<ReadonlySet<string>> | undefined;

/** Loaded with the first password that is set, since most processes set none. */
function mostUsed(): Promise<ReadonlySet<string>> {
  known ??= loadMostUsed();
  return known;
}

/** Passwords of public breaches, the most used first, from the package `@zxcvbn-ts/language-common`. */
async function loadMostUsed(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, LIMITS.refusedPasswords));
}
