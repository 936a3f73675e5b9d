import type { Components } from './components.ts';
import { graphqlOperations } from './graphql-paths.ts';
import { GUIDES } from './guides.ts';
import { headersOf } from './headers.ts';
import type { Paths } from './paths.ts';
import { refusalOf } from './responses.ts';
import type { Operation, Parameter, Response, Schema, Tag } from './types.ts';

/**
 * The paths of the server itself, which no operation document makes: where it tells of itself, and the door of GraphQL.
 * `test/scenarios/server-pages.test.ts` holds them against what the server answers.
 */
export function addServerPaths(paths: Paths, components: Components): void {
  const add = (path: string, page: Page) =>
    paths.add(path, 'get', { ...page, tags: ['Server'], security: [] });
  for (const [path, probe] of Object.entries(PROBES)) add(path, probe);
  add('/metrics', metricsPage(components));
  const pages = { ...PAGES, '/docs/{guide}': guidePage(components), '/images/{name}': imagePage(components) };
  for (const [path, page] of Object.entries(pages)) {
    add(path, page);
  }
  for (const [method, operation] of Object.entries(graphqlOperations(components))) {
    paths.add('/graphql', method, operation);
  }
}

export const SERVER_TAGS: readonly Tag[] = [
  {
    name: 'GraphQL',
    description: 'The same domain as one graph: exactly the fields that a screen needs, in one request.',
  },
  { name: 'Server', description: 'What the server tells of itself.' },
];

type Page = Pick<Operation, 'operationId' | 'summary' | 'description' | 'parameters' | 'responses'>;

const TEXT: Schema = { type: 'string' };

const answer = (description: string, type: string, schema: Schema, example?: unknown): Response => ({
  description,
  headers: headersOf(),
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
});

const json = (description: string, schema: Schema, example: unknown): Response =>
  answer(description, 'application/json', schema, example);

/** The answers of what stays as it is until the next release. */
const unchanging = (answer: Response): Operation['responses'] => ({
  200: { ...answer, headers: headersOf('ETag') },
  304: { description: 'What the client has is still what there is. No body.', headers: headersOf('ETag') },
});

const READINESS: Schema = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['ready', 'degraded', 'not ready'],
      description: '`degraded`: something helpful is away, and everything is answered all the same.',
    },
    checks: {
      type: 'object',
      description: 'What was looked at, and what was seen.',
      additionalProperties: TEXT,
    },
    reasons: {
      type: 'array',
      items: TEXT,
      description: 'A sentence for each thing that is not as it should be.',
    },
  },
  required: ['status', 'checks'],
};

/** What is asked above all when the server has too much to do, and so is always answered. */
const PROBES: Readonly<Record<string, Page>> = {
  '/healthz': {
    operationId: 'ServerHealth',
    summary: 'Whether the process answers',
    responses: {
      200: json(
        'It does.',
        { type: 'object', properties: { status: { const: 'ok' } }, required: ['status'] },
        { status: 'ok' },
      ),
    },
  },
  '/readyz': {
    operationId: 'ServerReadiness',
    summary: 'Whether the process should be sent requests, or why not',
    responses: {
      200: json('It should.', READINESS, {
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', draining: 'no' },
      }),
      503: json('It should not.', READINESS, {
        status: 'not ready',
        checks: { database: 'unreachable', migrations: 'unknown', draining: 'no' },
        reasons: ['The database does not answer.'],
      }),
    },
  },
};

const PAGES: Readonly<Record<string, Page>> = {
  '/': {
    operationId: 'ServerLandingPage',
    summary: 'A page for people: what this is, and where things are',
    responses: unchanging(answer('The page.', 'text/html', TEXT)),
  },
  '/docs': {
    operationId: 'ServerReference',
    summary: 'A page for people: this document, with every route to be tried',
    responses: unchanging(answer('The page.', 'text/html', TEXT)),
  },
  '/openapi.json': {
    operationId: 'ServerOpenApi',
    summary: 'This document',
    responses: unchanging(answer('OpenAPI 3.1.', 'application/json', { type: 'object' })),
  },
  '/.well-known/jwks.json': {
    operationId: 'ServerKeys',
    summary: 'The public keys that access tokens are verified with (RFC 7517)',
    responses: {
      200: json(
        'The keys.',
        {
          type: 'object',
          properties: { keys: { type: 'array', items: { type: 'object' } } },
          required: ['keys'],
        },
        { keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: '2026-01', x: 'f0Jk…' }] },
      ),
    },
  },
};

function metricsPage(components: Components): Page {
  const example =
    '# HELP portico_refusals_total Requests that were turned away by a limit.\n# TYPE portico_refusals_total counter\nportico_refusals_total{refusal="points"} 3\n';
  return {
    operationId: 'ServerMetrics',
    summary: 'What the server counts, for Prometheus',
    description:
      'In the text format, version 0.0.4. With the setting `METRICS` it may have a port of its own, or be off.',
    responses: {
      200: answer('The counts.', 'text/plain', TEXT, example),
      404: refusalOf(404, ['route_not_found'], components),
    },
  };
}

const inPath = (name: string, description: string, schema: Schema, example: string): Parameter => ({
  name,
  in: 'path',
  description,
  required: true,
  schema,
  example,
});

function guidePage(components: Components): Page {
  return {
    operationId: 'ServerGuide',
    summary: 'A guide for people who write clients',
    parameters: [inPath('guide', 'What it is about.', { ...TEXT, enum: GUIDES }, 'versions')],
    responses: {
      ...unchanging(answer('The page.', 'text/html', TEXT)),
      404: refusalOf(404, ['route_not_found'], components),
    },
  };
}

function imagePage(components: Components): Page {
  return {
    operationId: 'ServerImage',
    summary: 'A picture that stands for a person or a product',
    parameters: [
      inPath(
        'name',
        'What the picture stands for, as `avatarUrl` and `thumbnailUrl` name it.',
        { ...TEXT, pattern: '^(user|product)-\\d+\\.svg$' },
        'user-1.svg',
      ),
    ],
    responses: {
      200: answer('The picture.', 'image/svg+xml', TEXT),
      404: refusalOf(404, ['not_found', 'route_not_found'], components),
    },
  };
}
