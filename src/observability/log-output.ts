/** Standard output as the destination of the server's log. */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';

/** The most bytes that a pipe takes whole or not at all (PIPE_BUF in Linux), so that lines of workers that share it are not mixed. */
const WHOLE = 4096;

/** Milliseconds until a failed write is repeated. */
const PAUSE = 20;

const LINE_FEED = 10;

const NOTHING = Buffer.alloc(0);

/**
 * Writes each line at once, so that a process that is killed has written it. If lines cannot be written, since the disk is full or the
 * reader of a pipe is slow, they wait in memory up to `LIMITS.waitingLog`, and further ones are dropped. At its exit the process waits
 * at most `LIMITS.lastLog` for the reader. With pino's own destination it would never end: that repeats a failing write forever.
 */
export class LogOutput implements DestinationStream {
  readonly #descriptor = openOutput();
  /** The lines after {@link #part}. */
  #lines = '';
  /** What could not be written. */
  #part: Buffer = NOTHING;
  #retry: NodeJS.Timeout | undefined;

  constructor() {
    process.once('exit', () => this.#finish());
  }

  write(line: string): void {
    if (this.#part.length + this.#lines.length > LIMITS.waitingLog) return;
    this.#lines += line;
    if (!this.#retry) this.#writeOrWait();
  }

  #writeOrWait(): void {
    this.#retry = undefined;
    const failure = this.#writeAll();
    if (failure === 'EPIPE') {
      // The reader is gone.
      this.#part = NOTHING;
      this.#lines = '';
    } else if (failure !== undefined) {
      this.#retry = setTimeout(() => this.#writeOrWait(), PAUSE).unref();
    }
  }

  /** Writes what waits. Returns the code of the error that prevented it, if any. */
  #writeAll(): unknown {
    try {
      for (let part = this.#next(); part.length > 0; part = this.#next()) {
        this.#part = part.subarray(writeSync(this.#descriptor, part, 0, endOfLines(part)));
      }
      return undefined;
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  }

  #next(): Buffer {
    if (this.#part.length === 0) {
      this.#part = Buffer.from(this.#lines);
      this.#lines = '';
    }
    return this.#part;
  }

  #finish(): void {
    const end = monotonicTime() + LIMITS.lastLog;
    while (this.#writeAll() === 'EAGAIN' && monotonicTime() < end) {
      // Blocks, since no event loop runs any more.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

/**
 * Opens standard output, so that a write to a full pipe fails instead of blocking the process. Node sets pipes to that when `process.stdout`
 * is first read, but sets them back at the exit of each process that shares them, such as another worker: hence a pipe is opened again.
 */
function openOutput(): number {
  const { fd } = process.stdout;
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Not on Linux, or the pipe belongs to another user.
    return fd;
  }
}

/** The end of the first lines of a part, as many as a pipe takes whole, but at least one. */
function endOfLines(part: Buffer): number {
  if (part.length <= WHOLE) return part.length;
  return part.lastIndexOf(LINE_FEED, WHOLE - 1) + 1 || part.indexOf(LINE_FEED) + 1;
}
