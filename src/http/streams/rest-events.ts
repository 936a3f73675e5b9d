/** Routes of the facade as streams, such as `GET /feed` for a browser's EventSource. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { Gate } from '../../graphql/admission/gate.ts';
import { type Context, createContext, type Services } from '../../graphql/context.ts';
import { authorizeCaller } from '../../graphql/directives/auth.ts';
import { toApiError } from '../../graphql/errors.ts';
import { RefusedSubscription, type Streams } from '../../graphql/streams/streams.ts';
import { LIMITS } from '../../limits.ts';
import type { StreamRoute } from '../../rest/index.ts';
import type { Authenticate } from '../authentication.ts';
import { lastEventId } from '../event-stream-request.ts';
import { beginEventStream, block, type EventFormat, type EventStreams, sessionOf } from './event-stream.ts';

/**
 * Events have no name, so that `onmessage` gets all of them: their type is in their data. The last one before the server ends
 * a stream is called `end` and says why; EventSource comes back by itself after any of them.
 */
const FORMAT: EventFormat = {
  name: 'rest',
  event: ({ cursor, payload }) => block({ id: cursor, data: payload }),
  end: (reason, cursor) => {
    const { code, message } = reason === 'complete' ? { code: reason, message: 'There is no more.' } : reason;
    const data = JSON.stringify({ code, message, cursor });
    return block({ retry: LIMITS.streamRetry, id: cursor, event: 'end', data });
  },
};

/**
 * A stream that ends at once, for who comes to a server that leaves. An EventSource gives up for good on any status but 200
 * (HTML Living Standard, section 9.2.3), and comes back after this, from where it was.
 */
function sendBack({ code, message }: ApiError): string {
  return block({ retry: LIMITS.streamRetry, event: 'end', data: JSON.stringify({ code, message }) });
}

export interface RestEventsOptions {
  readonly services: Services;
  readonly streams: Streams;
  readonly gate: Gate;
  readonly eventStreams: EventStreams;
  readonly authenticate: Authenticate;
}

/** What answers a route when a client asks for a stream of it. */
export function createRestEvents(route: StreamRoute, options: RestEventsOptions) {
  const { services, streams, gate, eventStreams, authenticate } = options;
  const { access } = route;
  const bind = (request: FastifyRequest, context: Context) => {
    if (access !== 'public') authorizeCaller(context, access);
    // Who is calling is known by then, and the token is no parameter of the route.
    const { access_token: _, ...query } = request.query as Record<string, unknown>;
    return route.bind({
      path: request.url.split('?', 1)[0] ?? request.url,
      params: {},
      query,
      headers: request.headers,
      body: undefined,
    });
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await authenticate(request);
    const context = createContext(services, caller);
    reply.raw.spending = context.spending;
    const { operation } = route;
    let variables: Record<string, unknown>;
    try {
      variables = bind(request, context);
    } catch (error) {
      await gate.payForRefusal(error, context);
      throw error;
    }
    await gate.admit(
      { door: 'sse', reading: operation.document, operationName: operation.name, variables },
      context,
    );
    if (!caller.principal) throw new ApiError('unauthenticated');
    const session = sessionOf(caller.principal, caller.address);
    const stream = await streams
      .open({ operation, variables, resumeAfter: lastEventId(request) }, session)
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'restarting') return error;
        throw error instanceof RefusedSubscription ? route.translate(toApiError(error.errors[0])) : error;
      });
    if (stream instanceof ApiError) {
      beginEventStream(reply).end(sendBack(stream));
      return reply;
    }
    eventStreams.answer(reply, stream, session, FORMAT);
    return reply;
  };
}
