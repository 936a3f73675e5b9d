/** The body of an export, written at the pace of its client. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AbortSignalLike } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import { unlessAborted, unlessLate } from '../../core/promises.ts';
import { takeOver } from '../headers.ts';
import type { StreamCompression } from '../hooks/compression.ts';

/** The trailer of a complete export (RFC 9110, section 6.5), with its number of rows: `rows=1000`. */
const COMPLETE = 'portico-complete';

interface BodyOptions {
  readonly contentType: string;
  readonly compression: StreamCompression | undefined;
  /** Milliseconds within which the client must receive the written text. */
  readonly patience: number;
  /** Aborts to end the export. */
  readonly signal: AbortSignalLike;
}

export class ExportBody {
  readonly #raw: ServerResponse;
  /** The destination of the text: the response, or the stream that compresses it. */
  readonly #target: Writable;
  readonly #options: BodyOptions;
  readonly #hasTrailer: boolean;

  /** Hijacks the response, and sends its headers, including those set so far. */
  constructor(reply: FastifyReply, options: BodyOptions) {
    const { contentType, compression } = options;
    this.#options = options;
    // A trailer needs chunked coding, which HTTP/1.0 lacks.
    this.#hasTrailer = reply.request.raw.httpVersionMinor > 0;
    this.#raw = takeOver(reply, {
      'content-type': contentType,
      ...(compression && { 'content-encoding': compression.coding }),
      ...(this.#hasTrailer && { trailer: COMPLETE }),
    });
    this.#target = compression?.stream ?? this.#raw;
    compression?.stream.on('error', () => this.#raw.destroy());
    compression?.stream.pipe(this.#raw);
  }

  /**
   * Writes a text, and resolves when the client has received enough for more to be written.
   *
   * @throws ApiError `slow_consumer`, or the signal's reason.
   */
  async write(text: string): Promise<void> {
    this.#options.signal.throwIfAborted();
    if (text === '' || this.#target.write(text)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { signal, patience } = this.#options;
    this.#target.once('drain', resolve);
    try {
      await unlessAborted(
        unlessLate(promise, patience, () => new ApiError('slow_consumer')),
        signal,
      );
    } finally {
      // Ends the other timer as well.
      this.#target.off('drain', resolve);
      resolve();
    }
  }

  /** Ends a complete list. The client may receive the remaining data without a time limit. */
  end(text: string, rows: number): void {
    if (this.#hasTrailer) this.#raw.addTrailers({ [COMPLETE]: `rows=${rows}` });
    this.#target.end(text);
  }

  /** Closes the connection, so that the client detects that the list is incomplete. */
  cut(): void {
    this.#options.compression?.stream.destroy();
    this.#raw.destroy();
  }
}
