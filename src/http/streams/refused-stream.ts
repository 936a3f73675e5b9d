/**
 * Streams that are refused for a time. An EventSource gives up after any status but 200 (HTML Living Standard, section 9.2.3): it would
 * stay disconnected after a short overload. So it gets a stream that ends at once, and reconnects after the delay in `retry`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors.ts';
import { takesJson, wantsEventStream } from '../negotiation.ts';
import { beginEventStream, block, retryDelay } from './event-stream.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether GET streams events to clients that prefer them. */
    readonly streamsEvents?: boolean;
  }
}

/** The statuses of refusals after which the same request may succeed later. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 503]);

/**
 * Whether a request gets its refusal as a stream: EventSource sends GET and accepts nothing else. A client that also accepts JSON gets
 * the status, and so does graphql-sse, which sends the token of a stream in a header and handles statuses itself.
 */
export const endsAsStream = ({ status }: ApiError, request: FastifyRequest): boolean =>
  TEMPORARY.has(status) &&
  request.routeOptions.config.streamsEvents === true &&
  request.method === 'GET' &&
  wantsEventStream(request) &&
  !takesJson(request) &&
  request.headers['x-graphql-event-stream-token'] === undefined;

/** Sends a stream with nothing but its end, in the format of its route. */
export function sendRefusedStream(
  { code, message, retryAfter }: ApiError,
  reply: FastifyReply,
): FastifyReply {
  const retry = retryDelay(retryAfter);
  const last =
    reply.request.routeOptions.config.errorFormat === 'graphql'
      ? `: ${code}\n${block({ retry })}`
      : block({ retry, event: 'end', data: JSON.stringify({ code, message }) });
  beginEventStream(reply).end(last);
  return reply;
}
