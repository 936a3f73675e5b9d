/**
 * A preloaded module that replies to each message with the used bytes on the heap and the number of garbage collections so far. The
 * message `collect` collects garbage first.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** A report about the heap. */
export interface Heap {
  /** Used bytes. */
  readonly bytes: number;
  readonly collections: number;
}

/** Milliseconds until the observer has been called for a collection. */
const SETTLE_TIME = 100;

let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

process.on('message', async (request) => {
  if (request === 'collect') globalThis.gc?.();
  await sleep(SETTLE_TIME);
  const heap: Heap = { bytes: process.memoryUsage().heapUsed, collections };
  process.send?.(heap);
});
