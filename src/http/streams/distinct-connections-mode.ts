/** GraphQL over server-sent events at `/graphql`: the protocol of graphql-sse in distinct connections mode, one stream per operation. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { resultOf } from '../../pipeline/response.ts';
import { JSON_TYPE, takesJson } from '../negotiation.ts';
import type { HttpParts } from '../parts.ts';
import { headOf, type ResponseHead, readMessage } from '../routes/graphql/over-http.ts';
import {
  beginEventStream,
  block,
  type EventFormat,
  type EventStreams,
  endsAsStream,
  lastEventId,
  retryDelay,
  sessionOf,
} from './event-stream.ts';

/**
 * `next` with a result, `complete` at the end. After a stream that ends without `complete`, clients reconnect; the protocol has no
 * other event for it.
 */
const FORMAT: EventFormat = {
  event: ({ cursor, payload }) => Buffer.from(block({ id: cursor, event: 'next', data: payload })),
  end: (reason, cursor) =>
    reason === 'complete'
      ? complete()
      : `: ${reason.code}\n${block({ retry: retryDelay(reason.retryAfter), id: cursor })}`,
};

const complete = () => block({ event: 'complete', data: '' });

/** Creates the handler that responds with a stream of events: all results of a subscription, or the only result of a query. */
export function createGraphQLEvents(eventStreams: EventStreams, { operationRunner, openContext }: HttpParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const message = readMessage(request);
    const context = await openContext(reply);
    const { principal, address } = context;
    const session = principal ? sessionOf(principal, address) : undefined;
    const begun = await operationRunner.begin(message, context, 'sse', session, lastEventId(request));
    if ('response' in begun) {
      const { outcome, response } = begun;
      // The error handler ends the stream.
      if (outcome.refusal && endsAsStream(outcome.refusal, request)) throw outcome.refusal;
      return outcome.refusal
        ? sendRefusal(reply, response.errors, headOf(outcome, context))
        : sendOnce(reply, resultOf(outcome, response));
    }
    if (!session) throw new Error('Only an authenticated caller has a stream.');
    eventStreams.respond(reply, begun.stream, session, FORMAT);
    return reply;
  };
}

/** Sends a stream with one result. */
function sendOnce(reply: FastifyReply, result: object): FastifyReply {
  beginEventStream(reply).end(block({ event: 'next', data: JSON.stringify(result) }) + complete());
  return reply;
}

/** Statuses after which the same request may succeed: with another token, another method, or later. */
const WORTH_ANOTHER: ReadonlySet<number> = new Set([401, 405, 429, 503]);

/**
 * Sends a refusal. A client that also accepts JSON gets its status. A client that accepts only streams gets it within a stream, as
 * the protocol requires: graphql-sse treats any status but 200 as a failure of the network, hides the body from its caller, and
 * retries five times. So it gets only those statuses after which a retry makes sense.
 */
function sendRefusal(
  reply: FastifyReply,
  errors: readonly GraphQLFormattedError[] | undefined,
  { status, headers }: ResponseHead,
): FastifyReply {
  if (!takesJson(reply.request) && !WORTH_ANOTHER.has(status)) return sendOnce(reply, { errors });
  return sendErrors(reply.code(status).headers(headers), errors);
}

export const sendErrors = (
  reply: FastifyReply,
  errors: readonly GraphQLFormattedError[] | undefined,
): FastifyReply => reply.type(JSON_TYPE).send({ errors });
