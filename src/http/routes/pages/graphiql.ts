import { randomBytes } from 'node:crypto';
import type { onRequestHookHandler } from 'fastify';
import { isSafeMethod } from '../methods.ts';
import { policyWithStyles } from './policy.ts';
import { type PageOptions, readPage } from './read-page.ts';

/**
 * Sends the page of GraphiQL to a browser that opens the path. A client that accepts only JSON, or sends a query, gets a GraphQL
 * response. The nonce allows GraphiQL to add a style to the page while a dialog is open.
 */
export function showGraphiQL(options: PageOptions): onRequestHookHandler {
  const page = readPage('graphiql', 'graphql', options);
  return ({ method, headers, url }, reply, done) => {
    if (!isSafeMethod(method) || url.includes('?') || !headers.accept?.includes('text/html')) return done();
    const nonce = randomBytes(16).toString('base64');
    reply
      .headers({
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
        'content-security-policy': policyWithStyles(nonce),
      })
      .type('text/html; charset=utf-8')
      .send(page.replace('{nonce}', nonce));
  };
}
