import { performance } from 'node:perf_hooks';

/** Returns the current time. Tests pass their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Milliseconds of a monotonic clock. The imported `performance` is faster than the global one, which is looked up at each use. */
export const monotonicTime = (): number => performance.now();
