import type { Components } from './components.ts';
import { headersOf, optionalHeaders } from './headers.ts';
import { BUDGET } from './responses.ts';
import { objectOf, parameterOf, TEXT, text } from './shapes.ts';
import type { Content, Operation, Parameter, Response, Schema } from './types.ts';

const QUERY = '{ me { name orders(last: 3) { id total } } }';

/** Describes GraphQL over HTTP, as far as OpenAPI can; GraphQL's own schema describes the rest. */
export function graphqlOperations(
  components: Components,
): Readonly<Record<'get' | 'post' | 'put' | 'delete', Operation>> {
  const request = components.define('GraphQLRequest', () => REQUEST);
  const response = components.define('GraphQLResponse', () => RESPONSE);
  const common = {
    description:
      'GraphQL over HTTP. With Accept: application/graphql-response+json the status reflects the result of the whole ' +
      'operation; every error has its code in extensions.code.',
    tags: ['GraphQL'],
    security: [{}, { bearer: [] }, { apiKey: [] }, { mutualTLS: [] }],
  };
  return {
    get: {
      ...common,
      operationId: 'QueryGraphQL',
      summary: 'Run a GraphQL query',
      parameters: PARAMETERS,
      responses: responsesWith(response, EDITOR),
    },
    post: {
      ...common,
      operationId: 'ExecuteGraphQL',
      summary: 'Run a GraphQL operation',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: request, example: { query: QUERY } } },
      },
      responses: responsesWith(response, {}),
    },
    put: {
      ...common,
      description: SHARED_STREAM,
      operationId: 'ReserveEventStream',
      summary: 'Reserve a stream of events',
      responses: {
        201: {
          description: 'The token of the stream.',
          headers: headersOf(...BUDGET),
          content: { 'text/plain': { schema: TEXT, example: 'pVbkyQ0T3mJ8xQ2n5vK7pFsyMF0wRz4L' } },
        },
        ...refusalsWith(response),
      },
    },
    delete: {
      ...common,
      description: SHARED_STREAM,
      operationId: 'StopOperation',
      summary: 'End an operation on a stream of events',
      parameters: [
        parameter('operationId', 'The id of the operation.', true, '1'),
        parameter('token', 'The token of the stream, which may be in X-GraphQL-Event-Stream-Token instead.'),
      ],
      responses: {
        200: { description: 'The operation has ended.', headers: headersOf(...BUDGET) },
        ...refusalsWith(response),
      },
    },
  };
}

const SHARED_STREAM =
  'The protocol of graphql-sse in single connection mode: PUT reserves a stream, GET opens it, POST starts operations that send their ' +
  'results on it, and DELETE ends an operation.';

/** Headers of operations with an idempotency key, and of operations that use deprecated parts of the schema. */
const OF_SOME_OPERATIONS = ['Idempotent-Replayed', 'Deprecation', 'Sunset', 'Link'];

const REQUEST: Schema = {
  type: 'object',
  properties: {
    query: text('The document.'),
    documentId: text('Instead of the document: the id or hash of a document that the server has.'),
    operationName: { type: ['string', 'null'], description: 'The operation to run.' },
    variables: { type: ['object', 'null'], description: 'The values of its variables, by name.' },
    extensions: {
      type: ['object', 'null'],
      description: 'Extensions, such as the hash of a stored document.',
    },
  },
};

const ERROR_ITEM = objectOf(
  {
    message: TEXT,
    path: { type: 'array', items: { type: ['string', 'integer'] } },
    locations: { type: 'array', items: { type: 'object' } },
    extensions: objectOf(
      {
        code: TEXT,
        details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
        retryAfter: { type: 'integer', description: 'Whole seconds to wait before the next attempt.' },
        oldestCursor: text('With `resume_expired`: the oldest valid cursor.'),
      },
      'The error code, and the details of several problems.',
      ['code'],
    ),
  },
  undefined,
  ['message', 'extensions'],
);

const RESPONSE: Schema = {
  type: 'object',
  properties: {
    data: {
      type: ['object', 'null'],
      description: 'The result, in the shape of the selection.',
    },
    errors: { type: 'array', items: ERROR_ITEM },
    extensions: { type: 'object' },
  },
};

const EDITOR: Content = {
  'text/html': { schema: text('For a browser: GraphiQL.') },
};

/** @param others further content of a successful response. */
function responsesWith(schema: Schema, others: Content): Readonly<Record<string, Response>> {
  const data = { me: { name: 'Ada Brandt', orders: [{ id: '59', total: 25.5 }] } };
  const ran = responseOf(
    schema,
    'The operation was executed; fields that failed are null and have an entry in errors.',
    { data },
  );
  return {
    200: { ...ran, content: { ...ran.content, 'text/event-stream': streamOf({ data }), ...others } },
    ...refusalsWith(schema),
  };
}

function responseOf(
  schema: Schema,
  description: string,
  example: unknown,
  ...headers: readonly string[]
): Response {
  return {
    description,
    headers: { ...headersOf(...headers, ...BUDGET), ...optionalHeaders(...OF_SOME_OPERATIONS) },
    content: {
      'application/json': { schema, example },
      'application/graphql-response+json': { schema, example },
    },
  };
}

function refusalsWith(schema: Schema): Readonly<Record<string, Response>> {
  const refusal = (description: string, code: string, message: string, ...headers: readonly string[]) =>
    responseOf(schema, description, { errors: [{ message, extensions: { code } }] }, ...headers);
  const rejected = refusal(
    'The operation was not executed. The status is that of its first error. A missing scope or role has it only for clients that ' +
      'ask for a stream, and otherwise 200.',
    'graphql_validation_failed',
    'Cannot query field "nam" on type "User".',
  );
  return {
    401: refusal(
      'A field requires authentication, and the request has no credentials or invalid ones.',
      'unauthenticated',
      'Sign in first.',
      'WWW-Authenticate',
    ),
    429: refusal(
      'Too many requests.',
      'rate_limited',
      'Too many requests. Wait before the next one.',
      'Retry-After',
    ),
    // A 403 names the missing scope.
    '4XX': { ...rejected, headers: { ...rejected.headers, ...optionalHeaders('WWW-Authenticate') } },
    503: refusal(
      'The server is unavailable or overloaded.',
      'unavailable',
      'Try again shortly.',
      'Retry-After',
    ),
  };
}

/** A stream in the distinct connections mode of graphql-sse, in which each request has its own stream. */
const streamOf = (result: unknown) => ({
  schema: text(
    'With Accept: text/event-stream: an event `next` with each result, and `complete` at the end. For clients that accept ' +
      'nothing else, the errors of an operation that was not executed are sent as an event too.',
  ),
  example: `event: next\ndata: ${JSON.stringify(result)}\n\nevent: complete\ndata: \n\n`,
});

const parameter = (name: string, description: string, required = false, example?: string) =>
  parameterOf('query', name, description, required, TEXT, example);

const PARAMETERS: readonly Parameter[] = [
  parameter('query', 'The document, with queries only.', false, QUERY),
  parameter('documentId', 'Instead of the document: the id or hash of a document that the server has.'),
  parameter('operationName', 'The operation to run.'),
  parameter('variables', 'The values of its variables, as JSON.'),
  parameter('extensions', 'Extensions, as JSON.'),
];
