/** What clients request by Accept (RFC 9110, section 12.5.1). */
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { EXPORT_TYPES, type ExportType } from '../rest/export/formats.ts';

/** A media range of Accept, in lower case. */
interface MediaRange {
  /** From 0 to 1. */
  readonly weight: number;
  /** Parameters other than the weight, such as `charset=utf-8`. */
  readonly parameters: readonly string[];
}

/**
 * Returns the media range of Accept that names a type, undefined if there is none. Wildcards express no preference and are
 * ignored.
 *
 * @param type the media type, in lower case.
 */
function rangeOf(type: string, accept: string | undefined): MediaRange | undefined {
  for (const range of accept?.split(',') ?? []) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => WEIGHT.test(parameter));
    // An invalid weight counts as absent.
    const isValid = /^q\s*=\s*(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight ?? '');
    return {
      weight: isValid ? Number(weight?.split('=')[1]) : 1,
      parameters: parameters.filter((parameter) => !WEIGHT.test(parameter)),
    };
  }
  return undefined;
}

const WEIGHT = /^q\s*=/;

/** Returns the weight of a media type for a client: 0 if Accept does not name it, or excludes it by `q=0`. */
export const weightOf = (type: string, accept: string | undefined): number =>
  rangeOf(type, accept)?.weight ?? 0;

/** The media types with their parameter: a type without it would not match if a client names the parameter in Accept. */
export const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/** The preferred of GraphQL's media types by values of Accept, of which clients send the same few. */
const preferredTypes = new LRUCache<string, { readonly type: string | undefined }>({
  max: 100,
  memoMethod: (accept) => ({
    type: new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]),
  }),
});

/** Returns the content type of a GraphQL response, undefined if the client accepts none of GraphQL's media types. */
export const graphqlTypeFor = (accept: string | undefined): string | undefined =>
  accept === undefined || accept === '' ? JSON_TYPE : preferredTypes.memo(accept).type;

export const EVENT_STREAM = 'text/event-stream';

const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/**
 * Whether a client explicitly prefers a stream to JSON. Some clients, such as urql, list all supported media types for a query,
 * but want a single response.
 */
export const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean => {
  // A quick check, since most requests do not name this type.
  if (!accept?.toLowerCase().includes(EVENT_STREAM)) return false;
  const weight = weightOf(EVENT_STREAM, accept);
  return weight > 0 && JSON_TYPES.every((type) => weight > weightOf(type, accept));
};

/** Whether a client explicitly accepts JSON, even if it prefers a stream. */
export const takesJson = ({ headers: { accept } }: FastifyRequest): boolean =>
  JSON_TYPES.some((type) => weightOf(type, accept) > 0);

export interface WantedExport {
  readonly type: ExportType;
  /** Whether the client requests a last line that marks the list as complete, in a format without one. */
  readonly endLine: boolean;
}

/** The parameter of a media range that requests the last line: `text/csv;end=line`. */
const END_LINE = /^end\s*=\s*"?line"?$/;

/** Returns the export that a client explicitly prefers to a page and to events; undefined for none. */
export function wantedExport({ headers: { accept } }: FastifyRequest): WantedExport | undefined {
  // A quick check, since most requests do not name these types.
  if (accept === undefined || !EXPORT_TYPES.some((type) => accept.toLowerCase().includes(type)))
    return undefined;
  const ranges = EXPORT_TYPES.map((type) => ({ type, range: rangeOf(type, accept) }));
  const most = Math.max(...ranges.map(({ range }) => range?.weight ?? 0));
  const others = ['application/json', EVENT_STREAM].map((type) => weightOf(type, accept));
  const found = ranges.find(({ range }) => range?.weight === most);
  if (!found || most === 0 || others.some((weight) => weight >= most)) return undefined;
  const endLine = found.range?.parameters.some((parameter) => END_LINE.test(parameter)) ?? false;
  return { type: found.type, endLine };
}
