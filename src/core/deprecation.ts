/** How the end of a route or of a part of the schema is announced: its dates, and the headers that tell them. */

/** The months between the announcement of an end and the end, where nothing else is said (spec: Versioning). */
const MONTHS_OF_NOTICE = 12;

/** Where people read what to do instead, as a path of this server. */
export const VERSIONS_PAGE = '/docs/versions';

/** From when on something should not be used any more, and from when on it may be gone. */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
}

/**
 * Reads the dates that a directive gives, days such as `2026-11-01` in UTC.
 *
 * @param sunset twelve calendar months after `since` when left out.
 * @throws RangeError with a sentence for whoever wrote them: a day that does not exist, or an end before its announcement
 *   (RFC 9745, section 4).
 */
export function readDeprecation(since: string, sunset?: string | null): Deprecation {
  const start = dayOf(since);
  const end = sunset == null ? monthsAfter(start, MONTHS_OF_NOTICE) : dayOf(sunset);
  if (end < start)
    throw new RangeError(`The sunset ${sunset} is before ${since}, when the deprecation begins.`);
  return { since: start, sunset: end };
}

/** What holds for an answer that depends on several: it is as deprecated as the first of them, and ends with the first. */
export function earliest(deprecations: readonly Deprecation[]): Deprecation | undefined {
  if (deprecations.length === 0) return undefined;
  return {
    since: new Date(Math.min(...deprecations.map(({ since }) => since.getTime()))),
    sunset: new Date(Math.min(...deprecations.map(({ sunset }) => sunset.getTime()))),
  };
}

/**
 * The headers that announce it, by lower-case name: `Deprecation` (RFC 9745, a structured date), `Sunset` (RFC 8594, an
 * HTTP date) and `Link` to what people read about it.
 *
 * @param base the path under which clients reach this server, empty when that is its root.
 * @param successor the path of what takes its place (RFC 5829, section 3.3), undefined where it has no address of its own.
 */
export function deprecationHeaders(
  { since, sunset }: Deprecation,
  base: string,
  successor?: string,
): Record<string, string> {
  const links = [`<${base}${VERSIONS_PAGE}>; rel="deprecation"; type="text/html"`];
  if (successor !== undefined) links.unshift(`<${base}${successor}>; rel="successor-version"`);
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: sunset.toUTCString(),
    link: links.join(', '),
  };
}

/** The path under which clients reach this server, without a slash at its end: empty when it is the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

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
