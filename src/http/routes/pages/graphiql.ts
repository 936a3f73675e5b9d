import type { onRequestHookHandler } from 'fastify';
import { GRAPHIQL_POLICY } from './policy.ts';
import { type PageOptions, readPage } from './read-page.ts';

/** A browser that opens the path gets a page to work with; a client that asks for JSON, or sends a query, gets a response. */
export function showGraphiQL(options: PageOptions): onRequestHookHandler {
  const page = readPage('graphiql', options);
  return ({ method, headers, url }, reply, done) => {
    if (method !== 'GET' || url.includes('?') || !headers.accept?.includes('text/html')) return done();
    reply
      .headers({
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        'content-security-policy': GRAPHIQL_POLICY,
      })
      .type('text/html; charset=utf-8')
      .send(page);
  };
}
