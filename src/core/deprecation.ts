/** The dates of the deprecation of a route or of a part of the schema. */

/** The months between the announcement of an end and the end, where nothing else is said (spec: Versioning). */
const MONTHS_OF_NOTICE = 12;

/** The dates of a deprecation and of the removal. */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
}

/**
 * Reads the dates that a directive gives, days such as `2026-11-01` in UTC.
 *
 * @param sunset twelve calendar months after `since` when left out.
 * @throws RangeError with a message for the author: a day that does not exist, or an end before its announcement
 *   (RFC 9745, section 4).
 */
export function readDeprecation(since: string, sunset?: string | null): Deprecation {
  const start = dayOf(since);
  const end = sunset == null ? monthsAfter(start, MONTHS_OF_NOTICE) : dayOf(sunset);
  if (end < start)
    throw new RangeError(`The sunset ${sunset} is before ${since}, when the deprecation begins.`);
  return { since: start, sunset: end };
}

/** What holds for a response that depends on several: it is as deprecated as the first of them, and ends with the first. */
export function earliest(deprecations: readonly Deprecation[]): Deprecation | undefined {
  if (deprecations.length === 0) return undefined;
  return {
    since: new Date(Math.min(...deprecations.map(({ since }) => since.getTime()))),
    sunset: new Date(Math.min(...deprecations.map(({ sunset }) => sunset.getTime()))),
  };
}

function dayOf(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` takes the 30th of February for the 2nd of March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
    throw new RangeError(`"${text}" is not a day such as 2026-11-01.`);
  }
  return date;
}

/** The same day of a later month, or its last one where the month is too short. */
function monthsAfter(day: Date, months: number): Date {
  const later = new Date(day);
  later.setUTCMonth(day.getUTCMonth() + months);
  if (later.getUTCDate() !== day.getUTCDate()) later.setUTCDate(0);
  return later;
}
