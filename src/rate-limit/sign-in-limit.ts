/**
 * Limits wrong passwords. It counts executions and not requests, so that several sign-ins in one document, by aliases or
 * fragments, count as several.
 *
 * The source of an attempt is a device that has signed in to the account before, or otherwise a network. Wrong passwords are counted
 *
 * - per account and source, so that an attacker locks out only itself and not the account;
 * - per account, for all networks together that have not signed in to it recently, so that guessing from many networks is useless;
 * - per network, for all accounts.
 *
 * The second limit does not apply to devices and networks that are known to the account, and the third does not apply to devices, so
 * that wrong passwords of an attacker elsewhere do not lock them out.
 */
import type { Redis } from '../cluster/redis.ts';
import { type AbortSignalLike, onAbort } from '../core/deadline.ts';
import { LIMITS } from '../core/limits.ts';
import { networkOf } from '../core/networks.ts';
import { type Counts, countsOf, sealed, tooMany } from './counts.ts';

/** The window in which wrong passwords are counted, in seconds. */
const WINDOW = 60;

/** Milliseconds after which an attempt may be repeated that was one of too many at once: the waiting ones have been checked by then. */
const AT_ONCE = 1000;

export interface SignInAttempt {
  /** The email address in the form of accounts. The account need not exist. */
  readonly account: string;
  readonly address: string;
  /** A device that has signed in to this account before, as proven by its token. */
  readonly device?: string | undefined;
  /** Aborted when no client waits for the outcome, so that the password is not checked. */
  readonly signal?: AbortSignalLike | undefined;
}

export type SignInLimit = ReturnType<typeof createSignInLimit>;

interface SignInLimitOptions {
  /** Wrong passwords for one account per minute, from one device or network. */
  readonly perAccount: number;
  /** Wrong passwords for one account per minute, from all networks that are unknown to it. */
  readonly fromUnknown: number;
  /** Wrong passwords from one network per minute, which may be that of an office or a university. */
  readonly perAddress: number;
}

/** @param redis as for {@link countsOf}. Concurrent guesses at several instances may be checked before any is counted as wrong. */
export function createSignInLimit(
  { perAccount, fromUnknown, perAddress }: SignInLimitOptions,
  redis?: Redis | undefined,
) {
  const ofSource = new WrongPasswords(countsOf('sign-in:source', perAccount, redis, WINDOW));
  const ofUnknown = new WrongPasswords(countsOf('sign-in:unknown', fromUnknown, redis, WINDOW));
  const ofNetwork = new WrongPasswords(countsOf('sign-in:address', perAddress, redis, WINDOW));
  const lifetime = LIMITS.knownNetworkLifetime / 1000;
  /** The networks from which each account has signed in recently. */
  const known = countsOf('sign-in:known', 1, redis, lifetime);
  const knownKey = (account: string, address: string) => sealed(`${account} ${networkOf(address)}`);

  /** The limits of an attempt. The first one is that of its source, so that one source takes a small share of the others. */
  const boundsOf = async ({ account, device, address }: SignInAttempt): Promise<Bound[]> => {
    if (device !== undefined) return [{ wrong: ofSource, key: `${account} device ${device}` }];
    const network = networkOf(address);
    const isKnown = (await known.get(knownKey(account, address))) !== null;
    return [
      { wrong: ofSource, key: `${account} network ${network}` },
      ...(isKnown ? [] : [{ wrong: ofUnknown, key: account }]),
      { wrong: ofNetwork, key: network },
    ];
  };

  return {
    /** The number of limited keys with an attempt whose outcome is open: 0 without sign-ins. */
    get inFlight(): number {
      return ofSource.inFlight + ofUnknown.inFlight + ofNetwork.inFlight;
    },
    /**
     * Checks a password, unless too many wrong ones preceded it. A right one resets the count of its source, and makes its network known.
     *
     * @throws ApiError `rate_limited` with the seconds until the next attempt; the error of `isRight`; the signal's reason.
     */
    async attempt(attempt: SignInAttempt, isRight: () => Promise<boolean>): Promise<boolean> {
      const bounds = await boundsOf(attempt);
      const [source] = bounds;
      const leave: (() => void)[] = [];
      try {
        for (const { wrong, key } of bounds) leave.push(await wrong.enter(key, attempt.signal));
        const right = await isRight();
        if (!right) await Promise.all(bounds.map(({ wrong, key }) => wrong.count(key)));
        else {
          await source?.wrong.forget(source.key);
          await known.set(knownKey(attempt.account, attempt.address), 1, lifetime);
        }
        return right;
      } finally {
        for (const each of leave) each();
      }
    },
  };
}

interface Bound {
  readonly wrong: WrongPasswords;
  readonly key: string;
}

interface InFlight {
  attempts: number;
  /** Notifies waiting attempts that one has ended. */
  readonly waiting: Set<() => void>;
}

/** The number of wrong passwords per key, and the attempts that are being checked. */
class WrongPasswords {
  readonly #most: number;
  readonly #counts: Counts;
  readonly #inFlight = new Map<string, InFlight>();
  /** The number of attempts that have ended in this process. */
  #ended = 0;

  constructor(counts: Counts) {
    this.#most = counts.points;
    this.#counts = counts;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * Waits until an attempt may be checked. No more are checked at once than may still be wrong, since each could be: otherwise concurrent
   * guesses would bypass the limit. Some others wait, since refusing them would hit right passwords as well.
   *
   * @returns a function that ends the attempt, to be called once its outcome was counted.
   */
  async enter(key: string, signal: AbortSignalLike | undefined): Promise<() => void> {
    for (let hasWaited = false; ; ) {
      signal?.throwIfAborted();
      const ended = this.#ended;
      const known = await this.#counts.get(sealed(key));
      // An attempt that ended meanwhile may have been counted after the count was read, and is no longer in flight.
      if (this.#ended !== ended) continue;
      const wrong = known?.consumedPoints ?? 0;
      if (known && wrong >= this.#most)
        throw tooMany('Too many wrong passwords. Wait before the next attempt.', known.msBeforeNext);
      const entry: InFlight = this.#inFlight.get(key) ?? { attempts: 0, waiting: new Set() };
      this.#inFlight.set(key, entry);
      if (wrong + entry.attempts < this.#most) {
        entry.attempts += 1;
        return () => this.#leave(key, entry);
      }
      // An attempt that has waited before keeps its position.
      if (!hasWaited && entry.waiting.size >= LIMITS.waitingSignIns)
        throw tooMany('Too many sign-ins at once.', AT_ONCE);
      hasWaited = true;
      await nextEnd(entry, signal);
    }
  }

  count(key: string): Promise<unknown> {
    return this.#counts.penalty(sealed(key), 1);
  }

  forget(key: string): Promise<unknown> {
    return this.#counts.delete(sealed(key));
  }

  #leave(key: string, entry: InFlight): void {
    entry.attempts -= 1;
    this.#ended += 1;
    const waiting = [...entry.waiting];
    entry.waiting.clear();
    // Waiting attempts do not keep the entry: each looks it up again, and a refused one would leave it behind.
    if (entry.attempts === 0) this.#inFlight.delete(key);
    // All of them check again: if this attempt was the last wrong one that is allowed, each is refused immediately.
    for (const wake of waiting) wake();
  }
}

function nextEnd({ waiting }: InFlight, signal: AbortSignalLike | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const forget = onAbort(signal, () => {
    waiting.delete(wake);
    reject(signal?.reason);
  });
  const wake = () => {
    forget();
    resolve();
  };
  waiting.add(wake);
  return promise;
}
