import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyReply } from 'fastify';
import { type DocumentNode, Kind } from 'graphql';
import { formatError, toApiError } from '../../../graphql/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { responseTo, resultOf } from '../../../pipeline/response.ts';
import { runOperation } from '../../../pipeline/run.ts';
import type { OperationMessage } from '../../../subscriptions/operation-runner.ts';
import { isSafeMethod } from '../../hooks/message.ts';
import type { HttpParts } from '../../parts.ts';
import { headOf, statusOf } from './over-http.ts';

/**
 * Creates an Apollo Server for the schema. It handles operations with a new document, through the same pipeline as all operations.
 * Plugins take part up to `responseForOperation`, which runs the operation, and in `willSendResponse`. In production it hides the schema: it
 * has no introspection, and no "Did you mean" suggestions, which would reveal it.
 */
export function createGraphQLServer({ api, config, services, operations }: HttpParts): ApolloServer<Context> {
  const { production } = config;
  return new ApolloServer<Context>({
    schema: api.schema,
    introspection: !production,
    hideSchemaDetailsFromClientErrors: production,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // The pipeline caches the documents that it has admitted.
    documentStore: null,
    // Hashes have been replaced by the text of their document (`operations.ts`), the same way at all doors.
    persistedQueries: false,
    formatError: (formatted, thrown) => {
      const error = toApiError(thrown);
      if (error.code === 'internal_error') services.noteInternalError(error.cause, undefined);
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
      pipelinePlugin(operations),
    ],
  });
}

/** A placeholder until the pipeline has read the document, so that Apollo Server does not parse or validate. */
const NOTHING: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/** Runs operations through the pipeline. */
function pipelinePlugin(operations: Operations): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async ({ request: { http } }) => {
      const accept = http?.headers.get('accept');
      return {
        didResolveSource: async (request) => {
          Object.assign(request, { document: NOTHING });
        },
        responseForOperation: async (requestContext) => {
          const { source, contextValue } = requestContext;
          const { operationName, variables = {} } = requestContext.request;
          const outcome = await runOperation(
            {
              door: 'graphql',
              find: (context) => operations.find(source, operationName, context),
              isSafe: isSafeMethod(http?.method ?? ''),
              readVariables: (operation) => operation.checked(variables),
              // Plugins need plain values, and a one-time document is not compiled.
              executorOf: ({ interpreted }) => interpreted,
            },
            contextValue,
          );
          const { document, definition, name } = outcome.operation ?? {};
          Object.assign(requestContext, { document, operation: definition, operationName: name ?? null });
          const response = responseTo(outcome, contextValue);
          const { status, headers } = headOf(outcome, contextValue, (failure) => statusOf(failure, accept));
          return {
            http: { status, headers: new HeaderMap(Object.entries(headers)) },
            body: { kind: 'single', singleResult: resultOf(outcome, response) },
          };
        },
      };
    },
  };
}

/**
 * Creates the responder to operations with a new document, by Apollo Server. It gets the operation as a value instead of the HTTP
 * request: it does not support HEAD or ids of documents, and would read and refuse requests in another way than the other modes.
 */
export function createNewOperations(graphql: ApolloServer<Context>, { operations, openContext }: HttpParts) {
  return async (
    message: OperationMessage,
    contentType: string,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { operationName, variables } = message;
    const { request } = reply;
    const contextValue = await openContext(reply);
    const { method, body: sent } = request;
    const sentHeaders = Object.entries(request.headers).map(
      ([name, value]) => [name, String(value)] as const,
    );
    const { http, body } = await graphql.executeOperation(
      {
        query: operations.textOf(message),
        ...(operationName != null && { operationName }),
        ...(variables && { variables }),
        http: { method, headers: new HeaderMap(sentHeaders), search: '', body: sent },
      },
      { contextValue },
    );
    if (body.kind !== 'single') throw new Error('The schema has no directives for incremental delivery.');
    const { errors, data, extensions } = body.singleResult;
    return reply
      .code(http.status ?? 200)
      .headers(Object.fromEntries(http.headers))
      .type(contentType)
      .send(`${JSON.stringify({ errors, data, extensions })}\n`);
  };
}
