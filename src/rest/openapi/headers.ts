import { etagOf } from '../handle/conditions.ts';
import { TEXT } from './shapes.ts';
import type { Header, Reference, Schema } from './types.ts';

const header = (description: string, example: string, required = true, schema: Schema = TEXT): Header => ({
  description,
  required,
  schema,
  example,
});

/** All headers of responses, by the name of their component. */
const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': header(
    'The id of this request in the log of the server: the id that the client sent, if valid, or a new one.',
    '0e8a4bd2-5d3c-4a3e-9d0c-6f1c1c1f7f60',
  ),
  'Cache-Control': header(
    '`private, no-cache`: only the caller may store the response, and must revalidate it. `no-store` for secrets.',
    'private, no-cache',
  ),
  ETag: header(
    'The version of the resource, or a weak tag of a page of a list (RFC 9110, section 8.8.3). Send it back in If-None-Match, and a version in If-Match.',
    etagOf(1),
  ),
  Location: header('The URL of the resource.', '/v1/orders/61', true, { ...TEXT, format: 'uri-reference' }),
  'Idempotent-Replayed': header(
    '`true` if this is the response of the first request with the same idempotency key.',
    'true',
    false,
    { ...TEXT, const: 'true' },
  ),
  'Idempotency-Key': header(
    'The generated idempotency key of a request without one. Send it with retries of that request.',
    '6f1c9f0e-2f0b-4a7c-9a53-0f5b8a4f4a11',
    false,
  ),
  'WWW-Authenticate': header(
    'The supported schemes (RFC 9110, section 11.6.1), or the scope that the request needs (RFC 6750, section 3).',
    'Bearer realm="portico", ApiKey realm="portico", DPoP realm="portico", algs="ES256 EdDSA Ed25519"',
  ),
  'Accept-Patch': header(
    'The media types that PATCH accepts (RFC 5789, section 3.1). Responses to other methods do not have it.',
    'application/json, application/merge-patch+json',
    false,
  ),
  'Retry-After': header('Whole seconds to wait before the next attempt.', '1', true, {
    ...TEXT,
    pattern: '^\\d+$',
  }),
  'RateLimit-Policy': {
    description:
      'The points of a full budget, and the seconds in which an empty one refills (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: TEXT,
    example: '"points";q=20000;w=20',
  },
  RateLimit: {
    description: 'The remaining points, and the seconds until the budget is full.',
    schema: TEXT,
    example: '"points";r=19979;t=1',
  },
  Deprecation: header(
    'When the route was deprecated, in seconds since 1970 (RFC 9745).',
    '@1793491200',
    true,
    {
      ...TEXT,
      pattern: '^@\\d+$',
    },
  ),
  Sunset: header('When the route may be removed (RFC 8594).', 'Mon, 01 Nov 2027 00:00:00 GMT'),
  Link: header(
    'The replacement of the route, its documentation, and the next page of a list (RFC 8288).',
    '</v2/charges>; rel="successor-version"',
  ),
};

export const NEXT_PAGE = header(
  'The next page of the list (RFC 8288), if there is one.',
  '</v1/orders?cursor=eyJ2IjoxfQ>; rel="next"',
  false,
);

/** The `Link` of a page of a list that a stream continues. */
export const NEXT_PAGE_AND_STREAM: Header = {
  ...NEXT_PAGE,
  description:
    'The next page of the list (RFC 8288), if there is one, and on the first page the stream of later events (`rel="monitor"`).',
};

/** Returns references to these headers, and to those that every response has. */
export function headersOf(...names: readonly string[]): Record<string, Reference> {
  const all = ['X-Request-Id', 'Cache-Control', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the same headers as optional, for responses that do not always have them. */
export function optionalHeaders(...names: readonly string[]): Record<string, Header> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = HEADERS[name];
      return found ? [[name, { ...found, required: false }] as const] : [];
    }),
  );
}

export const DEPRECATED = ['Deprecation', 'Sunset', 'Link'] as const;

/** Returns the headers to which these parts of a description refer. */
export function headersIn(...parts: readonly unknown[]): Record<string, Header> {
  const text = JSON.stringify(parts);
  return Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}
