/** Random secrets: 256 bits as 43 characters of base64url. The database stores only their hashes. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** A pattern of one secret. The last character carries 4 bits, so only 16 values are accepted: each secret has exactly one spelling. */
export const SECRET_PATTERN = '[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]';

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The stored hash of a secret. A secret has too much entropy to be guessed, so a fast hash without salt is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/**
 * Whether a secret has this hash, compared in constant time.
 *
 * @param hash undefined for an unknown secret. It takes the same time, and the result is false.
 */
export function hasHash(secret: string, hash: string | undefined): boolean {
  const actual = createHash('sha256').update(secret).digest();
  const expected = hash === undefined ? Buffer.alloc(actual.length) : Buffer.from(hash, 'base64url');
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

/** Tokens of one kind: a prefix that names the kind, and a secret. */
export class TokenFormat {
  readonly prefix: string;
  readonly #shape: RegExp;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.#shape = new RegExp(`^${prefix}${SECRET_PATTERN}$`);
  }

  /** Whether a text can be such a token. */
  accepts(text: string): boolean {
    return this.#shape.test(text);
  }

  create(): string {
    return this.prefix + newSecret();
  }
}

/** Tokens of links in mail. */
export const LINK_TOKEN = new TokenFormat('plt_');

/** Secrets of apps. */
export const APP_SECRET = new TokenFormat('pas_');
