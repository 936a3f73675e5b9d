import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { ApiError } from '../../errors.ts';
import { authorizeOperation } from '../authorization.ts';
import type { Context } from '../context.ts';
import { createDocuments } from './documents.ts';

export interface GateOptions {
  readonly schema: GraphQLSchema;
  /** Hides the schema: no introspection, and no "Did you mean" that would spell it out. */
  readonly production: boolean;
}

/** An operation as a client sends it, whatever the door. */
export interface OperationRequest {
  readonly document: DocumentNode;
  /** Which of the document's operations; needed only where there are several. */
  readonly operationName?: string | null | undefined;
}

/** An operation that may run, for this caller and now. */
export interface AdmittedOperation {
  readonly operation: OperationDefinitionNode;
}

/** What every operation passes before it runs, through whichever door it came: HTTP, WebSocket, or events of a server. */
export interface Gate {
  /**
   * Reads a document that a client sent. It takes a few milliseconds for the worst of documents, and none for one that was
   * seen before.
   *
   * @throws ApiError why no operation of it may run; `InvalidDocument` where it has several mistakes.
   */
  read(text: string): DocumentNode;
  /**
   * Finds the operation, and lets it in for this caller.
   *
   * @throws ApiError why it may not run.
   */
  admit(request: OperationRequest, context: Context): AdmittedOperation;
}

export function createGate({ schema, production }: GateOptions): Gate {
  const documents = createDocuments({ schema, production });
  return {
    read: (text) => documents.read(text),
    admit({ document, operationName }, context) {
      const operation = findOperation(document, operationName);
      authorizeOperation(schema, document, operation, context);
      return { operation };
    },
  };
}

function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new ApiError('operation_not_found');
  return operation;
}
