import { ApiError } from './errors.ts';

/** The time that one request has, and whether anybody still waits for its answer. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param milliseconds until the work is ended. */
  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.#controller.abort(new ApiError('timeout')), milliseconds);
    this.#timer.unref();
  }

  /** Aborted, with an `ApiError` as its reason, when the work is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The work has been done: nothing is ended any more. */
  meet(): void {
    clearTimeout(this.#timer);
  }

  /** Nobody waits for the answer: the work ends now. */
  abandon(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(new ApiError('timeout', { message: 'The client went away.' }));
  }
}

/**
 * Calls the function when the signal is aborted, at once if it has been.
 *
 * @returns what takes that back.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
