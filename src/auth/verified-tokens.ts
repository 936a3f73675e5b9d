import type { Principal } from './policy.ts';

/**
 * Tokens whose signature was found good, so that it is checked once per token and not once per request.
 *
 * It never holds more than `capacity`, the least recently used going first, and never gives a principal at
 * or after the end of its token.
 */
export class VerifiedTokens {
  readonly #capacity: number;
  /** A Map keeps the order of insertion; whatever is used is inserted again, so the first is the oldest. */
  readonly #principals = new Map<string, Principal>();
  /** The last in that order. */
  #newest: string | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#principals.size;
  }

  get(token: string, at: Date): Principal | undefined {
    const principal = this.#principals.get(token);
    if (principal === undefined) return undefined;
    const ended = hasEnded(principal, at);
    // The newest one needs not be moved, and a client in a loop asks for it again and again.
    if (token === this.#newest && !ended) return principal;
    this.#principals.delete(token);
    if (ended) return undefined;
    this.#principals.set(token, principal);
    this.#newest = token;
    return principal;
  }

  add(token: string, principal: Principal): void {
    this.#principals.delete(token);
    this.#principals.set(token, principal);
    this.#newest = token;
    if (this.#principals.size <= this.#capacity) return;
    const [oldest] = this.#principals.keys();
    if (oldest !== undefined) this.#principals.delete(oldest);
  }

  clear(): void {
    this.#newest = undefined;
    this.#principals.clear();
  }
}

/** Tokens are void at the second named in `exp`, not only after it (RFC 7519, section 4.1.4). */
export function hasEnded(principal: Principal, at: Date): boolean {
  return at.getTime() >= principal.expiresAt * 1000;
}
