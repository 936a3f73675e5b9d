/** The operations of documents that were read. Each is built once and kept as long as its document. */
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { createDocuments, type DocumentOptions, type Documents } from './admission/documents.ts';
import type { Context } from './context.ts';
import { makeOperation, type Operation } from './operation.ts';
import type { Pricing } from './price/pricing.ts';

export interface OperationsOptions extends DocumentOptions {
  readonly pricing: Pricing;
}

export interface Operations extends Pick<Documents, 'textOf'> {
  /**
   * Returns an operation of a document that was read before.
   *
   * @throws ApiError `document_not_trusted`, `operation_not_found`.
   */
  known(text: string, operationName?: string | null): Operation | undefined;
  /**
   * Returns an operation of a document, which is read first if necessary: after the caller has paid for that and had its turn.
   *
   * @throws ApiError if the operation may not run; an `InvalidDocument` may have several errors.
   */
  find(
    text: string,
    operationName: string | null | undefined,
    context: Context,
  ): Operation | Promise<Operation>;
}

export function createOperations(options: OperationsOptions): Operations {
  const documents = createDocuments(options);
  const made = new WeakMap<OperationDefinitionNode, Operation>();
  const operationIn = (document: DocumentNode, operationName: string | null | undefined): Operation => {
    const definition = getOperationAST(document, operationName);
    if (!definition) throw new ApiError('operation_not_found');
    const operation = made.get(definition) ?? makeOperation(options, document, definition);
    made.set(definition, operation);
    return operation;
  };
  const known: Operations['known'] = (text, operationName) => {
    const document = documents.find(text);
    return document && operationIn(document, operationName);
  };
  return {
    textOf: documents.textOf,
    known,
    find(text, operationName, context) {
      return known(text, operationName) ?? read(text, operationName, context);
    },
  };

  async function read(
    text: string,
    operationName: string | null | undefined,
    { requestCost, scheduler, flow, signal }: Context,
  ): Promise<Operation> {
    const cost = documents.readingCost(text);
    if (cost > 0) await requestCost.pay(cost);
    await scheduler.enter(flow, LIMITS.unreadDocumentCost, signal);
    return operationIn(documents.read(text), operationName);
  }
}
