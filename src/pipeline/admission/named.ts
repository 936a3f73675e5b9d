/** Resolves a document that a request contains or identifies by an id or hash. */
import { ApiError } from '../../core/errors.ts';
import type { Documents } from './documents.ts';
import { hashOf } from './manifest.ts';

/** The members of a request that contain or identify a document, as the client sent them. */
export interface NamedDocument {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/** Whether a request identifies its document by id or hash. */
export const isNamed = ({ documentId, extensions }: NamedDocument): boolean =>
  documentId !== undefined || memberOf(extensions, 'persistedQuery') !== undefined;

/** The message that makes Apollo Client and urql send the text with its hash. */
const UNKNOWN_HASH = 'PersistedQueryNotFound';

/**
 * Returns the text of a request's document, which the request contains, or identifies by `documentId` (GraphQL over HTTP, appendix on
 * persisted documents) or by the hash of an automatic persisted query. An empty text counts as missing.
 *
 * @returns undefined if the request has no document, id or hash.
 * @throws ApiError `persisted_query_not_found`; `malformed_request` for a hash that does not match the text.
 */
export function textOf(
  { query, documentId, extensions }: NamedDocument,
  documents: Pick<Documents, 'textOf'>,
): string | undefined {
  const hash = hashIn(extensions);
  if (typeof query === 'string' && query !== '') {
    if (hash !== undefined && hash !== hashOf(query))
      throw malformed('The hash does not match the document.');
    return query;
  }
  const id = documentId ?? hash;
  if (id === undefined) return undefined;
  const text = typeof id === 'string' ? documents.textOf(id) : undefined;
  if (text !== undefined) return text;
  throw new ApiError('persisted_query_not_found', documentId == null ? { message: UNKNOWN_HASH } : {});
}

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

const malformed = (message: string) => new ApiError('malformed_request', { message });
