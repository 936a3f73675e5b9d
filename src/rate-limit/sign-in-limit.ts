/**
 * Bounds on wrong passwords. It counts executions and not requests, so that several sign-ins in one document, by alias or by
 * fragment, are several.
 *
 * Where an attempt comes from is a device that has signed in to the account before, or else a network. Wrong passwords are counted
 *
 * - for one account from each device or network, so that who guesses locks out itself and not the account;
 * - for one account from all networks together from which it has not signed in lately, so that guessing from many is hopeless;
 * - from each network, for all accounts.
 *
 * A device or a network that is known to the account has no part in the second bound, and a device none in the third: no attacker
 * else's wrong passwords keep it out.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Redis } from '../cluster/redis.ts';
import { type AbortSignalLike, onAbort } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { networkOf } from '../core/networks.ts';
import { countsOf, sealed } from './counts.ts';

/** Seconds in which wrong passwords are counted together. */
const WINDOW = 60;

export interface SignInAttempt {
  /** The email address as an account has it: lower case, without white space around it. It need not exist. */
  readonly account: string;
  readonly address: string;
  /** A device that has signed in to this account before, as its token proves. */
  readonly device?: string | undefined;
  /** Aborted when no client waits for the outcome: the password is not checked then. */
  readonly signal?: AbortSignalLike | undefined;
}

export interface SignInLimit {
  /**
   * Looks at a password, unless too many wrong ones came before it. A right one forgets those of its device or network, which
   * the account knows from then on.
   *
   * @param isRight whether the password is right.
   * @throws ApiError `rate_limited` with the seconds after which the next one is looked at; what `isRight` throws; and the
   *   signal's reason.
   */
  attempt(attempt: SignInAttempt, isRight: () => Promise<boolean>): Promise<boolean>;
  /** Bounds with an attempt whose outcome is open, for metrics: 0 without sign-ins. */
  readonly inFlight: number;
}

export interface SignInLimitOptions {
  /** Wrong passwords for one account in a minute, from one device or one network. */
  readonly perAccount: number;
  /** Wrong passwords for one account in a minute, from all networks that are unknown to it. */
  readonly fromUnknown: number;
  /** Wrong passwords from one network in a minute: an office or a university may share one. */
  readonly perAddress: number;
}

/**
 * @param redis where all instances count together; this process counts by itself without it, and while it does not answer. Guesses
 *   that come to several instances at the same moment are looked at by each, before any of them was found wrong.
 */
export function createSignInLimit(
  { perAccount, fromUnknown, perAddress }: SignInLimitOptions,
  redis?: Redis | undefined,
): SignInLimit {
  const ofSource = new WrongPasswords(countsOf('sign-in:source', perAccount, redis, WINDOW));
  const ofUnknown = new WrongPasswords(countsOf('sign-in:unknown', fromUnknown, redis, WINDOW));
  const ofNetwork = new WrongPasswords(countsOf('sign-in:address', perAddress, redis, WINDOW));
  const known = new KnownNetworks(redis);

  /** What bounds an attempt. One source waits for its own turn first, so that it holds few places of those after it. */
  const boundsOf = async ({ account, device, address }: SignInAttempt): Promise<Bound[]> => {
    if (device !== undefined) return [{ wrong: ofSource, key: `${account} device ${device}` }];
    const network = networkOf(address);
    const isKnown = await known.has(account, network);
    return [
      { wrong: ofSource, key: `${account} network ${network}` },
      ...(isKnown ? [] : [{ wrong: ofUnknown, key: account }]),
      { wrong: ofNetwork, key: network },
    ];
  };

  return {
    get inFlight() {
      return ofSource.inFlight + ofUnknown.inFlight + ofNetwork.inFlight;
    },
    async attempt(attempt, isRight) {
      const bounds = await boundsOf(attempt);
      const [source] = bounds;
      const leave: (() => void)[] = [];
      try {
        for (const { wrong, key } of bounds) leave.push(await wrong.enter(key, attempt.signal));
        const right = await isRight();
        if (!right) await Promise.all(bounds.map(({ wrong, key }) => wrong.count(key)));
        else {
          await source?.wrong.forget(source.key);
          await known.add(attempt.account, networkOf(attempt.address));
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

/** From where each account has signed in lately. */
class KnownNetworks {
  readonly #seen: RateLimiterAbstract;

  constructor(redis: Redis | undefined) {
    this.#seen = countsOf('sign-in:known', 1, redis, LIMITS.knownNetworkLifetime / 1000);
  }

  async has(account: string, network: string): Promise<boolean> {
    return (await this.#seen.get(sealed(`${account} ${network}`))) !== null;
  }

  /** Its time begins again. */
  add(account: string, network: string): Promise<unknown> {
    return this.#seen.set(sealed(`${account} ${network}`), 1, LIMITS.knownNetworkLifetime / 1000);
  }
}

interface InFlight {
  attempts: number;
  /** Attempts that look again when one has ended. */
  readonly waiting: Set<() => void>;
}

/** The wrong passwords of each key, and the attempts that are being looked at. */
class WrongPasswords {
  readonly #most: number;
  readonly #counts: RateLimiterAbstract;
  readonly #inFlight = new Map<string, InFlight>();
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
   * be wrong. Otherwise guesses that arrive at once would all slip through; refusing all of them would hit right ones as well,
   * so that some may wait.
   *
   * @returns what ends the attempt, to be called once its outcome is counted.
   */
  async enter(key: string, signal: AbortSignalLike | undefined): Promise<() => void> {
    for (let hasWaited = false; ; ) {
      signal?.throwIfAborted();
      const ended = this.#ended;
      const known = await this.#counts.get(sealed(key));
      // An attempt that ended meanwhile may have been counted after the count was read, and is in flight no more.
      if (this.#ended !== ended) continue;
      const wrong = known?.consumedPoints ?? 0;
      if (known && wrong >= this.#most) throw tooMany(known.msBeforeNext);
      const entry: InFlight = this.#inFlight.get(key) ?? { attempts: 0, waiting: new Set() };
      this.#inFlight.set(key, entry);
      if (wrong + entry.attempts < this.#most) {
        entry.attempts += 1;
        return () => this.#leave(key, entry);
      }
      // One that has waited keeps its place.
      if (!hasWaited && entry.waiting.size >= LIMITS.waitingSignIns) throw tooManyAtOnce();
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
    // Those who wait do not keep the entry: each looks it up again, and one that is refused would leave it behind.
    if (entry.attempts === 0) this.#inFlight.delete(key);
    // All of them look again: if this attempt was the last wrong one, each is refused at once.
    for (const wake of waiting) wake();
  }
}

/** Resolves when one of the attempts has ended. */
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

function tooMany(milliseconds: number): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many wrong passwords. Wait before the next attempt.',
    retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)),
  });
}

/** Seconds after which an attempt may come again: those that wait have been looked at by then. */
const SOON = 1;

function tooManyAtOnce(): ApiError {
  return new ApiError('rate_limited', { message: 'Too many sign-ins at once.', retryAfter: SOON });
}
