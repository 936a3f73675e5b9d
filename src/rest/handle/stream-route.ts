import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import { jsonWriter } from '../../pipeline/compile.ts';
import type { Pricing } from '../../pipeline/price/pricing.ts';
import { makeStreamOperation } from '../../subscriptions/stream-operation.ts';
import { DocumentError, type Documents, type OperationDocument } from '../compile/documents.ts';
import { makeRouteOperation, type Route, readRest, rootOf } from '../compile/route.ts';
import { readView } from '../compile/view.ts';
import { createTranslation } from './arguments.ts';
import { createBinding } from './binding.ts';

/** A subscription as a route: its path streams events to clients that accept them. */
export type StreamRoute = ReturnType<typeof createStreamRoute>;

/** Creates the routes of subscriptions, each on the path of a GET route. @throws DocumentError for one that cannot be a route. */
export function createStreamRoutes(
  schema: GraphQLSchema,
  documents: Documents,
  pricing: Pricing,
  routes: readonly Route[],
): StreamRoute[] {
  const streams = documents.operations
    .filter(isSubscription)
    .map((document) => createStreamRoute(documents.schema, schema, pricing, document));
  const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const byPath = new Map<string, StreamRoute>();
  for (const stream of streams) {
    refuseUnreachable(stream, readable, byPath.get(stream.path));
    byPath.set(stream.path, stream);
  }
  for (const { path, view, document } of routes) {
    if (view.streamCursor === undefined || byPath.has(path)) continue;
    throw new DocumentError(
      document.definition,
      `@streamLink needs a stream on the same path, and ${path} has none.`,
    );
  }
  return streams;
}

/** Refuses a stream whose path has no GET route, or has another stream already. */
function refuseUnreachable(
  { document: { definition }, path }: StreamRoute,
  readable: ReadonlySet<string>,
  other: StreamRoute | undefined,
): void {
  if (!readable.has(path)) {
    throw new DocumentError(
      definition,
      `A stream needs a query on the same path, and GET ${path} has none. Add the query.`,
    );
  }
  if (other) {
    throw new DocumentError(
      definition,
      `GET ${path} is already the stream of ${other.document.name}. Each stream needs its own path.`,
    );
  }
}

export const isSubscription = ({ definition }: OperationDocument): boolean =>
  definition.operation === OperationTypeNode.SUBSCRIPTION;

function createStreamRoute(
  extended: GraphQLSchema,
  schema: GraphQLSchema,
  pricing: Pricing,
  document: OperationDocument,
) {
  const { definition, name } = document;
  const { method, path } = readRest(extended, document);
  if (method !== 'GET') throw new DocumentError(definition, 'A stream must have the method GET.');
  if (path.includes('{'))
    throw new DocumentError(
      definition,
      'A stream takes its variables from the query; its path must have none.',
    );
  const { node, field } = rootOf(schema, document);
  const view = readView(extended, document, node, field.type);
  const stringify = jsonWriter(view.bodySchema);
  const binding = createBinding(extended, definition, { node, field });
  const operation = makeRouteOperation(schema, pricing, document);
  return {
    document,
    path,
    field,
    description: field.description ?? name,
    /** The shape of each event's data. */
    dataSchema: view.bodySchema,
    /** The operation for the pipeline, which admits it. */
    operation,
    /** The operation for the streams. */
    stream: makeStreamOperation(schema, operation, ({ data }) => stringify(data?.[view.rootName])),
    bind: binding.bind,
    translate: createTranslation(node, binding.variables),
  };
}
