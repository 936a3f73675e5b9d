import { type AbortSignalLike, onAbort } from './deadline.ts';
import { FairQueue, type Flow } from './fair-queue.ts';

interface FairSlotsOptions {
  readonly slots: number;
  /** How many callers may wait. */
  readonly capacity: number;
  /** Maximum milliseconds of waiting; limited only by the signal when left out. */
  readonly patience?: number;
  /** Creates the error for a caller that is refused: `full` if too many wait, `time` if it has waited too long. */
  readonly refusal: (cause: 'full' | 'time', flow: Flow) => Error;
}

interface Waiting {
  readonly take: () => void;
  readonly refuse: (error: unknown) => void;
}

/** A limited number of slots, such as connections. Waiting callers are served fairly, see {@link FairQueue}. */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #queue = new FairQueue<Waiting>();
  #taken = 0;
  /** How many slots may be taken at present. */
  #limit: number;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
    this.#limit = options.slots;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.#limit;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs work with a slot. @throws the refusal, the signal's reason, or the error of the work. */
  async use<T>(work: () => Promise<T>, flow: Flow, signal?: AbortSignalLike): Promise<T> {
    const waiting = this.acquire(flow, signal);
    if (waiting) await waiting;
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Takes a slot, to be returned with `release`: at once (undefined), or when the promise resolves, which rejects with a refusal. */
  acquire(flow: Flow, signal?: AbortSignalLike): Promise<void> | undefined {
    if (!this.isFull) {
      this.#taken += 1;
      return undefined;
    }
    return this.#wait(flow, signal);
  }

  /** Returns a slot. It passes directly to the next waiting caller, so that a new caller cannot take it first. */
  release(): void {
    this.#taken -= 1;
    this.#passOn();
  }

  /** Lends at most this many slots from now on, or all of them. Slots that are taken stay so until they are returned. */
  limitTo(slots = this.#options.slots): void {
    this.#limit = slots;
    this.#passOn();
  }

  #passOn(): void {
    while (!this.isFull) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#taken += 1;
      next.item.take();
    }
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
