/** The body of an export, written no faster than its client reads. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type AbortSignalLike, onAbort } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import { COMPLETE } from '../headers/exports.ts';
import type { StreamCompression } from '../hooks/compression.ts';

export interface BodyOptions {
  readonly contentType: string;
  readonly compression: StreamCompression | undefined;
  /** Milliseconds in which the client must take what was written. */
  readonly patience: number;
  /** Aborted when the export is to end. */
  readonly signal: AbortSignalLike;
}

export class ExportBody {
  readonly #raw: ServerResponse;
  /** What the text goes to: the response, or what compresses it. */
  readonly #target: Writable;
  readonly #options: BodyOptions;
  readonly #hasTrailer: boolean;

  /** Hijacks the response, with the headers set so far, and sends its head. */
  constructor(reply: FastifyReply, options: BodyOptions) {
    const { contentType, compression } = options;
    const { raw, request } = reply;
    reply.hijack();
    this.#options = options;
    this.#raw = raw;
    // A trailer takes chunks, which HTTP/1.0 has not.
    this.#hasTrailer = request.raw.httpVersionMinor > 0;
    raw.on('error', () => undefined);
    reply.headers({
      'content-type': contentType,
      ...(compression && { 'content-encoding': compression.coding }),
      ...(this.#hasTrailer && { trailer: COMPLETE }),
    });
    // Those that are there: Fastify's type has all that could be.
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    this.#target = compression?.stream ?? raw;
    compression?.stream.on('error', () => raw.destroy());
    compression?.stream.pipe(raw);
  }

  /**
   * Resolves when the client has taken enough for more to be written.
   *
   * @throws ApiError `slow_consumer`, or the signal's reason.
   */
  async write(text: string): Promise<void> {
    this.#options.signal.throwIfAborted();
    if (text === '' || this.#target.write(text)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { signal, patience } = this.#options;
    const timer = setTimeout(() => reject(new ApiError('slow_consumer')), patience);
    const forget = onAbort(signal, () => reject(signal.reason));
    this.#target.once('drain', resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      forget();
      this.#target.off('drain', resolve);
    }
  }

  /** The list is complete. What its client has not taken yet it takes in its own time. */
  end(text: string, rows: number): void {
    if (this.#hasTrailer) this.#raw.addTrailers({ [COMPLETE]: `rows=${rows}` });
    this.#target.end(text);
  }

  /** Closes the connection, so that the client sees that something is missing. */
  cut(): void {
    this.#options.compression?.stream.destroy();
    this.#raw.destroy();
  }
}

/** The head of an export alone, for HEAD. */
export function sendHead(reply: FastifyReply, contentType: string): void {
  reply.hijack();
  reply.header('content-type', contentType);
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders).end();
}
