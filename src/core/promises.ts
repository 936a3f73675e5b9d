/** Resolves with the work, or when it has taken so many milliseconds. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * As `Promise.all`, once all have settled: of several that fail it rejects with the first in the order of the list, whichever failed
 * first. Of statements of one transaction the others fail because of that one.
 */
export async function inOrder<T extends readonly unknown[]>(
  promises: {
    readonly [Index in keyof T]: Promise<T[Index]>;
  },
): Promise<T> {
  await Promise.allSettled(promises);
  for (const promise of promises) await promise;
  // A mapped tuple is a list of these promises, which the type of `Promise.all` does not see.
  return (await Promise.all(promises)) as unknown as T;
}
