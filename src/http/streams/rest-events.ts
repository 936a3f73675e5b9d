/** The streams of REST routes, such as `GET /feed` for a browser's EventSource. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { runOperation } from '../../pipeline/run.ts';
import type { RestRequest } from '../../rest/handle/binding.ts';
import type { StreamRoute } from '../../rest/handle/stream-route.ts';
import type { Stream } from '../../subscriptions/stream.ts';
import type { HttpParts } from '../parts.ts';
import { requestOf } from '../routes/rest-routes.ts';
import {
  block,
  type EventFormat,
  type EventStreams,
  lastEventId,
  retryDelay,
  sessionOf,
} from './event-stream.ts';

/**
 * Events have no name, so that `onmessage` receives all of them: their type is in their data. Before the server ends a stream it
 * sends the event `end` with the reason. EventSource always reconnects after it.
 */
const FORMAT: EventFormat = {
  event: ({ cursor, payload }) => Buffer.from(block({ id: cursor, data: payload })),
  end: (reason, cursor) => {
    const { code, message } =
      reason === 'complete' ? { code: reason, message: 'The stream is complete.' } : reason;
    const data = JSON.stringify({ code, message, cursor });
    const seconds = reason === 'complete' ? undefined : reason.retryAfter;
    return block({ retry: retryDelay(seconds), id: cursor, event: 'end', data });
  },
};

/** Creates the stream handler of a route. */
export function createRestEvents(
  route: StreamRoute,
  eventStreams: EventStreams,
  { operationRunner: { streams }, openContext }: HttpParts,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = await openContext(reply);
    const { principal, address, signal } = context;
    const session = principal && sessionOf(principal, address);
    const sent = withoutStreamParameters(request);
    const { refusal, stream } = await runOperation<Stream>(
      {
        door: 'sse',
        find: () => route.operation,
        readVariables: () => route.bind(sent),
        async subscribe(_operation, variables) {
          if (!session) throw new ApiError('unauthenticated');
          const resumeAfter = lastEventId(request);
          try {
            return await streams.open(
              { door: 'sse', operation: route.stream, variables, resumeAfter, signal },
              session,
            );
          } catch (error) {
            throw error instanceof ApiError ? route.translate(error, sent.query) : error;
          }
        },
      },
      context,
    );
    if (refusal) throw refusal;
    if (!stream || !session) throw new Error('A request that was not refused has a stream.');
    eventStreams.respond(reply, stream, session, FORMAT);
    return reply;
  };
}

/** Returns the request for the route, without the parameters that only streams have: the token and the last id. */
function withoutStreamParameters(request: FastifyRequest): RestRequest {
  const whole = requestOf(request);
  const { access_token: _token, lastEventId: _id, ...query } = whole.query;
  return { ...whole, query };
}
