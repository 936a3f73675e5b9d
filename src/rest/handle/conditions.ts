/** Conditional requests: entity tags made of a row's version, and what is compared with them (RFC 9110, section 13). */
import { hash } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';

/** The strong entity tag of a row at this version. */
export const etagOf = (version: number): string => `"v${version}"`;

/**
 * The weak entity tag of a representation that has no version, such as a page of a list. It changes with the text, also where that only
 * says the same in another way.
 */
export const etagOfText = (text: string): string => `W/"${hash('sha1', text, 'base64url')}"`;

/** Content codings of responses (RFC 9110, section 8.4.1), the preferred one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * The entity tag of a representation in a content coding. Strong tags differ (section 8.8.3.3), so the coding is part of one; a weak
 * one is the same for both.
 */
export const encodedTag = (etag: string, coding: Coding): string =>
  etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}+${coding}"`;

/** The tag of the representation without it: conditions are about what is there, however it is encoded. No tag of ours has a `+`. */
const plainTag = (opaque: string) => opaque.replace(/\+(br|gzip)"$/, '"');

/** Nine digits: what fits GraphQL's Int. No row was ever changed more often. */
const OUR_TAG = /^"v([1-9]\d{0,8})"$/;

interface EntityTag {
  readonly isWeak: boolean;
  /** With its quotes. */
  readonly opaque: string;
}

type EntityTags = '*' | readonly EntityTag[];

/** The headers of a request that make it conditional, undefined where the client did not send them. */
export interface ConditionHeaders {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * The preconditions of a request. `If-Modified-Since` and the like are not among them: no resource has a date of modification, and
 * so they are ignored (section 13.1.3).
 */
export interface Conditions {
  readonly ifMatch: EntityTags | undefined;
  readonly ifNoneMatch: EntityTags | undefined;
}

export const isConditional = ({ ifMatch, ifNoneMatch }: ConditionHeaders): boolean =>
  ifMatch !== undefined || ifNoneMatch !== undefined;

/** @throws ApiError `malformed_request` for a header that is empty, or not a list of entity tags. */
export const readConditions = ({ ifMatch, ifNoneMatch }: ConditionHeaders): Conditions => ({
  ifMatch: ifMatch === undefined ? undefined : entityTags(ifMatch),
  ifNoneMatch: ifNoneMatch === undefined ? undefined : entityTags(ifNoneMatch),
});

/** An entity tag (section 8.8.3), or nothing, with what separates it from the next one (section 5.6.1). */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*"))?[ \t]*(,|$)/y;

function entityTags(header: string): EntityTags {
  if (header.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  const elements = new RegExp(ELEMENT);
  for (let last = ','; last === ','; ) {
    const [, weak, opaque, separator] = elements.exec(header) ?? [];
    if (separator === undefined) throw malformed();
    if (opaque !== undefined) tags.push({ isWeak: weak !== undefined, opaque: plainTag(opaque) });
    last = separator;
  }
  if (tags.length === 0) throw malformed();
  return tags;
}

const malformed = () =>
  new ApiError('malformed_request', {
    message: `If-Match and If-None-Match are lists of entity tags, such as ${etagOf(1)}, or * alone.`,
  });

/** What a request is answered with: as without its conditions, 304, or 412. */
export type Evaluation = 'perform' | 'not modified' | 'failed';

/**
 * Evaluates the conditions of a request in the order of section 13.2.2.
 *
 * @param etag of the present representation; undefined where that has none, and so is no tag of a list.
 * @param isRead whether the method is GET or HEAD.
 */
export function evaluate(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string | undefined,
  isRead: boolean,
): Evaluation {
  if (ifMatch !== undefined && ifMatch !== '*' && !ifMatch.some((tag) => isSame(tag, etag))) return 'failed';
  const isNamed =
    ifNoneMatch === '*' || ifNoneMatch?.some(({ opaque }) => opaque === etag?.replace('W/', ''));
  if (!isNamed) return 'perform';
  return isRead ? 'not modified' : 'failed';
}

/** By strong comparison (section 8.8.3.2). */
const isSame = ({ isWeak, opaque }: EntityTag, etag: string | undefined) => !isWeak && opaque === etag;

/**
 * The versions that a change may apply to, undefined for all. `If-None-Match: *` allows none, since a change is of a row that is
 * there. The tags of `If-None-Match` are left out of those of `If-Match`.
 */
export function versionsAllowed({ ifMatch, ifNoneMatch }: Conditions): number[] | undefined {
  if (ifNoneMatch === '*') return [];
  if (ifMatch === undefined || ifMatch === '*') return undefined;
  const allowed = ifMatch.filter(
    ({ isWeak, opaque }) => !isWeak && !ifNoneMatch?.some((refused) => refused.opaque === opaque),
  );
  return allowed.flatMap(({ opaque }) => {
    const version = OUR_TAG.exec(opaque)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** Whether only the present version says if a change is allowed: `If-None-Match` names some, and `If-Match` none. */
export const needsPresentVersion = ({ ifMatch, ifNoneMatch }: Conditions): boolean =>
  Array.isArray(ifNoneMatch) && (ifMatch === undefined || ifMatch === '*');
