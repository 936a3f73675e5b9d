/** Server-sent events (HTML Living Standard, section 9.2): a stream of text blocks as the body of a response. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Sink, StreamEnd, StreamSession } from '../../subscriptions/follower.ts';
import type { Stream } from '../../subscriptions/stream.ts';
import type { Encode, StreamMessage } from '../../subscriptions/stream-message.ts';
import { takeOver } from '../headers.ts';
import { EVENT_STREAM, takesJson, wantsEventStream } from '../negotiation.ts';
import { Backlog, type Backlogs, unsentBy } from './backlog.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether GET streams events to clients that prefer them. */
    readonly streamsEvents?: boolean;
  }
}

/** The format of a door's blocks. */
export interface EventFormat {
  readonly event: Encode;
  /** The last block, before the response ends. */
  end(reason: StreamEnd, cursor: string): string;
}

/** Returns a block of fields. Values are JSON or single lines, so a block contains no empty line. */
export const block = (fields: Readonly<Record<string, string | number>>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n`;

/**
 * Returns the milliseconds after which a client reconnects: at least `LIMITS.streamRetry`, and up to twice as many, so that clients that
 * have lost their streams at the same time do not all return at the same time.
 *
 * @param seconds the minimum, if the server requests one.
 */
export const retryDelay = (seconds = 0): number =>
  Math.round(Math.max(LIMITS.streamRetry, seconds * 1000) * (1 + Math.random()));

/**
 * Returns the client's Last-Event-ID. Libraries that replace EventSource send it in the query string as `lastEventId`, since a page of
 * another origin needs a preflight for a header. They add it to the given URL, so that the last one counts.
 */
export function lastEventId({ headers, query }: FastifyRequest): string | undefined {
  // Strings, or lists of strings, by name.
  const { lastEventId: inUrl } = query as Readonly<Record<string, string | readonly string[] | undefined>>;
  const id = headers['last-event-id'] || inUrl;
  return (Array.isArray(id) ? id.at(-1) : id) || undefined;
}

/** A block without fields. */
const COMMENT = ':\n\n';

/** Responses that are streams of events, with heartbeats. */
export class EventStreams {
  readonly #watch: (session: StreamSession) => () => void;
  readonly #metrics: Pick<Metrics, 'subscriptionOpened'>;
  readonly #backlogs: Backlogs;
  /** The open responses, each with the function that returns the text of a heartbeat. */
  readonly #open = new Map<ServerResponse, () => string>();
  readonly #heartbeat = setInterval(() => {
    // A response that is being sent needs none, and a client that does not read must not seem to make progress.
    for (const [response, beat] of this.#open) if (response.writableLength === 0) response.write(beat());
  }, LIMITS.streamHeartbeat).unref();

  constructor(
    watch: (session: StreamSession) => () => void,
    metrics: Pick<Metrics, 'subscriptionOpened'>,
    backlogs: Backlogs,
  ) {
    this.#watch = watch;
    this.#metrics = metrics;
    this.#backlogs = backlogs;
    backlogs.add(() => this.#open.keys().reduce((sum, response) => sum + response.writableLength, 0));
  }

  /**
   * Begins a stream to which the caller writes, with heartbeats until its client disconnects.
   *
   * @param onClosed called once, when the client has disconnected or the response has ended.
   * @param beat returns the text of a heartbeat; a comment by default.
   */
  hold(
    reply: FastifyReply,
    session: StreamSession,
    onClosed: () => void,
    beat: () => string = () => COMMENT,
  ): ServerResponse {
    const response = beginEventStream(reply);
    const unwatch = this.#watch(session);
    this.#open.set(response, beat);
    const forget = () => {
      this.#open.delete(response);
      unwatch();
      onClosed();
    };
    // The client may have disconnected before the listener is added.
    if (response.destroyed) forget();
    else response.once('close', forget);
    return response;
  }

  /**
   * Streams until the client disconnects, or sends only the headers for HEAD. The first block has the start position, so that
   * a client that is disconnected before the first event can resume.
   */
  respond(
    reply: FastifyReply,
    stream: Stream,
    session: ReturnType<typeof sessionOf>,
    format: EventFormat,
  ): void {
    // The response to HEAD has no body (RFC 9110, section 9.3.2), so it is complete.
    if (reply.request.method === 'HEAD') {
      stream.stop();
      beginEventStream(reply).end();
      return;
    }
    const closed = this.#metrics.subscriptionOpened('sse');
    session.follow(stream);
    const stop = () => {
      closed();
      stream.stop();
    };
    const response = this.hold(reply, session, stop, () => {
      // Sets the id with which the client resumes, without an event (HTML Living Standard, section 9.2.6).
      const id = stream.newCursor();
      return id === undefined ? COMMENT : block({ id });
    });
    if (response.destroyed) return;
    response.write(block({ retry: retryDelay(), id: stream.cursor }));
    stream.start(new EventSink(response, format, this.#backlogs));
  }

  /** Stops the heartbeats. */
  close(): void {
    clearInterval(this.#heartbeat);
  }
}

/** Hijacks the response, and sends its headers, including those set so far. */
export function beginEventStream(reply: FastifyReply): ServerResponse {
  const raw = takeOver(reply, {
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    // RFC 6750, section 2.3, requires `no-store` if a token may be in the URL.
    'cache-control': 'no-cache, no-store',
    // Disables nginx's buffering.
    'x-accel-buffering': 'no',
    // A client that reconnects must not reuse this connection: this server may be shutting down.
    connection: 'close',
  });
  // Otherwise Node would send the headers with the first event.
  raw.flushHeaders();
  return raw;
}

/** Ends a stream with its last block. A client that reads nothing is disconnected after a timeout; one that reads slowly gets everything. */
export function endEventStream(response: ServerResponse, last: string): void {
  response.end(last);
  response.setTimeout(LIMITS.socketCloseTimeout, () => response.destroy());
}

/** A stream of events as the connection of one subscription. */
export class EventSink extends Backlog implements Sink {
  readonly #response: ServerResponse;
  readonly #format: EventFormat;

  constructor(response: ServerResponse, format: EventFormat, backlogs: Backlogs) {
    super(backlogs);
    this.#response = response;
    this.#format = format;
  }

  protected override get transport(): Socket | undefined {
    return this.#response.socket ?? undefined;
  }

  override get waiting(): number {
    return this.#response.writableLength;
  }

  override get unsent(): number {
    return unsentBy(this.#response.socket);
  }

  send(message: StreamMessage): void {
    const bytes = message.encodedBy(this.#format.event);
    this.count(bytes.length);
    this.#response.write(bytes);
  }

  end(reason: StreamEnd, cursor: string): void {
    endEventStream(this.#response, this.#format.end(reason, cursor));
  }
}

/** Creates a session with one stream, which ends with the session. */
export function sessionOf(
  principal: StreamSession['principal'],
  address: string,
): StreamSession & { follow(stream: Stream): void } {
  let stream: Stream | undefined;
  return {
    principal,
    address,
    follow(followed) {
      stream = followed;
    },
    end(reason: ApiError) {
      stream?.end(reason);
    },
  };
}

/** The statuses of refusals after which the same request may succeed later. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 503]);

/**
 * Whether a request gets its refusal as a stream, which ends at once and has the delay in `retry`. EventSource gives up after any status but
 * 200 (HTML Living Standard, section 9.2.3): it would stay disconnected after a short overload. It sends GET and accepts nothing else. A client
 * that also accepts JSON gets the status, and so does graphql-sse, which sends the token of a stream in a header and handles statuses itself.
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
