/** A client of an export, in a separate process: reads as fast as it can, and replies to its job with the result. */
import { request } from 'node:http';
import { setPriority } from 'node:os';

export interface ReaderJob {
  /** The absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReaderResult {
  readonly seconds: number;
  readonly bytes: number;
  readonly status: number;
  /** The trailer of a complete export, such as `rows=1000`. */
  readonly complete: string | undefined;
}

/** The niceness of this process. On a machine with few cores, it would otherwise delay the measured clients. */
const PRIORITY = 10;

process.on('message', (job: ReaderJob) => void read(job));
process.on('disconnect', () => process.exit());
// Ctrl-C sends SIGINT to the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);

async function read({ url, headers }: ReaderJob): Promise<void> {
  setPriority(PRIORITY);
  const began = performance.now();
  request(url, { headers }, (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      process.send?.({
        seconds: (performance.now() - began) / 1000,
        bytes,
        status: response.statusCode ?? 0,
        complete: response.trailers['portico-complete'],
      } satisfies ReaderResult);
    });
  }).end();
}
