/** The operations that requests name: of documents that were admitted. Each is built once and kept as long as its document. */
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError, malformed } from '../core/errors.ts';
import { memberOf } from '../core/json.ts';
import { LIMITS } from '../core/limits.ts';
import { type AdmissionOptions, type AdmittedDocument, createAdmission } from './admission/documents.ts';
import { hashOf, type TrustedDocuments } from './admission/manifest.ts';
import type { Context } from './context.ts';
import { makeOperation, type Operation } from './operation.ts';
import type { Pricing } from './price/pricing.ts';

/** The members of a request that contain or identify a document, as the client sent them. */
export interface NamedDocument {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

interface OperationsOptions extends AdmissionOptions {
  readonly pricing: Pricing;
  /** The trusted documents; undefined if there is no manifest. */
  readonly trusted?: TrustedDocuments | undefined;
}

export type Operations = ReturnType<typeof createOperations>;

export function createOperations(options: OperationsOptions) {
  const { trusted } = options;
  const admit = createAdmission(options);
  const { documents, texts } = createCache();
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
    if (trusted?.only && !trusted.has(text)) throw new ApiError('document_not_trusted');
    const found = documents.get(text);
    return found && operationIn(found.document, operationName);
  };
  const read = async (
    text: string,
    operationName: string | null | undefined,
    { requestCost, scheduler, flow, signal }: Context,
  ): Promise<Operation> => {
    const cost = readingCost(text, trusted);
    if (cost > 0) await requestCost.pay(cost);
    await scheduler.enter(flow, LIMITS.unreadDocumentCost, signal);
    // Another request may have read it meanwhile.
    const found = known(text, operationName);
    if (found) return found;
    const admitted = admit(text);
    documents.set(text, admitted);
    return operationIn(admitted.document, operationName);
  };
  const textOfId: TextOfId = (id) =>
    typeof id === 'string' ? (trusted?.textOf(id) ?? texts.get(id.replace(/^sha256:/, ''))) : undefined;
  return {
    known,
    /**
     * Returns the text of a request's document: as sent, or by `documentId` (GraphQL over HTTP, appendix on persisted documents) or the hash
     * of an automatic persisted query. A request may have several of them, of the same document: clients send a text with its hash to have it
     * stored. An empty text or id counts as missing; an empty hash does not, as in Apollo Server.
     *
     * @throws ApiError `persisted_query_not_found`; `malformed_request` without any of them, or if they are of different documents.
     */
    textOf: (named: NamedDocument): string => textOf(named, textOfId),
    /** Returns an operation of a document, which is read first if necessary, once its caller has paid and waited. @throws ApiError. */
    find: (
      text: string,
      operationName: string | null | undefined,
      context: Context,
    ): Operation | Promise<Operation> => known(text, operationName) ?? read(text, operationName, context),
  };
}

/** Characters that take as much memory as a token of the parsed document, 500 bytes: a long comment or string is one token. */
const CHARACTERS_PER_TOKEN = 250;

/** The admitted documents, by text. Only these can be requested by hash: their texts by hash take no additional memory. */
function createCache() {
  const texts = new Map<string, string>();
  const documents = new LRUCache<string, AdmittedDocument>({
    max: LIMITS.documentCache,
    maxSize: LIMITS.documentCacheTokens,
    sizeCalculation: ({ tokens }, text) => Math.ceil(tokens + text.length / CHARACTERS_PER_TOKEN),
    onInsert: ({ hash }, text) => void texts.set(hash, text),
    disposeAfter: ({ hash }) => void texts.delete(hash),
  });
  return { documents, texts };
}

/** The points for reading a document; 0 for a trusted one, since their number is limited, and one that is too long to be read. */
const readingCost = (text: string, trusted: TrustedDocuments | undefined): number =>
  text.length > LIMITS.documentLength || trusted?.has(text)
    ? 0
    : Math.ceil(text.length / LIMITS.documentCharactersPerPoint);

/** The message that makes Apollo Client and urql send the text with its hash. */
const UNKNOWN_HASH = 'PersistedQueryNotFound';

const NO_DOCUMENT = 'Send the document as text in "query", or name one by "documentId" or by its hash.';

/** Returns the text of a document by its id or hash: of a trusted one, or one that was recently admitted. */
type TextOfId = (id: unknown) => string | undefined;

function textOf({ query, documentId: givenId, extensions }: NamedDocument, textOfId: TextOfId): string {
  const hash = hashIn(extensions);
  const documentId = givenId === '' ? undefined : givenId;
  const id = documentId ?? hash;
  const sent = typeof query === 'string' && query !== '' ? query : undefined;
  if (sent === undefined && id === undefined) throw malformed(NO_DOCUMENT);
  const text = sent ?? textOfId(id);
  if (text === undefined) {
    throw new ApiError('persisted_query_not_found', documentId == null ? { message: UNKNOWN_HASH } : {});
  }
  if (sent !== undefined && documentId != null && !isIdOf(sent, documentId, textOfId)) {
    throw malformed('"documentId" does not identify the document in "query". Send one of them.');
  }
  const isHashAlone = sent === undefined && documentId == null;
  if (hash !== undefined && !isHashAlone && hash !== hashOf(text)) {
    throw malformed('The hash does not match the document.');
  }
  return text;
}

/** Whether this is an id of the text: that of a stored document, or a hash, whether or not the document is stored. */
const isIdOf = (text: string, id: unknown, textOfId: TextOfId): boolean =>
  textOfId(id) === text || id === `sha256:${hashOf(text)}` || id === hashOf(text);

/** The hash of an automatic persisted query: `{"persistedQuery": {"version": 1, "sha256Hash": "…"}}`. */
function hashIn(extensions: unknown): string | undefined {
  const persisted = memberOf(extensions, 'persistedQuery');
  if (persisted == null) return undefined;
  const hash = memberOf(persisted, 'sha256Hash');
  if (memberOf(persisted, 'version') === 1 && typeof hash === 'string') return hash;
  throw malformed('A persisted query requires version 1 and a hash.');
}
