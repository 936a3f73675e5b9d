import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, type GraphQLFormattedError, Kind } from 'graphql';
import { ApiError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { formatError } from '../errors.ts';
import { InvalidDocument } from './documents.ts';
import type { Gate } from './gate.ts';

/** Stands for a document that was refused, in the steps up to the one that may answer so. */
const NOTHING: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/**
 * Asks the gate about each operation that comes to Apollo Server.
 *
 * The document is put where Apollo Server puts one that it has in its store, which it neither parses nor validates again.
 */
export function gatePlugin(gate: Gate): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => {
      let refusal: ApiError | undefined;
      return {
        // What is thrown here would be a fault of the server, so a refusal is kept until it may be.
        didResolveSource: async (request) => {
          try {
            Object.assign(request, { document: gate.read(request.source) });
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            refusal = error;
            Object.assign(request, { document: NOTHING });
          }
        },
        didResolveOperation: async ({ document, request, contextValue }) => {
          if (refusal) throw refusal;
          gate.admit({ document, operationName: request.operationName }, contextValue);
        },
        // A plugin throws one error, and a document may have several mistakes.
        willSendResponse: async ({ response: { body } }) => {
          if (!(refusal instanceof InvalidDocument) || body.kind !== 'single') return;
          body.singleResult.errors = mistakesOf(refusal);
        },
      };
    },
  };
}

/** What a document is refused for, each mistake with its place. */
export function mistakesOf({ code, mistakes }: InvalidDocument): GraphQLFormattedError[] {
  return mistakes.map(({ message, locations }) =>
    formatError(new ApiError(code, { message }), { message, ...(locations && { locations }) }),
  );
}
