import { Readable } from 'node:stream';
import type { FastifyRequest, onRequestHookHandler, onSendHookHandler, RouteOptions } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { type ConditionHeaders, evaluate, isConditional, readConditions } from '../../rest/index.ts';

const conditionsOf = ({ headers }: FastifyRequest): ConditionHeaders => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
});

/** Without content to show, nothing is not modified. */
const isRead = ({ raw }: FastifyRequest): boolean => raw.method === 'GET' || raw.method === 'HEAD';

/** Refuses conditions that cannot be read, and those of a method that is not safe: what the server itself has is not changed. */
const refuseConditions: onRequestHookHandler = (request, _reply, done) => {
  const headers = conditionsOf(request);
  if (!isConditional(headers)) return done();
  const conditions = readConditions(headers);
  const isRefused = !isRead(request) && evaluate(conditions, undefined, false) === 'failed';
  done(isRefused ? new ApiError('precondition_failed') : undefined);
};

const OF_CONTENT = [
  'etag',
  'cache-control',
  'vary',
  'content-security-policy',
  'content-type',
  'content-length',
];

/** Compares the conditions with the ETag that a response of success has. Others have precedence (RFC 9110, section 13.2.1). */
const evaluateConditions: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const headers = conditionsOf(request);
  if (reply.statusCode !== 200 || !isConditional(headers) || !isRead(request)) return done(null, payload);
  const etag = reply.getHeader('etag');
  const evaluation = evaluate(readConditions(headers), etag === undefined ? undefined : String(etag), true);
  if (evaluation === 'perform') return done(null, payload);
  // A file that is read in parts.
  if (payload instanceof Readable) payload.destroy();
  if (evaluation === 'failed') {
    // They are those of what would have been sent.
    for (const name of OF_CONTENT) reply.removeHeader(name);
    return done(new ApiError('precondition_failed'));
  }
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  done(null, '');
};

/** Routes of the server itself, with the conditions of their requests (RFC 9110, section 13). Those of REST evaluate them in their operations. */
export const withConditions = (routes: readonly RouteOptions[]): RouteOptions[] =>
  routes.map((route) => ({
    ...route,
    onRequest: [refuseConditions, ...[route.onRequest ?? []].flat()],
    onSend: [evaluateConditions, ...[route.onSend ?? []].flat()],
  }));
