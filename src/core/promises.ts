import { type AbortSignalLike, onAbort } from './deadline.ts';

/** Resolves when the work is done, or after this many milliseconds. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects after this many milliseconds with the error that `late` creates, for work that cannot be cancelled. */
export async function unlessLate<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects as soon as the signal aborts, for work that cannot be cancelled. A later result is passed to `discard`. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignalLike | undefined,
  discard?: (late: T) => void,
): Promise<T> {
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // The signal may live as long as the process, so the listener is removed when the work ends.
  const forget = onAbort(signal, () => reject(signal.reason));
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    // Not where the signal aborts: the work may have ended before, and its result is then returned.
    if (signal.aborted) work.then(discard, () => {});
    throw error;
  } finally {
    forget();
  }
}

/** Like `Promise.all`, but waits for all, and rejects with the first error in order: it made the others of a transaction fail. */
export async function settleAll<T extends readonly unknown[]>(
  promises: {
    readonly [Index in keyof T]: Promise<T[Index]>;
  },
): Promise<T> {
  await Promise.allSettled(promises);
  for (const promise of promises) await promise;
  // The type of `Promise.all` does not recognise a mapped tuple as a list of these promises.
  return (await Promise.all(promises)) as unknown as T;
}

/** Returns a function that runs the work. Concurrent calls share one run. */
export function sharedRun<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
