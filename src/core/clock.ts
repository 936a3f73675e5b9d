import { performance } from 'node:perf_hooks';

/** Where the time comes from. Tests put their own in its place. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds of a monotonic clock, to measure durations. The global `performance` is looked up anew with each
 * use, which takes longer than reading the time of an imported one.
 */
export const monotonicTime = (): number => performance.now();
