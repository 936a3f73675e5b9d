/** The rules for new passwords. They do not apply to existing passwords, which stay valid. */
import { isLongerThan, isShorterThan } from '../core/characters.ts';
import { invalidValue } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { UserRow } from '../db/rows.ts';
import { type HashingFor, hashPassword } from './passwords.ts';

/** The person whose password it becomes. */
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
