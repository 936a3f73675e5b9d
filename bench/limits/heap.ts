/**
 * Preloaded, it answers each message with the bytes on the heap, and how often garbage was collected so far. Asked to
 * `collect`, it does that before.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is reported of the heap. */
export interface Heap {
  readonly bytes: number;
  readonly collections: number;
}

/** Milliseconds. */
const SETTLING = 100;

let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

process.on('message', async (request) => {
  if (request === 'collect') globalThis.gc?.();
  // The observer is called for a collection some time after it.
  await sleep(SETTLING);
  const heap: Heap = { bytes: process.memoryUsage().heapUsed, collections };
  process.send?.(heap);
});
