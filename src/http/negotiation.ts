import Negotiator from 'negotiator';

/** A media range of Accept (RFC 9110, section 12.5.1), in lower case. */
export interface MediaRange {
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
export function rangeOf(type: string, accept: string | undefined): MediaRange | undefined {
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

/** Maximum number of Accept values in the cache: clients send the same few. */
const KEPT = 100;

const types = new Map<string, string | undefined>();

/** Returns the content type of a GraphQL response, undefined if the client accepts none of GraphQL's media types. */
export function graphqlTypeFor(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '') return JSON_TYPE;
  if (types.has(accept)) return types.get(accept);
  const type = new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]);
  if (types.size >= KEPT) types.clear();
  types.set(accept, type);
  return type;
}
