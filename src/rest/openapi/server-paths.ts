import type { Components } from './components.ts';
import { graphqlOperations } from './graphql-paths.ts';
import { headersOf } from './headers.ts';
import type { Paths } from './paths.ts';
import { refusalOf } from './responses.ts';
import type { Operation, Response, Schema, Tag } from './types.ts';

/**
 * The paths of the server itself, which no operation document makes: where it tells of itself, and the door of GraphQL.
 * A test holds them against what the server answers.
 */
export function addServerPaths(paths: Paths, components: Components): void {
  for (const [path, page] of Object.entries(PAGES)) {
    paths.add(path, 'get', { ...page, tags: ['Server'], security: [] });
  }
  paths.add('/images/{name}', 'get', imageOperation(components));
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

type Page = Pick<Operation, 'operationId' | 'summary' | 'description' | 'responses'>;

const TEXT: Schema = { type: 'string' };

const answer = (description: string, type: string, schema: Schema, example?: unknown): Response => ({
  description,
  headers: headersOf(),
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
});

const json = (description: string, schema: Schema, example: unknown): Response =>
  answer(description, 'application/json', schema, example);

/** The answers of what stays as it is until the next release. */
const unchanging = (answer: Response): Readonly<Record<string, Response>> => ({
  200: { ...answer, headers: headersOf('ETag') },
  304: { description: 'What the client has is still what there is. No body.', headers: headersOf('ETag') },
});

const READINESS: Schema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ready', 'not ready'] },
    checks: {
      type: 'object',
      description: 'What was looked at, and what was seen.',
      additionalProperties: TEXT,
    },
  },
  required: ['status', 'checks'],
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
      200: json('It should.', READINESS, { status: 'ready', checks: { database: 'ok', draining: 'no' } }),
      503: json('It should not.', READINESS, {
        status: 'not ready',
        checks: { database: 'unreachable', draining: 'no' },
      }),
    },
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

function imageOperation(components: Components): Operation {
  const name = {
    name: 'name',
    in: 'path',
    description: 'What the picture stands for, as `avatarUrl` and `thumbnailUrl` name it.',
    required: true,
    schema: { ...TEXT, pattern: '^(user|product)-\\d+\\.svg$' },
    example: 'user-1.svg',
  } as const;
  return {
    operationId: 'ServerImage',
    summary: 'A picture that stands for a person or a product',
    tags: ['Server'],
    security: [],
    parameters: [name],
    responses: {
      200: answer('The picture.', 'image/svg+xml', TEXT),
      404: refusalOf(404, ['not_found', 'route_not_found'], components),
    },
  };
}
