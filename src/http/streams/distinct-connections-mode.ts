/** GraphQL over server-sent events at `/graphql`: the protocol of graphql-sse in distinct connections mode, one stream per operation. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import { resultOf } from '../../pipeline/response.ts';
import type { OperationMessage, OperationRunner } from '../../subscriptions/operation-runner.ts';
import type { OpenContext } from '../hooks/request-context.ts';
import { headOf, type ResponseHead } from '../routes/graphql/response-head.ts';
import { beginEventStream, block, type EventFormat, type EventStreams, sessionOf } from './event-stream.ts';
import { lastEventId, takesJson } from './event-stream-request.ts';

/**
 * `next` with a result, `complete` at the end. After a stream that ends without `complete`, clients reconnect; the protocol has no
 * other event for it.
 */
const FORMAT: EventFormat = {
  event: ({ cursor, payload }) => Buffer.from(block({ id: cursor, event: 'next', data: payload })),
  end: (reason, cursor) =>
    reason === 'complete'
      ? complete()
      : `: ${reason.code}\n${block({ retry: LIMITS.streamRetry, id: cursor })}`,
};

const complete = () => block({ event: 'complete', data: '' });

/** Creates the handler that responds with a stream of events: all results of a subscription, or the only result of a query. */
export function createGraphQLEvents(
  operationRunner: OperationRunner,
  eventStreams: EventStreams,
  openContext: OpenContext,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const message = messageOf(request);
    const context = await openContext(request, reply);
    const { principal, address } = context;
    const session = principal ? sessionOf(principal, address) : undefined;
    const begun = await operationRunner.begin(message, context, 'sse', session, lastEventId(request));
    if ('response' in begun) {
      const { outcome, response } = begun;
      return outcome.refusal
        ? sendRefusal(
            request,
            reply,
            response.errors,
            headOf(outcome, context, (failure) => failure.status),
          )
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
  request: FastifyRequest,
  reply: FastifyReply,
  errors: readonly GraphQLFormattedError[] | undefined,
  { status, headers }: ResponseHead,
): FastifyReply {
  if (!takesJson(request) && !WORTH_ANOTHER.has(status)) return sendOnce(reply, { errors });
  return sendErrors(reply.code(status).headers(headers), errors);
}

export const sendErrors = (
  reply: FastifyReply,
  errors: readonly GraphQLFormattedError[] | undefined,
): FastifyReply => reply.type('application/json; charset=utf-8').send({ errors });

/** Reads the operation in a request. @throws ApiError `malformed_request`. */
export function messageOf({ method, query, body }: FastifyRequest): OperationMessage {
  const isGet = method === 'GET';
  const parts: unknown = isGet ? query : body;
  if (typeof parts !== 'object' || parts === null) throw malformed('Send an object with a query.');
  const { query: text, documentId, operationName, variables, extensions } = parts as Record<string, unknown>;
  if (text != null && typeof text !== 'string') throw malformed('Send the document as text in "query".');
  if (operationName != null && typeof operationName !== 'string')
    throw malformed('"operationName" must be a string.');
  return {
    query: text,
    documentId,
    isSafe: isGet,
    operationName,
    variables: objectIn(isGet ? parsed(variables) : variables, 'variables'),
    extensions: objectIn(isGet ? parsed(extensions) : extensions, 'extensions'),
  };
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('malformed_request', { message: 'A parameter is not valid JSON.', cause: error });
  }
}

function objectIn(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  if (value == null) return undefined;
  if (!isRecord(value)) throw malformed(`"${name}" must be an object.`);
  return value;
}

const malformed = (message: string) => new ApiError('malformed_request', { message });
