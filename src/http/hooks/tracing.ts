/** Opens a span for every request, named by its route. The span ends with the response. */
import type { onRequestHookHandler, onResponseHookHandler, preHandlerHookHandler } from 'fastify';
import type { OpenSpan, Tracing } from '../../observability/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null without tracing. */
    span: OpenSpan | null;
  }
}

export function startSpan(tracing: Tracing): onRequestHookHandler {
  return (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url;
    const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
    request.span = tracing.openRequest(`${method} ${route ?? ''}`.trim(), attributes, headers);
    request.span.within(done);
  };
}

/** Re-enters the span, since the events of the body arrive outside of it. */
export const resumeSpan: preHandlerHookHandler = (request, _reply, done) => {
  if (request.span) request.span.within(done);
  else done();
};

export const endSpan: onResponseHookHandler = (request, { statusCode }, done) => {
  const failure = statusCode >= 500 ? String(statusCode) : undefined;
  request.span?.end(failure, { 'http.response.status_code': statusCode });
  done();
};
