/**
 * GraphQL over server-sent events at `/graphql`: the protocol of graphql-sse in single connection mode. A client reserves a stream
 * with PUT, opens it with GET, starts operations with POST, which send their results on the stream, and ends them with DELETE.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/policy.ts';
import type { Deadlines } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import { KeyedCounts } from '../../core/keyed-counts.ts';
import { type Context, createContext } from '../../pipeline/context.ts';
import { flowOf } from '../../pipeline/flow.ts';
import { resultOf } from '../../pipeline/response.ts';
import type { OperationRunner } from '../../subscriptions/operation-runner.ts';
import type { Authenticate } from '../hooks/authentication.ts';
import type { RequestHandler } from '../routes/graphql/index.ts';
import { headOf } from '../routes/graphql/response-head.ts';
import { messageOf } from './distinct-connections-mode.ts';
import { beginEventStream, type EventStreams } from './event-stream.ts';
import { wantsEventStream } from './event-stream-request.ts';
import { isSamePerson } from './protocol.ts';
import { SharedStream, SharedStreamSink } from './shared-stream.ts';

/** Random bytes in the token of a stream, enough to be unguessable. */
const TOKEN_BYTES = 24;

/** The price in points of reserving a stream, opening it and ending an operation: that of the smallest query. */
const COST = 1;

export interface SharedStreamsOptions {
  readonly operationRunner: OperationRunner;
  readonly eventStreams: EventStreams;
  readonly authenticate: Authenticate;
  /** Deadlines of operations. */
  readonly deadlines: Deadlines;
  /** Maximum number of streams per caller. */
  readonly streamsPerCaller: number;
  /** Maximum number of operations that run on one stream. */
  readonly subscriptionsPerSocket: number;
  readonly isDraining: () => boolean;
}

export interface SharedStreams {
  /** Returns the handler of a request of this mode; undefined for any other request. */
  handlerOf(request: FastifyRequest): RequestHandler | undefined;
  /** Asks every client to reconnect, to another instance or shortly after. */
  drain(): void;
}

