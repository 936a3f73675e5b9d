/** The deprecation dates of a route or of a part of the schema. */

/** The default number of months between the announcement of a removal and the removal (spec: Versioning). */
const MONTHS_OF_NOTICE = 12;

/** The dates of a deprecation and of the removal. */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
}

/**
 * Parses the dates of a directive, which are days in UTC such as `2026-11-01`. Without `sunset` it is twelve months later.
 *
 * @throws RangeError for the author: a day does not exist, or the sunset is before the announcement (RFC 9745, section 4).
 */
export function readDeprecation(since: string, sunset?: string | null): Deprecation {
  const start = dayOf(since);
  const end = sunset == null ? monthsAfter(start, MONTHS_OF_NOTICE) : dayOf(sunset);
  if (end < start)
    throw new RangeError(`The sunset ${sunset} is before ${since}, when the deprecation begins.`);
  return { since: start, sunset: end };
}

/** The dates for a response that uses one or several deprecated parts: the earliest deprecation and the earliest sunset. */
export function earliest(deprecations: readonly Deprecation[]): Deprecation {
  return {
    since: new Date(Math.min(...deprecations.map(({ since }) => since.getTime()))),
    sunset: new Date(Math.min(...deprecations.map(({ sunset }) => sunset.getTime()))),
  };
}

function dayOf(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` parses the 30th of February as the 2nd of March.
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
