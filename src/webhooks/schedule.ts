/** The retry schedule of messages that were not accepted, as Standard Webhooks proposes it. */
import { HOUR, MINUTE, SECOND } from '../core/limits.ts';

/** Milliseconds before each attempt, counted from the end of the previous one; about 75 hours in total. */
export const SCHEDULE: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Jitter, as a ratio of the pause, so that concurrent failures are not retried together. */
const JITTER = 0.1;

/** The most milliseconds by which a receiver can postpone an attempt with Retry-After: the longest pause of the schedule. */
const LONGEST_PAUSE = 24 * HOUR;

/**
 * Returns the milliseconds until the next attempt.
 *
 * @param attemptsLeft number of remaining attempts, this one included.
 * @param random from 0 to 1.
 * @param retryAfter milliseconds that the receiver requested. They can only lengthen the pause.
 */
export function pauseBefore(
  schedule: readonly number[],
  attemptsLeft: number,
  random: number,
  retryAfter = 0,
): number {
  const pause = (schedule.at(-attemptsLeft) ?? LONGEST_PAUSE) * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(pause, Math.min(retryAfter, LONGEST_PAUSE)));
}
