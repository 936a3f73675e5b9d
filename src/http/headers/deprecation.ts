import type { Deprecation } from '../../core/deprecation.ts';

/** The path of the guide about replacements of deprecated routes. */
export const VERSIONS_PAGE = '/docs/versions';

/**
 * Returns the headers of a deprecation, by lower-case name: `Deprecation` (RFC 9745, a structured date), `Sunset` (RFC 8594, an
 * HTTP date) and `Link` to the guide.
 *
 * @param base the path under which clients reach this server, empty for the root.
 * @param successor the path of the replacing route (RFC 5829, section 3.3), undefined if there is none.
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
