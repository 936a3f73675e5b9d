/** A client of exports that reads as slowly as a test wants, and sees whether it was cut off. */
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface ReadExport {
  /** What has arrived so far. */
  readonly text: string;
  /** Whether the response ended as HTTP ends one: with its last chunk. */
  readonly isWhole: boolean;
  readonly trailers: NodeJS.Dict<string>;
}

export interface ExportClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when something arrives. */
  some(): Promise<void>;
  /** Stops reading. */
  pause(): void;
  /** Reads on to the end, or to where the connection is closed. */
  rest(): Promise<ReadExport>;
  /** Goes away. */
  leave(): void;
}

/** Asks for an export, and reads nothing of its body yet. */
export async function openExport(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ExportClient> {
  const agent = new Agent({ keepAlive: false });
  const asked = request(url, { agent, headers });
  // A connection that is cut reports itself where it is read.
  asked.on('error', () => undefined);
  asked.end();
  // What the event carries.
  const [message] = (await once(asked, 'response')) as [IncomingMessage];
  message.on('error', () => undefined);
  message.setEncoding('utf8');
  let text = '';
  let isRead = false;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  message.once('close', resolve);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    async some() {
      read();
      await once(message, 'data');
    },
    pause: () => void message.pause(),
    async rest() {
      read();
      await closed;
      return { text, isWhole: message.complete, trailers: message.trailers };
    },
    leave: () => void message.destroy(),
  };

  function read(): void {
    if (!isRead) {
      message.on('data', (chunk: string) => {
        text += chunk;
      });
    }
    isRead = true;
    message.resume();
  }
}
