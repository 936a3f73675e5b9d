import { ApiError } from './errors.ts';

/** An AbortSignal, or a cheaper object with the same shape. */
export interface AbortSignalLike extends Pick<AbortSignal, 'aborted' | 'reason' | 'throwIfAborted'> {
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The deadline of one request, and whether its client still waits. Every request has one and few reach it, so it is not an
 * AbortController, whose listeners would cost 1 % of a small request.
 */
export class Deadline implements AbortSignalLike {
  readonly #timer: NodeJS.Timeout;
  #reason: ApiError | undefined;
  #listeners: Set<() => void> | undefined;

  /** @param milliseconds until the work is aborted. */
  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.abort(new ApiError('timeout')), milliseconds).unref();
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
    clearTimeout(this.#timer);
  }

  /** Aborts the work because no client waits for the response any more. */
  abandon(): void {
    this.abort(new ApiError('timeout', { message: 'The client went away.' }));
  }

  /**
   * Aborts the work. Only the first reason is kept. An error of a listener is a bug: like with an AbortSignal, it is thrown as
   * an uncaught error, which ends the process, and does not affect other listeners.
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

/**
 * Calls the listener on abort, or at once if the signal is aborted already.
 *
 * @returns a function that removes the listener.
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
