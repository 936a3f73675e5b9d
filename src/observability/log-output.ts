/** Standard output as the destination of the server's log. */
import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';

/** Bytes of one write, as many as a pipe has room for. */
const PART = 64 * 1024;

/** Milliseconds until a failed write is repeated. */
const PAUSE = 20;

const NOTHING = Buffer.alloc(0);

/**
 * Writes lines without blocking. If they cannot be written now, since the disk is full or the reader of a pipe is slow, they wait in memory up
 * to `LIMITS.waitingLog`, and further ones are dropped. At its exit the process waits at most `LIMITS.lastLog` for the reader. With pino's own
 * destination it would never end: that repeats a failing write forever.
 */
export class LogOutput implements DestinationStream {
  // Node sets a pipe to non-blocking when `process.stdout` is first read. Otherwise, a write to a full one would keep the process from ending.
  readonly #descriptor = process.stdout.fd;
  /** The lines after {@link #part}. */
  #lines = '';
  /** What is being written, or could not be. */
  #part: Buffer = NOTHING;
  #isWriting = false;
  #retry: NodeJS.Timeout | undefined;
  /** Whether the reader of a pipe is gone. */
  #isBroken = false;

  constructor() {
    process.once('exit', () => this.#finish());
  }

  write(line: string): void {
    if (this.#isBroken || this.#part.length + this.#lines.length > LIMITS.waitingLog) return;
    this.#lines += line;
    if (!this.#isWriting && !this.#retry) this.#writeNext();
  }

  #writeNext(): void {
    const part = this.#next();
    if (part.length === 0) return;
    this.#isWriting = true;
    write(this.#descriptor, part, 0, Math.min(part.length, PART), null, (error, written) => {
      this.#isWriting = false;
      if (error) return this.#failed(error);
      this.#part = part.subarray(written);
      this.#writeNext();
    });
  }

  #next(): Buffer {
    if (this.#part.length === 0) {
      this.#part = Buffer.from(this.#lines);
      this.#lines = '';
    }
    return this.#part;
  }

  #failed({ code }: NodeJS.ErrnoException): void {
    if (code === 'EPIPE') {
      this.#isBroken = true;
      this.#part = NOTHING;
      this.#lines = '';
      return;
    }
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#writeNext();
    }, PAUSE).unref();
  }

  #finish(): void {
    const end = monotonicTime() + LIMITS.lastLog;
    if (this.#isWriting) {
      // Its outcome is unknown: a thread of Node writes it, which takes microseconds unless the pipe is full.
      pause();
      this.#part = this.#part.subarray(PART);
    }
    for (let part = this.#next(); part.length > 0; part = this.#next()) {
      try {
        this.#part = part.subarray(writeSync(this.#descriptor, part, 0, Math.min(part.length, PART)));
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
        if (!isFull || monotonicTime() > end) return;
        pause();
      }
    }
  }
}

/** Blocks for a short time: no event loop runs any more. */
const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
