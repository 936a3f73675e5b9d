import { createHash } from 'node:crypto';
import type { RouteOptions } from 'fastify';

/** Texts that are the same for every client until the next release: caches may store and must revalidate them. */
export const PUBLIC = { 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' };

/**
 * A path with a text that does not change while the process runs, with its ETag.
 *
 * @param text the text, or a function that writes it. The first request calls it: a start need not wait for it.
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
