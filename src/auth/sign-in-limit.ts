/**
 * A bound on wrong passwords, by account and by where they come from. It counts executions and not requests, so that
 * several sign-ins in one document, by alias or by fragment, are several.
 */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';

/** Seconds in which attempts are counted together. */
const WINDOW = 60;

export interface SignInAttempt {
  /** The email address as an account has it: lower case, without white space around it. It need not exist. */
  readonly account: string;
  /** The IP address that the attempt comes from. */
  readonly address: string;
}

export interface SignInLimit {
  /**
   * Counts an attempt before its password is looked at, so that guesses that arrive together do not slip through.
   *
   * @throws ApiError `rate_limited` with the seconds after which the next one is looked at.
   */
  take(attempt: SignInAttempt): Promise<void>;
  /** Gives back what an attempt with the right password took, and forgets the wrong ones before it. */
  giveBack(attempt: SignInAttempt): Promise<void>;
}

export interface SignInLimitOptions {
  /** Wrong passwords for one account in a minute. */
  readonly perAccount: number;
  /** Wrong passwords from one address in a minute: an office or a university may have one for everybody. */
  readonly perAddress: number;
}

/** Counts in this process. */
export function createSignInLimit({ perAccount, perAddress }: SignInLimitOptions): SignInLimit {
  const accounts = new RateLimiterMemory({ points: perAccount, duration: WINDOW });
  const addresses = new RateLimiterMemory({ points: perAddress, duration: WINDOW });
  return {
    async take({ account, address }) {
      await consume(addresses, address);
      await consume(accounts, account);
    },
    async giveBack({ account, address }) {
      await addresses.reward(address, 1);
      await accounts.delete(account);
    },
  };
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key, 1);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new ApiError('rate_limited', {
      message: 'Too many wrong passwords. Wait before the next attempt.',
      retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
    });
  }
}
