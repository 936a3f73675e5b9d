/**
 * A bound on wrong passwords, by account and by where they come from. It counts executions and not requests, so that
 * several sign-ins in one document, by alias or by fragment, are several.
 */
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';
import { networkOf } from '../networks.ts';

/** Seconds in which wrong passwords are counted together. */
const WINDOW = 60;

export interface SignInAttempt {
  /** The email address as an account has it: lower case, without white space around it. It need not exist. */
  readonly account: string;
  /** The IP address that the attempt comes from. */
  readonly address: string;
}

export interface SignInLimit {
  /**
   * Looks at a password, unless too many wrong ones came before it. A right one forgets those of its account.
   *
   * @param isRight whether the password is right.
   * @throws ApiError `rate_limited` with the seconds after which the next one is looked at; and what `isRight` throws.
   */
  attempt(attempt: SignInAttempt, isRight: () => Promise<boolean>): Promise<boolean>;
  /** Accounts and addresses with an attempt whose outcome is open, for metrics: 0 when nobody is signing in. */
  readonly inFlight: number;
}

export interface SignInLimitOptions {
  /** Wrong passwords for one account in a minute. */
  readonly perAccount: number;
  /** Wrong passwords from one address in a minute: an office or a university may have one for everybody. */
  readonly perAddress: number;
}

/** Counts in this process. */
export function createSignInLimit({ perAccount, perAddress }: SignInLimitOptions): SignInLimit {
  const accounts = new WrongPasswords(perAccount);
  const addresses = new WrongPasswords(perAddress);
  return {
    get inFlight() {
      return accounts.inFlight + addresses.inFlight;
    },
    async attempt({ account, address }, isRight) {
      const network = networkOf(address);
      const leaveAddress = await addresses.enter(network);
      try {
        const leaveAccount = await accounts.enter(account);
        try {
          const right = await isRight();
          if (right) await accounts.forget(account);
          else await Promise.all([accounts.count(account), addresses.count(network)]);
          return right;
        } finally {
          leaveAccount();
        }
      } finally {
        leaveAddress();
      }
    },
  };
}

/** The wrong passwords of each key, and the attempts that are being looked at. */
class WrongPasswords {
  readonly #most: number;
  readonly #counts: RateLimiterAbstract;
  readonly #inFlight = new Map<string, { attempts: number; waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
    this.#counts = new RateLimiterMemory({ points: most, duration: WINDOW });
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * Waits for its turn: an attempt whose outcome is open may turn out wrong, so no more are looked at together than may
   * be wrong. Otherwise guesses that arrive at once would all slip through; refusing them would hit right ones as well.
   *
   * @returns what ends the attempt, to be called once its outcome is counted.
   */
  async enter(key: string): Promise<() => void> {
    for (;;) {
      const known = await this.#counts.get(key);
      const wrong = known?.consumedPoints ?? 0;
      if (known && wrong >= this.#most) throw tooMany(known.msBeforeNext);
      const entry = this.#inFlight.get(key) ?? { attempts: 0, waiting: [] };
      this.#inFlight.set(key, entry);
      if (wrong + entry.attempts < this.#most) {
        entry.attempts += 1;
        return () => this.#leave(key, entry);
      }
      await new Promise<void>((resolve) => entry.waiting.push(resolve));
    }
  }

  count(key: string): Promise<unknown> {
    return this.#counts.penalty(key, 1);
  }

  forget(key: string): Promise<unknown> {
    return this.#counts.delete(key);
  }

  #leave(key: string, entry: { attempts: number; waiting: (() => void)[] }): void {
    entry.attempts -= 1;
    const waiting = entry.waiting.splice(0);
    // Those who wait do not keep the entry: each looks it up again, and one that is refused would leave it behind.
    if (entry.attempts === 0) this.#inFlight.delete(key);
    // All of them look again: if this attempt was the last wrong one, each is refused at once.
    for (const wake of waiting) wake();
  }
}

function tooMany(milliseconds: number): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many wrong passwords. Wait before the next attempt.',
    retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)),
  });
}
