import { type AbortSignalLike, onAbort } from './deadline.ts';
import { FairQueue, type Flow } from './fair-queue.ts';

export interface FairSlotsOptions {
  /** How many may be taken at once. */
  readonly slots: number;
  readonly capacity: number;
  /** Milliseconds that each may wait; as long as its signal allows when left out. */
  readonly patience?: number;
  /** What those are refused with who find too many waiting, who have more waiting than others, or who have waited too long. */
  readonly refusal: (cause: 'full' | 'time', flow: Flow) => Error;
}

interface Waiting {
  readonly take: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Something of which there are a few, such as connections. Those that wait for one are served fairly, see {@link FairQueue}. */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #queue = new FairQueue<Waiting>();
  #taken = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Takes a slot, to be given back with `release`.
   *
   * @returns undefined when one was free, otherwise a promise that is resolved when it is this one's turn, and rejected with a
   *   refusal or with the signal's reason.
   */
  acquire(flow: Flow, signal?: AbortSignalLike): Promise<void> | undefined {
    if (this.#taken < this.#options.slots) {
      this.#taken += 1;
      return undefined;
    }
    return this.#wait(flow, signal);
  }

  /** The slot passes straight to the next, so that a newcomer cannot slip in between. */
  release(): void {
    const next = this.#queue.shift();
    if (next) next.item.take();
    else this.#taken -= 1;
  }

  #wait(flow: Flow, signal: AbortSignalLike | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { capacity, patience, refusal } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (error: () => unknown) => {
      if (this.#queue.remove(queued)) queued.item.refuse(error());
    };
    const forget = onAbort(signal, () => leave(() => signal?.reason));
    const timer =
      patience === undefined ? undefined : setTimeout(leave, patience, () => refusal('time', flow));
    const settle = () => {
      forget();
      clearTimeout(timer);
    };
    const queued = this.#queue.push(flow, 1, {
      take() {
        settle();
        resolve();
      },
      refuse(error) {
        settle();
        reject(error);
      },
    });
    if (this.#queue.length > capacity) {
      const excess = this.#queue.excess();
      if (excess && this.#queue.remove(excess)) excess.item.refuse(refusal('full', excess.flow));
    }
    return promise;
  }
}
