import type { Clock } from '../../src/core/clock.ts';

/** A clock that stands still until it is asked to move. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** @param start later than everything in the demo data, so that what a test makes is the newest. */
export function testClock(start = '2026-09-01T12:00:00.000Z'): TestClock {
  let now = new Date(start).getTime();
  return Object.assign(() => new Date(now), {
    advance(milliseconds: number) {
      now += milliseconds;
    },
  });
}

/** The clock of the machine, which can be moved on. */
export function runningClock(): TestClock {
  let ahead = 0;
  return Object.assign(() => new Date(Date.now() + ahead), {
    advance(milliseconds: number) {
      ahead += milliseconds;
    },
  });
}
