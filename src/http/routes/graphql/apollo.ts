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
  /** Whether to hide the schema: no introspection, and no "Did you mean" suggestions, which would reveal it. */
  readonly production: boolean;
  readonly onInternalError: OnInternalError;
}

/**
 * Creates an Apollo Server for the schema. It handles requests with a new document and unusual requests, both through the same
 * pipeline as all operations. Plugins take part up to `responseForOperation`, which runs the operation, and in
 * `willSendResponse`. Requests with a known document do not get here.
 */
export function createGraphQLServer(options: GraphQLServerOptions): ApolloServer<Context> {
  const { schema, production, onInternalError } = options;
  return new ApolloServer<Context>({
    schema,
    introspection: !production,
    hideSchemaDetailsFromClientErrors: production,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // This option would refuse every GET without a special header, which GraphQL over HTTP does not require.
    // `src/http/hooks/cross-site.ts` refuses cross-site requests instead.
    csrfPrevention: false,
    // The pipeline caches the documents that it has admitted.
    documentStore: null,
    // Hashes have been replaced by the text of their document (`admission/named.ts`), the same way at all doors.
    persistedQueries: false,
    formatError: (formatted, thrown) => {
      const error = toApiError(thrown);
      if (error.code === 'internal_error') onInternalError(error.cause);
      return formatError(error, formatted);
    },
    plugins: [
      // Cache control wraps every resolver, for hints that private responses do not need.
      ApolloServerPluginCacheControlDisabled(),
      // Inline tracing is only for subgraphs, and loads half a megabyte of code.
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
          const { status, headers } = headOf(outcome, contextValue, (failure) => statusOf(failure, accept));
          return {
            http: { status, headers: new HeaderMap(Object.entries(headers)) },
            body: { kind: 'single', singleResult: resultOf(outcome, response) },
          };
        },
        // Handles Apollo Server's own refusals: requests that are not GraphQL.
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
