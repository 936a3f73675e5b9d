/**
 * A bound on wrong passwords, by account and by where they come from. It counts executions and not requests, so that
 * several sign-ins in one document, by alias or by fragment, are several.
 */
import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';
import { networkOf } from '../networks.ts';
import type { Redis } from '../redis.ts';

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

/**
 * @param redis where all instances count together; this process counts by itself without it, and while it does not answer. Guesses
 *   that come to several instances at the same moment are looked at by each, before any of them was found wrong.
 */
export function createSignInLimit(
  { perAccount, perAddress }: SignInLimitOptions,
  redis?: Redis | undefined,
): SignInLimit {
  const accounts = new WrongPasswords(countsOf('account', perAccount, redis));
  const addresses = new WrongPasswords(countsOf('address', perAddress, redis));
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

function countsOf(of: string, most: number, redis: Redis | undefined): RateLimiterAbstract {
  const here = new RateLimiterMemory({ points: most, duration: WINDOW });
  if (!redis) return here;
  return new RateLimiterRedis({
    storeClient: redis,
    points: most,
    duration: WINDOW,
    keyPrefix: `portico:sign-in:${of}`,
    insuranceLimiter: here,
    rejectIfRedisNotReady: true,
  });
}

/** Who tries to sign in is nobody's business who looks into Redis. */
const sealed = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** The wrong passwords of each key, and the attempts that are being looked at. */
class WrongPasswords {
  readonly #most: number;
  readonly #counts: RateLimiterAbstract;
  readonly #inFlight = new Map<string, { attempts: number; waiting: (() => void)[] }>();
  /** Attempts that have ended in this process. */
  #ended = 0;

  constructor(counts: RateLimiterAbstract) {
    this.#most = counts.points;
    this.#counts = counts;
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
      const ended = this.#ended;
      const known = await this.#counts.get(sealed(key));
      // An attempt that ended meanwhile may have been counted after the count was read, and is in flight no more.
      if (this.#ended !== ended) continue;
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
    return this.#counts.penalty(sealed(key), 1);
  }

  forget(key: string): Promise<unknown> {
    return this.#counts.delete(sealed(key));
  }

  #leave(key: string, entry: { attempts: number; waiting: (() => void)[] }): void {
    entry.attempts -= 1;
    this.#ended += 1;
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
