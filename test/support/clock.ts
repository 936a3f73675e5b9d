import type { Clock } from '../../src/core/clock.ts';

/** A clock that a test can advance. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that only moves when a test advances it. @param start later than the demo data, so that new rows are the newest. */
export function testClock(start = '2026-09-01T12:00:00.000Z'): TestClock {
  let now = new Date(start).getTime();
  return Object.assign(() => new Date(now), {
    advance(milliseconds: number) {
      now += milliseconds;
    },
  });
}

/** The clock of the machine, plus the time by which a test advances it. */
export function runningClock(): TestClock {
  let ahead = 0;
  return Object.assign(() => new Date(Date.now() + ahead), {
    advance(milliseconds: number) {
      ahead += milliseconds;
    },
  });
}
