/**
 * GraphQL over server-sent events at `/graphql`: the protocol of graphql-sse in single connection mode. A client reserves a stream
 * with PUT, opens it with GET, starts operations with POST, which send their results on the stream, and ends them with DELETE.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameCaller, type Principal } from '../../auth/policy.ts';
import { ApiError, malformed } from '../../core/errors.ts';
import { memberOf } from '../../core/json.ts';
import { KeyedCounts } from '../../core/keyed-counts.ts';
import { authorizeCaller } from '../../graphql/directives/auth.ts';
import { createContext, flowOf } from '../../pipeline/context.ts';
import { resultOf } from '../../pipeline/response.ts';
import { isSafeMethod } from '../hooks/message.ts';
import { wantsEventStream } from '../negotiation.ts';
import type { HttpParts, RequestHandler } from '../parts.ts';
import { headOf, readMessage } from '../routes/graphql/over-http.ts';
import { type Backlogs, sharedSink } from './backlog.ts';
import { sendErrors } from './distinct-connections-mode.ts';
import { beginEventStream, type EventStreams } from './event-stream.ts';
import { eventsOf, SharedStream } from './shared-stream.ts';

/** Random bytes in the token of a stream, enough to be unguessable. */
const TOKEN_BYTES = 24;

/** The price in points of reserving a stream, opening it and ending an operation: that of the smallest query. */
const COST = 1;

/** The streams of this process. */
export class SharedStreams {
  readonly #eventStreams: EventStreams;
  readonly #backlogs: Backlogs;
  readonly #parts: HttpParts;
  readonly #byToken = new Map<string, SharedStream>();
  /** Number of streams by caller. */
  readonly #counts = new KeyedCounts<string>();

  constructor(eventStreams: EventStreams, backlogs: Backlogs, parts: HttpParts) {
    this.#eventStreams = eventStreams;
    this.#backlogs = backlogs;
    this.#parts = parts;
    backlogs.add(() => this.#byToken.values().reduce((sum, { pending }) => sum + pending, 0));
  }

  /** Returns the handler of a request of this mode; undefined for any other request. */
  readonly handlerOf = (request: FastifyRequest): RequestHandler | undefined => {
    const { method } = request;
    if (method === 'PUT') return this.#reserve;
    if (method === 'DELETE') return this.#stop;
    if (tokenOf(request) === undefined) return undefined;
    return isSafeMethod(method) && wantsEventStream(request) ? this.#open : this.#operate;
  };

  /** Asks every client to reconnect, to another instance or shortly after. */
  drain(): void {
    for (const stream of [...this.#byToken.values()]) stream.end(new ApiError('restarting'));
  }

  readonly #reserve: RequestHandler = async (request, reply) => {
    const { config, isDraining } = this.#parts;
    const principal = await this.#admit(reply);
    // The system distributes the connections of one client among the processes that listen on one port.
    if (config.http.sharesPort) throw unreachable();
    if (isDraining()) throw new ApiError('restarting');
    const { caller } = flowOf({ principal, address: request.ip });
    if (this.#counts.of(caller) >= config.connections.streamsPerCaller)
      throw new ApiError('too_many_streams', { retryAfter: 1 });
    this.#counts.increment(caller);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const stream = new SharedStream(principal, request.ip, this.#backlogs, () => {
      this.#byToken.delete(token);
      this.#counts.decrement(caller);
    });
    this.#byToken.set(token, stream);
    return reply
      .code(201)
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(token);
  };

  /** Opens a stream. A browser's EventSource sends no Authorization header: the token of the stream is its credential. */
  readonly #open: RequestHandler = async (request, reply) => {
    const stream = this.#streamOf(request);
    if (request.headers.authorization !== undefined) requireOwner(await this.#admit(reply), stream);
    if (stream.isOver) throw unknownStream();
    if (request.method === 'HEAD') {
      beginEventStream(reply).end();
      return reply;
    }
    if (stream.isOpen)
      throw new ApiError('conflict', { message: 'The stream of this token is already open.' });
    stream.open(this.#eventStreams.hold(reply, stream, () => stream.close()));
    return reply;
  };

  readonly #operate: RequestHandler = async (request, reply) => {
    const { operationRunner, services, authenticate, deadlines, config } = this.#parts;
    const stream = this.#streamOf(request);
    const message = readMessage(request);
    const id = operationIdOf(message.extensions);
    const caller = await authenticate(request);
    const deadline = deadlines.begin();
    const context = createContext(services, caller, deadline);
    reply.raw.requestCost = context.requestCost;
    try {
      requireOwner(authorizeCaller(context), stream);
      requireRoom(stream, id, config.connections.subscriptionsPerSocket);
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
      const sink = sharedSink(stream, eventsOf(id), () => {
        if (operations.finish(operation)) stream.sendComplete(id);
      });
      operations.follow(operation, begun.stream, sink, services.metrics.subscriptionOpened('sse'));
      return reply.code(202).send();
    }
    const { outcome, response } = begun;
    const isWanted = operations.finish(operation);
    const { status, headers } = headOf(outcome, context);
    if (outcome.refusal) return sendErrors(reply.code(status).headers(headers), response.errors);
    if (isWanted) stream.sendResult(id, resultOf(outcome, response));
    return reply.code(202).headers(headers).send();
  };

  readonly #stop: RequestHandler = async (request, reply) => {
    const principal = await this.#admit(reply);
    const stream = this.#streamOf(request);
    requireOwner(principal, stream);
    stream.operations.stop(operationIdOf(request.query));
    return reply.code(200).send();
  };

