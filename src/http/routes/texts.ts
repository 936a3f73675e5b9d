import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ifNoneMatch } from '../../rest/index.ts';

/** What is the same for everybody until the next release: anybody may keep it, and asks whether it still holds. */
export const PUBLIC = { 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' };

/**
 * Answers one path with a text that does not change while the process runs, and 304 to whom has it.
 *
 * @param text the text, or what writes it. That is called when somebody asks for the first time: a start need not wait for it.
 */
export function addText(
  app: FastifyInstance,
  url: string,
  type: string,
  text: string | (() => string),
  headers: Readonly<Record<string, string>> = {},
): void {
  let made: { readonly text: string; readonly etag: string } | undefined;
  app.get(url, (request, reply) => {
    made ??= withTag(typeof text === 'string' ? text : text());
    const { etag } = made;
    reply.headers({ ...PUBLIC, ...headers, etag });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(made.text);
  });
}

function withTag(text: string): { readonly text: string; readonly etag: string } {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, etag };
}
