/** Server-sent events (HTML Living Standard, section 9.2): a stream of text blocks as the body of a response. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Sink, StreamEnd, StreamMessage, StreamSession } from '../../subscriptions/follower.ts';
import type { Stream } from '../../subscriptions/stream.ts';
import { EVENT_STREAM } from './event-stream-request.ts';

/** How the blocks of a door look. */
export interface EventFormat {
  /** Distinguishes it from others. */
  readonly name: string;
  event(message: StreamMessage): string;
  /** The last block, before the response ends. */
  end(reason: StreamEnd, cursor: string): string;
}

/** The blocks have no empty lines in them: JSON text has no line breaks. */
export const block = (fields: Readonly<Record<string, string | number>>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n`;

/** Responses that are streams, with heartbeats. */
export interface EventStreams {
  /**
   * Streams until the client goes, or sends the headers alone for HEAD. It first says where the stream begins,
   * so that a client that is cut off before the first event comes back to it.
   */
  answer(
    reply: FastifyReply,
    stream: Stream,
    session: StreamSession & { follow(stream: Stream): void },
    format: EventFormat,
  ): void;
  /**
   * Begins a stream that is written to by others, with heartbeats until its client goes.
   *
   * @param onClosed called once, when the client has gone or the response has ended.
   */
  hold(reply: FastifyReply, session: StreamSession, onClosed: () => void): ServerResponse;
  close(): void;
}

export function createEventStreams(
  watch: (session: StreamSession) => () => void,
  metrics: Pick<Metrics, 'subscriptionOpened'>,
): EventStreams {
  const open = new Set<ServerResponse>();
  const heartbeat = setInterval(() => {
    for (const response of open) response.write(':\n\n');
  }, LIMITS.streamHeartbeat);
  heartbeat.unref();
  const hold: EventStreams['hold'] = (reply, session, onClosed) => {
    const response = beginEventStream(reply);
    const unwatch = watch(session);
    open.add(response);
    const forget = () => {
      open.delete(response);
      unwatch();
      onClosed();
    };
    // The client may have gone before this listener.
    if (response.destroyed) forget();
    else response.once('close', forget);
    return response;
  };
  return {
    hold,
    answer(reply, stream, session, format) {
      // Nothing follows the head (RFC 9110, section 9.3.2), so the response is complete for its client.
      if (reply.request.raw.method === 'HEAD') {
        stream.stop();
        beginEventStream(reply).end();
        return;
      }
      const closed = metrics.subscriptionOpened('sse');
      session.follow(stream);
      const response = hold(reply, session, () => {
        closed();
        stream.stop();
      });
      if (response.destroyed) return;
      response.write(block({ retry: LIMITS.streamRetry, id: stream.cursor }));
      stream.start(new EventSink(response, format));
    },
    close: () => clearInterval(heartbeat),
  };
}

/** Hijacks the response, with the headers set so far. */
export function beginEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.on('error', () => undefined);
  reply.headers({
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    // RFC 6750, section 2.3, wants `no-store` where a token may stand in the URL.
    'cache-control': 'no-cache, no-store',
    // Disables nginx's buffering.
    'x-accel-buffering': 'no',
    // A client that reconnects must not reuse this connection: this server may be shutting down.
    connection: 'close',
  });
  // Those that are there: Fastify's type has all that could be.
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  // The head alone would wait for the first event.
  raw.flushHeaders();
  return raw;
}

/** Ends a stream with its last block. A client that does not read does not read that either, and is cut off. */
export function endEventStream(response: ServerResponse, last: string): void {
  response.end(last);
  const timer = setTimeout(() => response.destroy(), LIMITS.socketCloseTimeout);
  response.once('close', () => clearTimeout(timer));
}

class EventSink implements Sink {
  readonly #response: ServerResponse;
  readonly #format: EventFormat;
  #messages = 0;

  constructor(response: ServerResponse, format: EventFormat) {
    this.#response = response;
    this.#format = format;
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  isFull(): boolean {
    return this.waiting > LIMITS.streamBacklogBytes || this.#messages > LIMITS.streamBacklogMessages;
  }

  send(message: StreamMessage): void {
    message.forms ??= new Map();
    let bytes = message.forms.get(this.#format.name);
    if (!bytes) {
      bytes = Buffer.from(this.#format.event(message));
      message.forms.set(this.#format.name, bytes);
    }
    this.#messages = this.waiting === 0 ? 1 : this.#messages + 1;
    this.#response.write(bytes);
  }

  end(reason: StreamEnd, cursor: string): void {
    endEventStream(this.#response, this.#format.end(reason, cursor));
  }
}

/** A session that has one stream, which ends with it. */
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
