import type { FastifyInstance } from 'fastify';
import type { OpenSpan, Tracing } from '../../observability/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request, where there is tracing. */
    span: OpenSpan | null;
  }
}

/** Makes every request a span, named by its route, that ends with its answer. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url;
    const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
    request.span = tracing.openRequest(`${method} ${route ?? ''}`.trim(), attributes, headers);
    request.span.within(done);
  });
  // A body arrives in events of the socket, which know nothing of the request that they are for.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.within(done);
    else done();
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const failure = statusCode >= 500 ? String(statusCode) : undefined;
    request.span?.end(failure, { 'http.response.status_code': statusCode });
    done();
  });
}
