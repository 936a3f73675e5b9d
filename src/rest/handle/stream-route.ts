import fastJsonStringify from 'fast-json-stringify';
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { ApiError } from '../../core/errors.ts';
import { type Access, accessOf } from '../../graphql/directives/auth.ts';
import type { Operation as PipelineOperation } from '../../pipeline/operation.ts';
import type { Pricing } from '../../pipeline/price/pricing.ts';
import { makeStreamOperation, type StreamOperation } from '../../subscriptions/operation.ts';
import { DocumentError, type Documents, type Operation } from '../compile/documents.ts';
import { makeRunnable, type RootField, type Route, readRest, rootField, rootNode } from '../compile/route.ts';
import { type JsonSchema, readView } from '../compile/view.ts';
import { createTranslation } from './arguments.ts';
import { createBinding, type RestRequest } from './binding.ts';
import { mutableSchema } from './handler.ts';

/** A path that streams events to clients that accept them: a subscription as a route. */
export interface StreamRoute {
  /** What it was made from. */
  readonly document: Operation;
  readonly path: string;
  /** The field of Subscription that is followed. */
  readonly field: RootField['field'];
  readonly access: Access;
  readonly operation: StreamOperation;
  /** The same as the pipeline lets it in. */
  readonly runnable: PipelineOperation;
  /** The description, from the schema. */
  readonly description: string;
  /** The shape of each event's data. */
  readonly dataSchema: JsonSchema;
  /** @throws ApiError naming everything that is wrong. */
  bind(request: RestRequest): Record<string, unknown>;
  /** An error in terms of what the client sent. */
  translate(error: ApiError): ApiError;
}

/**
 * The subscriptions among the operation documents.
 *
 * @param routes those of the same documents: a stream is another way to read what one of them answers.
 * @throws DocumentError for the first that cannot be a route.
 */
export function createStreamRoutes(
  schema: GraphQLSchema,
  documents: Documents,
  pricing: Pricing,
  routes: readonly Pick<Route, 'method' | 'path'>[],
): StreamRoute[] {
  const streams = documents.operations
    .filter(isSubscription)
    .map((operation) => createStreamRoute(documents.schema, schema, pricing, operation));
  const answered = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const byPath = new Map<string, StreamRoute>();
  for (const stream of streams) {
    refuseUnreachable(stream, answered, byPath.get(stream.path));
    byPath.set(stream.path, stream);
  }
  return streams;
}

/** A stream needs a path that a query answers, and one of its own. */
function refuseUnreachable(
  { document: { definition }, path }: StreamRoute,
  answered: ReadonlySet<string>,
  other: StreamRoute | undefined,
): void {
  if (!answered.has(path)) {
    throw new DocumentError(
      definition,
      `A stream needs a query on the same path, and GET ${path} has none. Add the query.`,
    );
  }
  if (other) {
    throw new DocumentError(
      definition,
      `GET ${path} is already the stream of ${other.document.name}. Each needs a path of its own.`,
    );
  }
}

export const isSubscription = ({ definition }: Operation): boolean =>
  definition.operation === OperationTypeNode.SUBSCRIPTION;

function createStreamRoute(
  extended: GraphQLSchema,
  schema: GraphQLSchema,
  pricing: Pricing,
  operation: Operation,
): StreamRoute {
  const { definition, name } = operation;
  const { method, path } = readRest(extended, operation);
  if (method !== 'GET') throw new DocumentError(definition, 'A stream is asked for with GET.');
  if (path.includes('{'))
    throw new DocumentError(definition, 'A stream takes its variables from the query: its path has none.');
  const node = rootNode(operation);
  const field = rootField(schema, operation, node);
  const view = readView(extended, operation, node, field.type);
  const stringify = fastJsonStringify(mutableSchema(view.bodySchema));
  const binding = createBinding(extended, definition, {
    pathParameters: new Set(),
    hasBody: false,
    hasRepresentation: undefined,
  });
  const runnable = makeRunnable(schema, pricing, operation);
  return {
    document: operation,
    path,
    field,
    access: accessOf(field),
    description: field.description ?? name,
    dataSchema: view.bodySchema,
    operation: makeStreamOperation(schema, runnable, ({ data }) => stringify(data?.[view.rootName])),
    runnable,
    bind: (request) => binding.bind(request),
    translate: createTranslation(node, binding.variables),
  };
}
