/** Resolves a document that a request contains or identifies by an id or hash. */
import { ApiError, malformed } from '../../core/errors.ts';
import type { Documents } from './documents.ts';
import { hashOf } from './manifest.ts';

/** The members of a request that contain or identify a document, as the client sent them. */
export interface NamedDocument {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/** The message that makes Apollo Client and urql send the text with its hash. */
const UNKNOWN_HASH = 'PersistedQueryNotFound';

const NO_DOCUMENT = 'Send the document as text in "query", or name one by "documentId" or by its hash.';

/**
 * Returns the text of a request's document, which the request contains, or identifies by `documentId` (GraphQL over HTTP, appendix on
 * persisted documents) or by the hash of an automatic persisted query. An empty text or id counts as missing; an empty hash does not,
 * as in Apollo Server. A request may have several of these if they are of the same document: clients send a text with its hash, so that
 * the server stores it.
 *
 * @throws ApiError `persisted_query_not_found`; `malformed_request` for a request without any of them, or with a hash or an id of
 *   another document.
 */
export function textOf(
  { query, documentId: givenId, extensions }: NamedDocument,
  documents: Pick<Documents, 'textOf'>,
): string {
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

const stored = (documents: Pick<Documents, 'textOf'>, id: unknown): string | undefined =>
  typeof id === 'string' ? documents.textOf(id) : undefined;

/** Whether this is an id of the text: that of a stored document, or a hash, whether or not the document is stored. */
const isIdOf = (text: string, id: unknown, documents: Pick<Documents, 'textOf'>): boolean =>
  stored(documents, id) === text || id === `sha256:${hashOf(text)}` || id === hashOf(text);

/** The hash of an automatic persisted query: `{"persistedQuery": {"version": 1, "sha256Hash": "…"}}`. */
function hashIn(extensions: unknown): string | undefined {
  const persisted = memberOf(extensions, 'persistedQuery');
  if (persisted == null) return undefined;
  const hash = memberOf(persisted, 'sha256Hash');
  if (memberOf(persisted, 'version') === 1 && typeof hash === 'string') return hash;
  throw malformed('A persisted query requires version 1 and a hash.');
}

export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
