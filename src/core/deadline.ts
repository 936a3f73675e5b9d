import { monotonicTime } from './clock.ts';
import { ApiError } from './errors.ts';

/** What work listens to that may be ended before it is done: an AbortSignal, or something that costs less. */
export interface AbortSignalLike extends Pick<AbortSignal, 'aborted' | 'reason' | 'throwIfAborted'> {
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The time that one request has, and whether anybody still waits for its answer. Every request has one and few are ended by it,
 * so it is no AbortController with a timer of its own, which would take a hundredth of a small request.
 */
export class Deadline implements AbortSignalLike {
  /** By the time of its row. */
  readonly end: number;
  /** Its neighbours in its row, which alone sets them. */
  previous: Deadline | undefined;
  next: Deadline | undefined;
  readonly #row: Deadlines;
  #isMet = false;
  #reason: ApiError | undefined;
  #listeners: Set<() => void> | undefined;

  /** Whoever has work to end asks `Deadlines.begin` for one. */
  constructor(row: Deadlines, end: number) {
    this.#row = row;
    this.end = end;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** An `ApiError`, once it is aborted. */
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

  /** The work has been done: nothing is ended any more. */
  meet(): void {
    if (this.#isMet) return;
    this.#isMet = true;
    this.#row.remove(this);
  }

  /** Nobody waits for the answer: the work ends now. */
  abandon(): void {
    this.abort(new ApiError('timeout', { message: 'The client went away.' }));
  }

  /**
   * Ends the work. What it was ended by first stays. An error of a listener is a fault of ours: it ends the process as one that
   * nobody has caught, as with an AbortSignal, and keeps neither the other listeners from being called nor other work from its end.
   */
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

/** Deadlines of one length that are not met. They end in the order in which they began, so one timer, for the first, does for all. */
export class Deadlines {
  readonly #milliseconds: number;
  readonly #time: () => number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #isTimed = false;

  /**
   * @param milliseconds until the work of each is ended.
   * @param time milliseconds that have passed since some moment.
   */
  constructor(milliseconds: number, time: () => number = monotonicTime) {
    this.#milliseconds = milliseconds;
    this.#time = time;
  }

  begin(): Deadline {
    const deadline = new Deadline(this, this.#time() + this.#milliseconds);
    deadline.previous = this.#last;
    if (this.#last) this.#last.next = deadline;
    else this.#first = deadline;
    this.#last = deadline;
    if (!this.#isTimed) this.#wait(this.#milliseconds);
    return deadline;
  }

  /** Has it end no more. */
  remove(deadline: Deadline): void {
    const { previous, next } = deadline;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    // Whoever still holds it holds no others with it.
    deadline.previous = undefined;
    deadline.next = undefined;
  }

  #wait(milliseconds: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#end(), milliseconds).unref();
  }

  /** Ends those whose time is up. Each that ends leaves the row, and what it ends may be what another one waited for. */
  #end(): void {
    const now = this.#time();
    while (this.#first) {
      // A timer counts whole milliseconds, and may come within the last one.
      const left = this.#first.end - now;
      if (left >= 1) {
        this.#wait(left);
        return;
      }
      this.#first.abort(new ApiError('timeout'));
    }
    // Not before: what begins while others end is among those that are looked at here.
    this.#isTimed = false;
  }
}

/**
 * Calls the function when the work is to end, at once if it is already.
 *
 * @returns what takes that back.
 */
export function onAbort(ending: AbortSignalLike | undefined, listener: () => void): () => void {
  if (!ending) return () => {};
  if (ending.aborted) {
    listener();
    return () => {};
  }
  ending.addEventListener('abort', listener, { once: true });
  return () => ending.removeEventListener('abort', listener);
}
