import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { TrustedDocuments } from '../graphql/admission/manifest.ts';

/** The members of a request that name a document, wherever they stand. */
interface Named {
  query?: unknown;
  documentId?: unknown;
  extensions?: unknown;
}

/**
 * Puts the text of a trusted document where a request names it: by `documentId` (GraphQL over HTTP, appendix on persisted
 * documents), or by the hash of an automatic persisted query.
 */
export function resolveTrusted(documents: TrustedDocuments) {
  return async (request: FastifyRequest): Promise<void> => {
    const isGet = request.method === 'GET';
    const source = isGet ? request.query : request.body;
    if (typeof source !== 'object' || source === null || Array.isArray(source)) return;
    const named: Named = source;
    if (typeof named.query === 'string') return;
    const text = documents.textOf(String(named.documentId ?? hashIn(named.extensions)));
    if (text === undefined) {
      // A hash may be that of a document which somebody has sent before.
      if (named.documentId === undefined) return;
      throw new ApiError('persisted_query_not_found');
    }
    const { documentId, extensions, ...others } = named;
    if (isGet) {
      // What comes next reads the address itself.
      const search = new URLSearchParams({ ...others, query: text });
      request.raw.url = `${request.url.split('?', 1)[0]}?${search}`;
    } else request.body = { ...others, query: text };
  };
}

/** In the address of a GET the extensions are JSON; whatever else they are is for the next step to refuse. */
function hashIn(extensions: unknown): string | undefined {
  const text = typeof extensions === 'string' ? extensions : JSON.stringify(extensions ?? {});
  return /"sha256Hash"\s*:\s*"([0-9a-f]{64})"/.exec(text)?.[1];
}
