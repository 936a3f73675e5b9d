import { performance } from 'node:perf_hooks';

/** Returns the current time. Tests pass their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds of a monotonic clock, for measuring durations. The global `performance` is looked up at each use, which takes
 * longer than reading the time of the imported one.
 */
export const monotonicTime = (): number => performance.now();
