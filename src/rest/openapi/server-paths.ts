import type { Components } from './components.ts';
import { graphqlOperations } from './graphql-paths.ts';
import { GUIDES } from './guides.ts';
import { headersOf } from './headers.ts';
import { refusal, refusalOf } from './responses.ts';
import { objectOf, parameterOf, TEXT } from './shapes.ts';
import type { Operation, Response, Schema, Tag } from './types.ts';

/** Describes the server's own paths, which have no document. `test/scenarios/server-pages.test.ts` compares them with its responses. */
export function serverPaths(components: Components): readonly (readonly [string, string, Operation])[] {
  const conditional = {
    304: NOT_MODIFIED,
    400: refusalOf(400, ['malformed_request'], components),
    412: refusalOf(412, ['precondition_failed'], components),
  };
  const limited = { 429: refusalOf(429, ['rate_limited'], components) };
  const free: Readonly<Record<string, Page>> = { ...PROBES, '/metrics': metricsPage(components) };
  const pages: Readonly<Record<string, Page>> = {
    ...PAGES,
    '/docs/{guide}': guidePage(components),
    '/images/{name}': imagePage(components),
  };
  return [
    ...Object.entries({ ...free, ...pages }).map(([path, page]) => {
      const { summary, description = `${summary}.` } = page;
      const responses = { ...conditional, ...(path in pages && limited), ...page.responses };
      return [path, 'get', { ...page, description, responses, tags: ['Server'], security: [] }] as const;
    }),
    ...Object.entries(graphqlOperations(components)).map(
      ([method, operation]) => ['/graphql', method, operation] as const,
    ),
  ];
}

export const SERVER_TAGS: readonly Tag[] = [
  {
    name: 'GraphQL',
    description: 'The same domain as one graph: exactly the fields that a screen needs, in one request.',
  },
  { name: 'Server', description: 'Health, version and documentation of the server.' },
];

type Page = Pick<Operation, 'operationId' | 'summary' | 'parameters' | 'responses'> &
  Partial<Pick<Operation, 'description'>>;

const responseOf = (description: string, type: string, schema: Schema, example?: unknown): Response => ({
  description,
  headers: headersOf(),
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
});

const json = (description: string, schema: Schema, example: unknown): Response =>
  responseOf(description, 'application/json', schema, example);

const NOT_MODIFIED: Response = { description: 'Not modified. No body.', headers: headersOf() };

/** Responses of a page that only changes with a release. */
const unchanging = (response: Response): Operation['responses'] => ({
  200: { ...response, headers: headersOf('ETag') },
  304: { ...NOT_MODIFIED, headers: headersOf('ETag') },
});

const READINESS = objectOf(
  {
    status: {
      ...TEXT,
      enum: ['ready', 'degraded', 'not ready'],
      description:
        '`degraded`: an optional service is unavailable and all requests still work, or the database refuses changes and reads still work.',
    },
    checks: { type: 'object', description: 'The checks and their results.', additionalProperties: TEXT },
    reasons: { type: 'array', items: TEXT, description: 'One sentence for each problem.' },
  },
  undefined,
  ['status', 'checks'],
);

/** Probes, which matter most under overload and are therefore never refused. */
const PROBES: Readonly<Record<string, Page>> = {
  '/healthz': {
    operationId: 'ServerHealth',
    summary: 'Liveness probe',
    responses: {
      200: json('The process is alive.', objectOf({ status: { const: 'ok' } }), { status: 'ok' }),
    },
  },
  '/readyz': {
    operationId: 'ServerReadiness',
    summary: 'Readiness probe, with the reasons when not ready',
    responses: {
      200: json('Ready.', READINESS, {
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', draining: 'no' },
      }),
      503: {
        ...json('Not ready.', READINESS, {
          status: 'not ready',
          checks: { database: 'unreachable', migrations: 'unknown', draining: 'no' },
          reasons: ['The database does not respond.'],
        }),
        headers: headersOf('Retry-After'),
      },
    },
  },
};

const HTML = unchanging(responseOf('The page.', 'text/html', TEXT));

const htmlPage = (operationId: string, summary: string): Page => ({ operationId, summary, responses: HTML });

const PAGES: Readonly<Record<string, Page>> = {
  '/': htmlPage('ServerLandingPage', 'The overview page'),
  '/console': htmlPage('ServerConsole', 'The console: the data of an organisation, for its members'),
  '/docs': htmlPage('ServerReference', 'The interactive API reference'),
  '/reset-password': htmlPage(
    'ServerPasswordResetPage',
    'The page to request a password reset and set a new password',
  ),
  '/invitation': htmlPage('ServerInvitationPage', 'The page to accept an invitation'),
  '/openapi.json': {
    operationId: 'ServerOpenApi',
    summary: 'This document',
    responses: unchanging(responseOf('OpenAPI 3.1.', 'application/json', { type: 'object' })),
  },
  '/.well-known/jwks.json': {
    operationId: 'ServerKeys',
    summary: 'The public keys that access tokens are verified with (RFC 7517)',
    responses: {
      200: json('The keys.', objectOf({ keys: { type: 'array', items: { type: 'object' } } }), {
        keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: '2026-01', x: 'f0Jk…' }],
      }),
    },
  },
};

function metricsPage(components: Components): Page {
  const example =
    '# HELP portico_refusals_total Requests that were turned away by a limit.\n# TYPE portico_refusals_total counter\nportico_refusals_total{refusal="points"} 3\n';
  return {
    operationId: 'ServerMetrics',
    summary: 'Metrics for Prometheus',
    description:
      'In the text format, version 0.0.4. The setting `METRICS` can move it to a separate port or turn it off.',
    responses: {
      200: responseOf('The metrics.', 'text/plain', TEXT, example),
      404: refusalOf(404, ['route_not_found'], components),
    },
  };
}

function guidePage(components: Components): Page {
  return {
    operationId: 'ServerGuide',
    summary: 'A guide',
    parameters: [parameterOf('path', 'guide', 'The topic.', true, { ...TEXT, enum: GUIDES }, 'versions')],
    responses: {
      ...HTML,
      404: components.response('MissingGuide', () => {
        const { content, ...others } = refusal(404, ['route_not_found']);
        return { ...others, content: { ...content, 'text/html': { schema: TEXT } } };
      }),
    },
  };
}

function imagePage(components: Components): Page {
  return {
    operationId: 'ServerImage',
    summary: 'The picture of a person or a product',
    parameters: [
      parameterOf(
        'path',
        'name',
        'The subject of the picture, as in `avatarUrl` and `thumbnailUrl`.',
        true,
        { ...TEXT, pattern: '^(user|product)-\\d+\\.svg$' },
        'user-1.svg',
      ),
    ],
    responses: {
      200: responseOf('The picture.', 'image/svg+xml', TEXT),
      404: refusalOf(404, ['not_found', 'route_not_found'], components),
    },
  };
}
