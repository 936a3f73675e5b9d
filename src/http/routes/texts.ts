import { createHash } from 'node:crypto';
import type { RouteOptions } from 'fastify';

/** Headers of texts that are the same for all clients until the next release: caches may store them, but must revalidate. */
export const PUBLIC = { 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' };

/**
 * Returns the route of a text that does not change while the process runs, with an ETag.
 *
 * @param text the text, or a function that writes it, which the first request calls, so that it does not delay the start.
 */
export function textRoute(
  url: string,
  type: string,
  text: string | (() => string),
  headers: Readonly<Record<string, string>> = {},
): RouteOptions {
  let made: { readonly text: string; readonly etag: string } | undefined;
  const handler: RouteOptions['handler'] = (_request, reply) => {
    made ??= withTag(typeof text === 'string' ? text : text());
    const { etag } = made;
    reply.headers({ ...PUBLIC, ...headers, etag });
    return reply.type(type).send(made.text);
  };
  return { method: 'GET', url, handler };
}

function withTag(text: string): { readonly text: string; readonly etag: string } {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, etag };
}
