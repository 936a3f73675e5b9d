/** The operations that requests name: of documents that were read. Each is built once and kept as long as its document. */
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { ApiError, malformed } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { memberOf } from '../core/record.ts';
import { createDocuments, type DocumentOptions, type Documents } from './admission/documents.ts';
import { hashOf } from './admission/manifest.ts';
import type { Context } from './context.ts';
import { makeOperation, type Operation } from './operation.ts';
import type { Pricing } from './price/pricing.ts';

/** The members of a request that contain or identify a document, as the client sent them. */
export interface NamedDocument {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

export type Operations = ReturnType<typeof createOperations>;

export function createOperations(options: DocumentOptions & { readonly pricing: Pricing }) {
  const documents = createDocuments(options);
  const made = new WeakMap<OperationDefinitionNode, Operation>();
  const operationIn = (document: DocumentNode, operationName: string | null | undefined): Operation => {
    const definition = getOperationAST(document, operationName);
    if (!definition) throw new ApiError('operation_not_found');
    let operation = made.get(definition);
    if (!operation) {
      operation = makeOperation(options, document, definition);
      made.set(definition, operation);
    }
    return operation;
  };
  /** Returns an operation of a document that was read before. @throws ApiError `document_not_trusted`, `operation_not_found`. */
  const known = (text: string, operationName?: string | null): Operation | undefined => {
    const document = documents.find(text);
    return document && operationIn(document, operationName);
  };
  const read = async (
    text: string,
    operationName: string | null | undefined,
    { requestCost, scheduler, flow, signal }: Context,
  ): Promise<Operation> => {
    const cost = documents.readingCost(text);
    if (cost > 0) await requestCost.pay(cost);
    await scheduler.enter(flow, LIMITS.unreadDocumentCost, signal);
    return operationIn(documents.read(text), operationName);
  };
  return {
    known,
    /**
     * Returns the text of a request's document: as sent, or by `documentId` (GraphQL over HTTP, appendix on persisted documents) or the hash
     * of an automatic persisted query. A request may have several of them, of the same document: clients send a text with its hash to have it
     * stored. An empty text or id counts as missing; an empty hash does not, as in Apollo Server.
     *
     * @throws ApiError `persisted_query_not_found`; `malformed_request` without any of them, or if they are of different documents.
     */
    textOf: (named: NamedDocument): string => textOf(named, documents),
    /** Returns an operation of a document, which is read first if necessary, once its caller has paid and waited. @throws ApiError. */
    find: (
      text: string,
      operationName: string | null | undefined,
      context: Context,
    ): Operation | Promise<Operation> => known(text, operationName) ?? read(text, operationName, context),
  };
}

/** The message that makes Apollo Client and urql send the text with its hash. */
const UNKNOWN_HASH = 'PersistedQueryNotFound';

const NO_DOCUMENT = 'Send the document as text in "query", or name one by "documentId" or by its hash.';

function textOf({ query, documentId: givenId, extensions }: NamedDocument, documents: Documents): string {
  const hash = hashIn(extensions);
  const documentId = givenId === '' ? undefined : givenId;
  const id = documentId ?? hash;
  const sent = typeof query === 'string' && query !== '' ? query : undefined;
  if (sent === undefined && id === undefined) throw malformed(NO_DOCUMENT);
  const text = sent ?? stored(documents, id);
  if (text === undefined) {
    throw new ApiError('persisted_query_not_found', documentId == null ? { message: UNKNOWN_HASH } : {});
  }
  if (sent !== undefined && documentId != null && !isIdOf(sent, documentId, documents)) {
    throw malformed('"documentId" does not identify the document in "query". Send one of them.');
  }
  const isHashAlone = sent === undefined && documentId == null;
  if (hash !== undefined && !isHashAlone && hash !== hashOf(text)) {
    throw malformed('The hash does not match the document.');
  }
  return text;
}

const stored = (documents: Documents, id: unknown): string | undefined =>
  typeof id === 'string' ? documents.textOf(id) : undefined;

/** Whether this is an id of the text: that of a stored document, or a hash, whether or not the document is stored. */
const isIdOf = (text: string, id: unknown, documents: Documents): boolean =>
  stored(documents, id) === text || id === `sha256:${hashOf(text)}` || id === hashOf(text);

/** The hash of an automatic persisted query: `{"persistedQuery": {"version": 1, "sha256Hash": "…"}}`. */
function hashIn(extensions: unknown): string | undefined {
  const persisted = memberOf(extensions, 'persistedQuery');
  if (persisted == null) return undefined;
  const hash = memberOf(persisted, 'sha256Hash');
  if (memberOf(persisted, 'version') === 1 && typeof hash === 'string') return hash;
  throw malformed('A persisted query requires version 1 and a hash.');
}
