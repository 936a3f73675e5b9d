/** Conditional requests: entity tags made of a row's version, and what is compared with them (RFC 9110, section 13). */

const TAG = /^(?<weak>W\/)?"(?<opaque>[\x21\x23-\x7e\x80-\xff]*)"$/;
/** Nine digits: what fits GraphQL's Int. No row was ever changed more often. */
const OUR_TAG = /^v(?<version>[1-9]\d{0,8})$/;

type Header = string | string[] | undefined;

/** The strong entity tag of a row at this version. */
export const etagOf = (version: number): string => `"v${version}"`;

/**
 * The versions that If-Match allows, undefined when it allows all: it is absent, or `*`.
 *
 * Comparison is strong, so a weak tag allows nothing, and neither does one that was not made here (section 13.1.1). An
 * empty list is the answer then: no row has a version in it.
 */
export function ifMatchVersions(header: Header): number[] | undefined {
  if (header === undefined) return undefined;
  const tags = entityTags(header);
  if (tags === '*') return undefined;
  return tags.flatMap(({ weak, opaque }) => {
    const version = OUR_TAG.exec(opaque)?.groups?.['version'];
    return version !== undefined && !weak ? [Number(version)] : [];
  });
}

/** True when If-None-Match names this tag, by weak comparison, or `*` (section 13.1.2). */
export function ifNoneMatch(header: Header, etag: string): boolean {
  if (header === undefined) return false;
  const tags = entityTags(header);
  return tags === '*' || tags.some(({ opaque }) => `"${opaque}"` === etag);
}

function entityTags(header: string | string[]): '*' | { weak: boolean; opaque: string }[] {
  const text = Array.isArray(header) ? header.join(',') : header;
  if (text.trim() === '*') return '*';
  return text.split(',').flatMap((part) => {
    const { weak, opaque } = TAG.exec(part.trim())?.groups ?? {};
    return opaque === undefined ? [] : [{ weak: weak !== undefined, opaque }];
  });
}
