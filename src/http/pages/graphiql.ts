import type { FastifyReply, FastifyRequest } from 'fastify';
import { GRAPHIQL_POLICY } from './policy.ts';
import { readPage } from './read-page.ts';

const PAGE = readPage('graphiql');

/** A browser that opens the path gets a page to work with; whoever asks for JSON, or sends a query, gets an answer. */
export async function showGraphiQL(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { method, headers, url } = request;
  if (method !== 'GET' || url.includes('?') || !headers.accept?.includes('text/html')) return undefined;
  return reply
    .headers({ 'cache-control': 'no-cache', vary: 'Accept', 'content-security-policy': GRAPHIQL_POLICY })
    .type('text/html; charset=utf-8')
    .send(PAGE);
}
