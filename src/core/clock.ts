/** Returns the current time. Tests pass their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Milliseconds of a monotonic clock. */
export const monotonicTime = (): number => performance.now();