  /**
   * Admits the caller of a request that is not an operation, and charges it, even if the stream does not exist.
   *
   * @throws ApiError `unauthenticated`, `rate_limited`.
   */
  async #admit(reply: FastifyReply): Promise<Principal> {
    const context = await this.#parts.openContext(reply);
    await context.requestCost.pay(COST);
    await context.scheduler.enter(context.flow, COST, context.signal);
    return authorizeCaller(context);
  }

  /** Returns the stream of a request. @throws ApiError `not_found`, also for a stream that has ended. */
  #streamOf(request: FastifyRequest): SharedStream {
    const stream = this.#byToken.get(tokenOf(request) ?? '');
    if (!stream) throw unknownStream();
    return stream;
  }
}

const unknownStream = () =>
  new ApiError('not_found', { message: 'No stream has this token. Reserve one with PUT.' });

/** The error for a stream that most of its own requests would not reach. */
const unreachable = () =>
  new ApiError('not_implemented', {
    message:
      'This server runs several processes on one port, which share no streams. Use one stream per operation, or a WebSocket.',
  });

/**
 * Requires the owner of a stream as caller. The stream continues with the token that expires last.
 *
 * @throws ApiError `forbidden` for any other caller.
 */
function requireOwner(principal: Principal, stream: SharedStream): void {
  if (!isSameCaller(principal, stream.principal)) {
    throw new ApiError('forbidden', { message: 'The stream belongs to another person.' });
  }
  if (principal.expiresAt > stream.principal.expiresAt) stream.principal = principal;
}

/**
 * Requires that an operation may start on a stream.
 *
 * @param most maximum number of operations that run on it.
 * @throws ApiError `not_found` for a stream that has ended while the caller was identified, since it would never stop the operation,
 *   `conflict`, `too_many_subscriptions`, and `slow_consumer` for a client that starts operations without reading results: its stream
 *   is ended, as for a client that does not read events.
 */
function requireRoom(stream: SharedStream, id: string, most: number): void {
  const { operations, isOver } = stream;
  if (isOver) throw unknownStream();
  if (stream.isFull()) {
    const reason = new ApiError('slow_consumer');
    stream.end(reason);
    throw reason;
  }
  if (operations.has(id))
    throw new ApiError('conflict', { message: 'An operation with this id is already running.' });
  if (operations.size >= most) throw new ApiError('too_many_subscriptions');
}

/** Returns the token of a stream, from a header or the URL. */
function tokenOf({ headers, query }: FastifyRequest): string | undefined {
  const token = headers['x-graphql-event-stream-token'] ?? (query as Record<string, unknown>)['token'];
  if (Array.isArray(token)) throw malformed('Send only one token of a stream.');
  return typeof token === 'string' ? token : undefined;
}

/** @param members the extensions of an operation, or the parameters of a URL. */
function operationIdOf(members: unknown): string {
  const id = memberOf(members, 'operationId');
  if (typeof id === 'string' && id !== '') return id;
  throw malformed(
    'Send the id of the operation as text: "operationId" in "extensions", or in the URL with DELETE.',
  );
}