export function createSharedStreams(options: SharedStreamsOptions): SharedStreams {
  const { operationRunner, eventStreams, authenticate, deadlines, isDraining } = options;
  const { streamsPerCaller, subscriptionsPerSocket } = options;
  const { services } = operationRunner;
  const streams = new Map<string, SharedStream>();
  const counts = new KeyedCounts<string>();

  const reserve: RequestHandler = async (request, reply) => {
    const principal = requireCaller(await admit(request, reply));
    if (isDraining()) throw new ApiError('restarting');
    const { caller } = flowOf({ principal, address: request.ip });
    if (counts.of(caller) >= streamsPerCaller) throw new ApiError('too_many_streams', { retryAfter: 1 });
    const leave = counts.add(caller);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const stream = new SharedStream(principal, request.ip, () => {
      streams.delete(token);
      leave();
    });
    streams.set(token, stream);
    return reply
      .code(201)
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(token);
  };

  /** Opens a stream. A browser's EventSource sends no Authorization header: the token of the stream is its credential. */
  const open: RequestHandler = async (request, reply) => {
    const stream = streamOf(request);
    if (request.headers.authorization !== undefined) requireOwner(await admit(request, reply), stream);
    if (stream.isOver) throw unknownStream();
    if (request.raw.method === 'HEAD') {
      beginEventStream(reply).end();
      return reply;
    }
    if (stream.isOpen)
      throw new ApiError('conflict', { message: 'The stream of this token is already open.' });
    stream.open(eventStreams.hold(reply, stream, () => stream.close()));
    return reply;
  };

  const operate: RequestHandler = async (request, reply) => {
    const stream = streamOf(request);
    const message = messageOf(request);
    const id = operationIdOf(message.extensions);
    const caller = await authenticate(request);
    const deadline = deadlines.begin();
    const context = createContext(services, caller, deadline);
    reply.raw.requestCost = context.requestCost;
    try {
      requireOwner(context, stream);
      const { operations, isOver } = stream;
      // The stream may have ended while the caller was identified, and would never stop a new operation.
      if (isOver) throw unknownStream();
      if (stream.isFull()) throw slowConsumer(stream);
      if (operations.has(id))
        throw new ApiError('conflict', { message: 'An operation with this id is already running.' });
      if (operations.size >= subscriptionsPerSocket) throw new ApiError('too_many_subscriptions');
    } catch (error) {
      deadline.meet();
      throw error;
    }
    const { operations } = stream;
    const operation = operations.begin(id, deadline);
    const begun = await operationRunner.begin(message, context, 'sse', stream).catch((error: unknown) => {
      operations.finish(operation);
      throw error;
    });
    if ('stream' in begun) {
      const sink = new SharedStreamSink(stream, id, () => {
        if (operations.finish(operation)) stream.sendComplete(id);
      });
      operations.follow(operation, begun.stream, sink, services.metrics.subscriptionOpened('sse'));
      return reply.code(202).send();
    }
    const { outcome, response } = begun;
    const isWanted = operations.finish(operation);
    const { status, headers } = headOf(outcome, context, (failure) => failure.status);
    if (outcome.refusal) {
      return reply
        .code(status)
        .headers(headers)
        .type('application/json; charset=utf-8')
        .send({ errors: response.errors });
    }
    if (isWanted) stream.sendResult(id, resultOf(outcome, response));
    return reply.code(202).headers(headers).send();
  };

  const stop: RequestHandler = async (request, reply) => {
    const context = await admit(request, reply);
    const stream = streamOf(request);
    requireOwner(context, stream);
    stream.operations.stop(operationIdOf(request.query));
    return reply.code(200).send();
  };

  return {
    handlerOf(request) {
      const { method } = request;
      if (method === 'PUT') return reserve;
      if (method === 'DELETE') return stop;
      if (tokenOf(request) === undefined) return undefined;
      return method === 'GET' && wantsEventStream(request) ? open : operate;
    },
    drain() {
      for (const stream of [...streams.values()]) stream.end(new ApiError('restarting'));
    },
  };

  /**
   * Admits the caller of a request that is not an operation, and charges it, even if the stream does not exist.
   *
   * @throws ApiError `unauthenticated`, `rate_limited`.
   */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    const context = createContext(services, await authenticate(request));
    reply.raw.requestCost = context.requestCost;
    await context.requestCost.pay(COST);
    await context.scheduler.enter(context.flow, COST);
    requireCaller(context);
    return context;
  }

  /** Returns the stream of a request. @throws ApiError `not_found`, also for a stream that has ended. */
  function streamOf(request: FastifyRequest): SharedStream {
    const stream = streams.get(tokenOf(request) ?? '');
    if (!stream) throw unknownStream();
    return stream;
  }
}

const unknownStream = () =>
  new ApiError('not_found', { message: 'No stream has this token. Reserve one with PUT.' });

function requireCaller({ principal, refusal }: Context): Principal {
  if (!principal) throw refusal ?? new ApiError('unauthenticated');
  return principal;
}

/**
 * Requires the owner of a stream as caller. The stream continues with the token that expires last.
 *
 * @throws ApiError `forbidden` for any other caller.
 */
function requireOwner(context: Context, stream: SharedStream): Principal {
  const principal = requireCaller(context);
  if (!isSamePerson(principal, stream.principal)) {
    throw new ApiError('forbidden', { message: 'The stream belongs to another person.' });
  }
  if (principal.expiresAt > stream.principal.expiresAt) stream.principal = principal;
  return principal;
}

/** Ends the stream of a client that starts operations without reading results, as for a client that does not read events. */
function slowConsumer(stream: SharedStream): ApiError {
  const reason = new ApiError('slow_consumer');
  stream.end(reason);
  return reason;
}

/** Returns the token of a stream, from a header or the URL. */
function tokenOf({ headers, query }: FastifyRequest): string | undefined {
  const token = headers['x-graphql-event-stream-token'] ?? (query as Record<string, unknown>)['token'];
  if (Array.isArray(token)) throw malformed('Send only one token of a stream.');
  return typeof token === 'string' ? token : undefined;
}

/** @param members the extensions of an operation, or the parameters of a URL. */
function operationIdOf(members: unknown): string {
  const id =
    typeof members === 'object' && members !== null ? Reflect.get(members, 'operationId') : undefined;
  if (typeof id === 'string' && id !== '') return id;
  throw malformed(
    'Send the id of the operation as text: "operationId" in "extensions", or in the URL with DELETE.',
  );
}

const malformed = (message: string) => new ApiError('malformed_request', { message });
