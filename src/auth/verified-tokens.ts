import { LRUCache } from 'lru-cache';
import type { Principal } from './policy.ts';

/**
 * Characters at the end of a token by which it is looked up: 24 bytes of its signature, which no two tokens share by chance. A
 * look-up reads all of a text that was not looked up before, as each request brings one, and comparing two texts is far cheaper.
 */
const KEY_LENGTH = 32;

interface Entry {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * Tokens whose signature was found good, so that it is checked once per token and not once per request.
 *
 * It never holds more than `capacity`, the least recently used going first, and never gives a principal at
 * or after the end of its token.
 */
export class VerifiedTokens {
  readonly #entries: LRUCache<string, Entry>;

  constructor(capacity: number) {
    this.#entries = new LRUCache({ max: capacity });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(token: string, at: Date): Principal | undefined {
    const key = keyOf(token);
    const entry = this.#entries.get(key);
    if (entry?.token !== token) return undefined;
    if (!hasEnded(entry.principal, at)) return entry.principal;
    this.#entries.delete(key);
    return undefined;
  }

  add(token: string, principal: Principal): void {
    this.#entries.set(keyOf(token), { token, principal });
  }

  clear(): void {
    this.#entries.clear();
  }
}

const keyOf = (token: string) => token.slice(-KEY_LENGTH);

/** Tokens are void at the second named in `exp`, not only after it (RFC 7519, section 4.1.4). */
export function hasEnded(principal: Principal, at: Date): boolean {
  return at.getTime() >= principal.expiresAt * 1000;
}
