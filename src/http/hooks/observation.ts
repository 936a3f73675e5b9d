/** What the server records of each request, after its response: a span, which starts with the request, a count and a log line. */
import type { FastifyInstance, FastifyReply, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import { namedCaller } from '../../auth/policy.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { OpenSpan, Tracing } from '../../observability/tracing.ts';
import { isSafeMethod } from './message.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation of a REST route. */
    readonly operation?: string;
  }
  interface FastifyRequest {
    /** The span of this request; null without tracing. */
    span: OpenSpan | null;
  }
}

/** The name of requests without a route or operation. */
const NONE = 'none';

/** The status of requests whose connection has closed before their response, as in the logs of nginx. */
const CLOSED = 499;

/** Makes all requests share a logger: a child for each would cost 2 % of a small request. Lines about a request have its id. */
export function shareLogger(app: FastifyInstance): void {
  app.log.child = () => app.log;
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

/**
 * Ends the span of each request and counts it, when its response has been sent or its client has disconnected before that, for which
 * Fastify has no hook. Clients that give up on a server that does not respond are what operators look for.
 *
 * @param isLogged whether there is a line in the log as well.
 */
export function noteRequests(metrics: Metrics, isLogged: boolean): onRequestHookHandler {
  return ({ raw: request }, reply, done) => {
    const { raw: response } = reply;
    response.on('close', () => {
      // Nothing was executed of a request whose body has not arrived completely. Reads do not wait for a body.
      if (!response.headersSent && !request.complete && !isSafeMethod(request.method ?? '')) return;
      const status = response.headersSent ? reply.statusCode : CLOSED;
      const failure = status >= 500 ? String(status) : undefined;
      reply.request.span?.end(failure, { 'http.response.status_code': status });
      countRequest(metrics, reply, status);
      if (isLogged) logRequest(reply, status);
    });
    done();
  };
}

/** Counts a request by its route template, never by its URL. */
export function countRequest(metrics: Metrics, reply: FastifyReply, status = reply.statusCode): void {
  const { method, routeOptions } = reply.request;
  const { url, config } = routeOptions;
  metrics.request({
    method,
    route: url ?? NONE,
    operation: config?.operation ?? NONE,
    status,
    seconds: reply.elapsedTime / 1000,
  });
}

/**
 * Logs a line for each request: route, status, time and caller, by the server's own names. Only the method and the request id come
 * from the client: not the URL, which may contain a token, no header and no body.
 */
function logRequest(reply: FastifyReply, status: number): void {
  const { request } = reply;
  const { raw, routeOptions, principal, span } = request;
  const { url, config } = routeOptions;
  request.log.info(
    {
      reqId: request.id,
      method: raw.method,
      route: url ?? NONE,
      ...(config.operation !== undefined && { operation: config.operation }),
      status,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      address: request.ip,
      ...(principal && { principal: namedCaller(principal) }),
      ...(span && { trace_id: span.traceId }),
    },
    'request',
  );
}
