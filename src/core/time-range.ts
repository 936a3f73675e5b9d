/** The range of times in milliseconds: the years 0001 to 9999 in UTC. RFC 3339 has four digits, and PostgreSQL no year 0. */
export const EARLIEST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a time, in milliseconds since the epoch, is within the range; false for NaN. */
export const isInRange = (time: number): boolean => time >= EARLIEST_TIME && time <= LATEST_TIME;

/** The first time after another one. Both engines store milliseconds, so it is exact, except at the end of the range. */
export const timeAfter = (date: Date): number => Math.min(date.getTime() + 1, LATEST_TIME);

/** The last time before another one, except at the start of the range. */
export const timeBefore = (date: Date): number =>
  Math.max(date instanceof TruncatedDate ? date.getTime() : date.getTime() - 1, EARLIEST_TIME);

/** Whether no time is after the first and before the second time. */
export const isEmptyRange = (after: Date, before: Date): boolean =>
  after.getTime() >= before.getTime() + (before instanceof TruncatedDate ? 1 : 0);

/** A time that a client gave more precisely: it is up to a millisecond later than this date. */
export class TruncatedDate extends Date {}
