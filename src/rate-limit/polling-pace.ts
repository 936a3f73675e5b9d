/** Notices devices that poll faster than the interval, which then grows for their code (RFC 8628, section 3.5). */
import type { Redis } from '../cluster/redis.ts';
import { LIMITS, SECOND } from '../core/limits.ts';
import { countsOf, sealed } from './counts.ts';

/** Seconds between two polls, and seconds added after each `slow_down`: what clients assume without other information. */
const INTERVAL = 5;

/** Seconds by which a poll may be early, since the network may have delayed the one before. */
const JITTER = 2;

const windowAfter = (warnings: number): number => INTERVAL * (1 + warnings) - JITTER;

export type PollingPace = ReturnType<typeof createPollingPace>;

/** @param redis as for {@link countsOf}. */
export function createPollingPace(redis?: Redis) {
  const polls = countsOf('device:polls', 1, redis, windowAfter(0));
  const warnings = countsOf('device:warnings', 1, redis, LIMITS.deviceCodeLifetime / SECOND);
  return {
    /** Counts a poll with a device code. Returns whether it came too early, so that the next one must come even later. */
    async isTooFast(code: string): Promise<boolean> {
      const key = sealed(code);
      const warned = (await warnings.get(key))?.consumedPoints ?? 0;
      const { consumedPoints } = await polls.penalty(key, 1, { customDuration: windowAfter(warned) });
      if (consumedPoints === 1) return false;
      await warnings.penalty(key, 1);
      await polls.set(key, 1, windowAfter(warned + 1));
      return true;
    },
  };
}
