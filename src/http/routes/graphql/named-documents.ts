import type { FastifyRequest } from 'fastify';
import { isRecord } from '../../../core/record.ts';
import type { Documents } from '../../../pipeline/admission/documents.ts';
import { isNamed, type NamedDocument, textOf } from '../../../pipeline/admission/named.ts';

/**
 * Replaces the id or hash of a document in a request by its text, since Apollo Server accepts only text.
 *
 * @throws ApiError as {@link textOf} does.
 */
export function resolveNamed(request: FastifyRequest, documents: Pick<Documents, 'textOf'>): void {
  const isGet = request.method === 'GET';
  const source = isGet ? request.query : request.body;
  if (!isRecord(source)) return;
  const { documentId, extensions, ...others }: NamedDocument = source;
  const named = { ...others, documentId, extensions: isGet ? parsed(extensions) : extensions };
  if (!isNamed(named)) return;
  const query = textOf(named, documents);
  if (query === undefined) return;
  // For a GET, Apollo Server's adapter reads the URL itself.
  if (isGet) request.raw.url = `/graphql?${new URLSearchParams({ ...others, query })}`;
  else request.body = { ...others, query };
}

/** Parses the extensions in the query string of a GET. Invalid JSON is left for the next step to refuse. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
