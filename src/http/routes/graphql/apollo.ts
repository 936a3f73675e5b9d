import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql';
import { formatError, toApiError } from '../../../graphql/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { responseTo, resultOf } from '../../../pipeline/response.ts';
import type { OnInternalError } from '../../../pipeline/result.ts';
import { runOperation } from '../../../pipeline/run.ts';
import { errorHeaders } from '../../headers/errors.ts';
import { headOf, statusOf } from './response-head.ts';

export interface GraphQLServerOptions {
  readonly schema: GraphQLSchema;
  readonly operations: Operations;
  /** Hides the schema: no introspection, and no "Did you mean" that would spell it out. */
  readonly production: boolean;
  readonly onInternalError: OnInternalError;
}

/**
 * Apollo Server over the schema. It answers requests whose document is seen for the first time, and whatever is no ordinary
 * request; both through the same steps as every other operation. Plugins take part up to `responseForOperation`, which runs the
 * operation, and in `willSendResponse`; a document that was seen before does not come here.
 */
export function createGraphQLServer(options: GraphQLServerOptions): ApolloServer<Context> {
  const { schema, production, onInternalError } = options;
  return new ApolloServer<Context>({
    schema,
    introspection: !production,
    hideSchemaDetailsFromClientErrors: production,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // It refuses every GET without a special header, which GraphQL over HTTP allows. `src/http/hooks/cross-site.ts`
    // refuses cross-site requests instead.
    csrfPrevention: false,
    // The pipeline keeps the documents that it has let in.
    documentStore: null,
    // A hash was turned into the text of its document before (`admission/named.ts`), on every door in the same way.
    persistedQueries: false,
    formatError: (formatted, thrown) => {
      const error = toApiError(thrown);
      if (error.code === 'internal_error') onInternalError(error.cause);
      return formatError(error, formatted);
    },
    plugins: [
      // It wraps every resolver, for hints that private responses do not need.
      ApolloServerPluginCacheControlDisabled(),
      // Only for subgraphs, and half a megabyte of code.
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      // Both read environment variables and would send operations to a third party.
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      pipelinePlugin(options),
    ],
  });
}

/** A placeholder until the pipeline has read the document, so that Apollo Server does not parse or validate. */
const NOTHING: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/** Runs operations through the pipeline. */
function pipelinePlugin({ operations, onInternalError }: GraphQLServerOptions): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async ({ request: { http } }) => {
      const accept = http?.headers.get('accept');
      let wasRun = false;
      return {
        didResolveSource: async (request) => {
          Object.assign(request, { document: NOTHING });
        },
        responseForOperation: async (requestContext) => {
          wasRun = true;
          const { source, contextValue } = requestContext;
          const { operationName, variables = {} } = requestContext.request;
          const outcome = await runOperation(
            {
              door: 'graphql',
              find: (context) => operations.find(source, operationName, context),
              isSafe: http?.method === 'GET',
              readVariables: (operation) => operation.checked(variables),
              // Plugins need plain values, and a one-time document is not compiled.
              executorOf: ({ interpreted }) => interpreted,
            },
            contextValue,
          );
          const { document, definition, name } = outcome.operation ?? {};
          Object.assign(requestContext, { document, operation: definition, operationName: name ?? null });
          const response = responseTo(outcome, contextValue, onInternalError);
          const { status, headers } = headOf(outcome, contextValue, accept);
          return {
            http: { status, headers: new HeaderMap(Object.entries(headers)) },
            body: { kind: 'single', singleResult: resultOf(outcome, response) },
          };
        },
        // Apollo Server's own refusals: requests that are not GraphQL.
        willSendResponse: async ({ response: { body, http: head }, errors, contextValue: { metrics } }) => {
          const [failure] = errors ?? [];
          if (wasRun || body.kind !== 'single' || !failure) return;
          const error = toApiError(failure);
          head.status = statusOf(error, accept);
          for (const [name, value] of Object.entries(errorHeaders(error))) head.headers.set(name, value);
          metrics.operation({ door: 'graphql', type: 'none', name: null, code: error.code, seconds: 0 });
        },
      };
    },
  };
}
