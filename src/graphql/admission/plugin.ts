import type { ApolloServerPlugin, GraphQLRequest } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
  Kind,
  OperationTypeNode,
} from 'graphql';
import { ApiError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { formatError } from '../errors.ts';
import { refusalOfSize } from '../response-size.ts';
import { InvalidDocument } from './documents.ts';
import type { AdmittedOperation, Gate, Reading } from './gate.ts';

/** Stands for a document that is refused, in the steps up to the one that may answer so. */
const NOTHING: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/**
 * Asks the gate about each operation that comes to Apollo Server.
 *
 * The document is put where Apollo Server puts one that it has in its store, which it neither parses nor validates again.
 */
export function gatePlugin(gate: Gate): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async ({ request: { http }, contextValue: { spending } }) => {
      const isSafe = http?.method === 'GET';
      let reading: Reading = NOTHING;
      let admitted: AdmittedOperation | undefined;
      return {
        // What is thrown here would be a fault of the server, so a refusal waits for the step that may throw.
        didResolveSource: async (request) => {
          reading = await gate.read(request.source, request.contextValue);
          // By GET, Apollo Server would refuse everything but queries in words of its own.
          const isHidden = reading instanceof ApiError || (isSafe && !isQuery(reading, request.request));
          Object.assign(request, { document: isHidden ? NOTHING : reading });
        },
        didResolveOperation: async ({ request: { operationName, variables }, contextValue }) => {
          admitted = await gate.admit(
            { door: 'graphql', reading, isSafe, operationName, variables },
            contextValue,
          );
          if (admitted.operation.operation === OperationTypeNode.SUBSCRIPTION)
            throw new ApiError('stream_required');
        },
        willSendResponse: async (request) => {
          const { body } = request.response;
          if (body.kind !== 'single') return;
          admitted?.settle(body.singleResult);
          const tooLarge = refusalOfSize(body.singleResult);
          if (tooLarge) {
            // Those that follow go by the errors of the request.
            Object.assign(request, {
              errors: [new GraphQLError(tooLarge.message, { originalError: tooLarge })],
            });
            body.singleResult = { errors: [formatError(tooLarge)] };
          }
          const { singleResult } = body;
          const cost = spending.report;
          if (cost) singleResult.extensions = { ...singleResult.extensions, cost };
          // A plugin throws one error, and a document may have several mistakes.
          const isRefused = singleResult.errors?.[0]?.extensions?.['code'] !== 'rate_limited';
          if (reading instanceof InvalidDocument && isRefused) singleResult.errors = mistakesOf(reading);
        },
      };
    },
  };
}

const isQuery = (document: DocumentNode, { operationName }: GraphQLRequest): boolean =>
  getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY;

/** What a document is refused for, each mistake with its place. */
export function mistakesOf({ code, mistakes }: InvalidDocument): GraphQLFormattedError[] {
  return mistakes.map(({ message, locations }) =>
    formatError(new ApiError(code, { message }), { message, ...(locations && { locations }) }),
  );
}
