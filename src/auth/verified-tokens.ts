import { LRUCache } from 'lru-cache';
import type { Principal } from './policy.ts';

/**
 * Characters at the end of a token that are its key in the cache: 24 bytes of its signature, which no two tokens share by chance.
 * A look-up hashes the whole text, which is new with each request; hashing the key and comparing two tokens is far cheaper.
 */
const KEY_LENGTH = 32;

interface Entry {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * A cache of verified tokens, so that each signature is checked once per token and not once per request.
 *
 * It holds at most `capacity` tokens and evicts the least recently used. It never returns a principal whose token has expired.
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

/** Whether the credentials have expired: they are invalid at the time in `exp`, not only after it (RFC 7519, section 4.1.4). */
export function hasEnded(principal: Principal, at: Date): boolean {
  return at.getTime() >= principal.expiresAt * 1000;
}
