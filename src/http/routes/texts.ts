import { createHash } from 'node:crypto';
import type { RouteOptions } from 'fastify';

/** The content type of all pages. */
export const HTML = 'text/html; charset=utf-8';

/**
 * Returns the headers of a response that is the same for all clients, so that a shared cache stores it once, not for each caller.
 *
 * @param freshness how long a cache may use it without revalidation, as `Cache-Control` writes it, such as `max-age=300`.
 */
export const publicHeaders = (freshness: string) => ({
  'cache-control': `public, ${freshness}`,
  vary: 'Accept-Encoding',
});

/** Headers of texts that are the same for all clients until the next release: caches may store them, but must revalidate. */
export const PUBLIC = publicHeaders('no-cache');

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
  let made: { readonly bytes: Buffer; readonly etag: string } | undefined;
  const handler: RouteOptions['handler'] = (_request, reply) => {
    made ??= withTag(typeof text === 'string' ? text : text());
    const { etag } = made;
    reply.headers({ ...PUBLIC, ...headers, etag });
    return reply.type(type).send(made.bytes);
  };
  return { method: 'GET', url, handler };
}

/** All responses share the bytes: a string would be copied for each, and stay in memory until its client has read it. */
function withTag(text: string): { readonly bytes: Buffer; readonly etag: string } {
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag };
}
