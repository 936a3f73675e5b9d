import { monotonicTime } from './clock.ts';
import { ApiError } from './errors.ts';

/** An AbortSignal, or a cheaper object with the same shape. */
export interface AbortSignalLike extends Pick<AbortSignal, 'aborted' | 'reason' | 'throwIfAborted'> {
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The deadline of one request, and whether its client still waits. Few reach it, so it is no AbortController and has no timer of its own: the
 * timer alone costs a REST request for one order 10 % of its processor time.
 */
export class Deadline implements AbortSignalLike {
  /** When the deadline ends, by the clock of {@link Deadlines}. */
  readonly end: number;
  readonly #open: Set<Deadline>;
  #reason: ApiError | undefined;
  #listeners: Set<() => void> | undefined;

  constructor(open: Set<Deadline>, end: number) {
    this.#open = open;
    this.end = end;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): ApiError | undefined {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.aborted) return;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  /** Marks the work as done: the deadline no longer applies. */
  meet(): void {
    this.#open.delete(this);
  }

  /** Aborts the work because no client waits for the response any more. */
  abandon(): void {
    this.abort(new ApiError('timeout', { message: 'The client went away.' }));
  }

  /** Aborts the work; only the first reason is kept. As with an AbortSignal, a listener's error is uncaught, and affects no other listener. */
  abort(reason: ApiError): void {
    this.meet();
    if (this.aborted) return;
    this.#reason = reason;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/** Open deadlines of the same duration. They end in the order in which they began, so one timer, for the first, is enough. */
export class Deadlines {
  readonly #milliseconds: number;
  readonly #time: () => number;
  /** In the order in which they began. */
  readonly #open = new Set<Deadline>();
  #isTimed = false;

  /** @param milliseconds until the work of each is aborted. */
  constructor(milliseconds: number, time: () => number = monotonicTime) {
    this.#milliseconds = milliseconds;
    this.#time = time;
  }

  begin(): Deadline {
    const deadline = new Deadline(this.#open, this.#time() + this.#milliseconds);
    this.#open.add(deadline);
    if (!this.#isTimed) this.#wait(this.#milliseconds);
    return deadline;
  }

  #wait(milliseconds: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#end(), milliseconds).unref();
  }

  /** Aborts the deadlines that have passed. Aborting one may meet others, and begin new ones. */
  #end(): void {
    const now = this.#time();
    for (const deadline of this.#open) {
      // A timer counts whole milliseconds, and may fire up to one early.
      const left = deadline.end - now;
      if (left >= 1) {
        this.#wait(left);
        return;
      }
      deadline.abort(new ApiError('timeout'));
    }
    // Not earlier: deadlines that begin meanwhile are covered by this loop.
    this.#isTimed = false;
  }
}

/** Calls the listener on abort, or at once if that has happened. Returns a function that removes the listener. */
export function onAbort(ending: AbortSignalLike | undefined, listener: () => void): () => void {
  if (!ending) return () => {};
  if (ending.aborted) {
    listener();
    return () => {};
  }
  ending.addEventListener('abort', listener, { once: true });
  return () => ending.removeEventListener('abort', listener);
}
