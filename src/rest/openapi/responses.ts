import type { GraphQLSchema } from 'graphql';
import { ApiError, CATALOGUE, type ErrorCode } from '../../core/errors.ts';
import { reasonPhrase } from '../../core/reason-phrases.ts';
import type { Route } from '../compile/route.ts';
import type { StreamRoute } from '../handle/stream-route.ts';
import type { Components } from './components.ts';
import { DEPRECATED, headersOf, NEXT_PAGE, NEXT_PAGE_AND_STREAM, optionalHeaders } from './headers.ts';
import { refusalsOf } from './refusals.ts';
import { errorSchema, pascalCase, problemSchema } from './shapes.ts';
import type { Header, Reference, Response } from './types.ts';

type Responses = Record<string, Response | Reference>;

/** Returns all responses of a route, by status. @param stream the stream on the same path, if there is one. */
export function responsesOf(
  schema: GraphQLSchema,
  route: Route,
  stream: StreamRoute | undefined,
  components: Components,
): Responses {
  return {
    [route.status]: successOf(route, components),
    ...(route.method === 'GET' && { 304: notModifiedOf(route) }),
    ...Object.fromEntries(
      [...refusalsOf(schema, route, stream)].map(([status, codes]) => [
        status,
        refusalOf(status, codes, components, traitsOf(route)),
      ]),
    ),
  };
}

const notModifiedOf = (route: Route): Response => ({
  description: 'Not modified. No body.',
  headers: { ...headersOf(...tagsOf(route), ...headersOfRoute(route)), ...linksOf(route) },
});

const tagsOf = ({ view: { etag, isPage } }: Route) => (etag !== undefined || isPage ? ['ETag'] : []);

/** Returns the optional `Link` of a page of a list. A deprecated route always has a `Link`. */
const linksOf = ({ view: { isPage, streamCursor }, deprecation }: Route): Record<string, Header> =>
  isPage && !deprecation ? { Link: streamCursor === undefined ? NEXT_PAGE : NEXT_PAGE_AND_STREAM } : {};

const headersOfRoute = (route: Route): readonly string[] => [
  ...BUDGET,
  ...traitsOf(route).flatMap((trait) => HEADERS_OF_TRAIT[trait]),
];

/** A property of a route that adds headers to its responses. */
type Trait = keyof typeof HEADERS_OF_TRAIT;

const HEADERS_OF_TRAIT = {
  Idempotent: ['Idempotent-Replayed'],
  // A part of the names of components, which clients may have generated code from.
  MadeUpKey: ['Idempotency-Key'],
  Deprecated: DEPRECATED,
} as const;

const traitsOf = ({ deprecation, variables, generatesKey }: Route): Trait[] => [
  ...(variables.some(({ source }) => source === 'idempotencyKey') ? (['Idempotent'] as const) : []),
  ...(generatesKey ? (['MadeUpKey'] as const) : []),
  ...(deprecation ? (['Deprecated'] as const) : []),
];

/** The headers with the caller's remaining budget. */
export const BUDGET = ['RateLimit-Policy', 'RateLimit'];

function successOf(route: Route, components: Components): Response {
  const { status, view, location, document } = route;
  if (status === 204) return { description: 'Done. No body.', headers: headersOf(...headersOfRoute(route)) };
  const schema = components.shape(view.bodySchema, document);
  const value = withLinks(components.sample(schema), route);
  return {
    description: reasonPhrase(status),
    headers: {
      ...headersOf(...tagsOf(route), ...(location ? ['Location'] : []), ...headersOfRoute(route)),
      ...linksOf(route),
    },
    content: { 'application/json': { schema, example: value } },
  };
}

/** Replaces the page links of an example, which the schema describes only as strings, by real links. */
function withLinks(sample: unknown, { path, view: { pageLinks } }: Route): unknown {
  for (const { path: steps, parameter } of pageLinks) {
    const owner = steps
      .slice(0, -1)
      .reduce<unknown>((value, step) => Reflect.get(value as object, step), sample);
    Reflect.set(owner as object, steps.at(-1) ?? '', `${path.replace(/\{\w+\}/g, '1')}?${parameter}=2`);
  }
  return sample;
}

/** Returns the response of an error, shared by all operations with the same error codes. */
export function refusalOf(
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
  traits: readonly Trait[] = [],
): Reference {
  const name = [codes.map(pascalCase).join('Or'), ...traits].join('Of');
  return components.response(name, () => refusal(status, codes, traits));
}

/** Returns the response of an error. */
export function refusal(
  status: number,
  codes: readonly ErrorCode[],
  traits: readonly Trait[] = [],
): Response {
  const ofTraits = traits.flatMap((trait) => HEADERS_OF_TRAIT[trait]);
  return {
    description: codes.map(inWords).join('\n\n'),
    headers: {
      ...headersOf(...headersOfStatus(status, codes), ...BUDGET),
      // If the router finds no route, the response has no headers of one.
      ...(codes.includes('route_not_found') ? optionalHeaders(...ofTraits) : headersOf(...ofTraits)),
      ...(codes.includes('idempotency_in_progress') && optionalHeaders('Retry-After')),
      ...(codes.includes('unsupported_media_type') && optionalHeaders('Accept-Patch')),
      ...(codes.includes('insufficient_scope') && optionalHeaders('WWW-Authenticate')),
    },
    content: {
      'application/json': { schema: errorSchema(codes), examples: examplesOf(codes) },
      'application/problem+json': { schema: problemSchema(codes), examples: examplesOf(codes, status) },
    },
  };
}

/** @param status adds the members of a problem (RFC 9457). */
function examplesOf(codes: readonly ErrorCode[], status?: number): Record<string, { value: unknown }> {
  return Object.fromEntries(
    codes.map((code) => {
      const { message } = CATALOGUE[code];
      const error = { error: { code, message } };
      const problem = { type: 'about:blank', title: reasonPhrase(status ?? 0), status, detail: message };
      return [code, { value: status === undefined ? error : { ...problem, ...error } }];
    }),
  );
}

const inWords = (code: ErrorCode) => `\`${code}\`: ${CATALOGUE[code].message.replaceAll('<', '\\<')}`;

function headersOfStatus(status: number, codes: readonly ErrorCode[]): string[] {
  const hasDelay = codes.some((code) => new ApiError(code).retryAfter !== undefined);
  return [
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || hasDelay ? ['Retry-After'] : []),
  ];
}
