import { Readable } from 'node:stream';
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  RouteOptions,
} from 'fastify';
import { ApiError } from '../../core/errors.ts';
import {
  type ConditionHeaders,
  evaluate,
  isConditional,
  readConditions,
} from '../../rest/handle/conditions.ts';
import { isSafeMethod } from './message.ts';

const conditionsOf = ({ headers }: FastifyRequest): ConditionHeaders => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
});

/** Refuses malformed conditions, and failed conditions of unsafe methods: the server's own resources cannot be changed. */
const refuseConditions: onRequestHookHandler = (request, _reply, done) => {
  const headers = conditionsOf(request);
  if (!isConditional(headers)) return done();
  const conditions = readConditions(headers);
  const isRefused = !isSafeMethod(request.method) && evaluate(conditions, undefined, false) === 'failed';
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

function closeFile(payload: unknown): void {
  if (payload instanceof Readable) payload.destroy();
}

/** Discards the content of a response, for which an error is sent, with the headers that describe it. */
export function discardContent(reply: FastifyReply, payload: unknown): void {
  for (const name of OF_CONTENT) reply.removeHeader(name);
  closeFile(payload);
}

/** Compares the conditions with the ETag of a successful response. Other responses take precedence (RFC 9110, section 13.2.1). */
function evaluationOf(reply: FastifyReply): ReturnType<typeof evaluate> {
  const { request, statusCode } = reply;
  const headers = conditionsOf(request);
  if (statusCode !== 200 || !isConditional(headers) || !isSafeMethod(request.method)) return 'perform';
  const etag = reply.getHeader('etag');
  return evaluate(readConditions(headers), etag === undefined ? undefined : String(etag), true);
}

/** Whether the content of a response will be sent. */
export const sendsContent = (reply: FastifyReply): boolean =>
  reply.request.method !== 'HEAD' && evaluationOf(reply) === 'perform';

const evaluateConditions: onSendHookHandler<unknown> = (_request, reply, payload, done) => {
  const evaluation = evaluationOf(reply);
  if (evaluation === 'perform') return done(null, payload);
  if (evaluation === 'failed') {
    discardContent(reply, payload);
    return done(new ApiError('precondition_failed'));
  }
  closeFile(payload);
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  done(null, '');
};

/**
 * Adds conditional requests (RFC 9110, section 13) to the server's own routes. Only responses to safe methods have a representation to
 * compare. REST routes evaluate conditions in their operations.
 */
export const withConditions = (routes: readonly RouteOptions[]): RouteOptions[] =>
  routes.map((route) => ({
    ...route,
    onRequest: [refuseConditions, ...[route.onRequest ?? []].flat()],
    ...([route.method].flat().some(isSafeMethod) && {
      onSend: [evaluateConditions, ...[route.onSend ?? []].flat()],
    }),
  }));
