import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ifNoneMatch } from '../rest/index.ts';

/** What is the same for everybody until the next release: anybody may keep it, and asks whether it still holds. */
export const PUBLIC = { 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' };

/** Answers one path with a text that does not change while the process runs, and 304 to whom has it. */
export function addText(
  app: FastifyInstance,
  url: string,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  app.get(url, (request, reply) => {
    reply.headers({ ...PUBLIC, ...headers, etag });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(text);
  });
}
