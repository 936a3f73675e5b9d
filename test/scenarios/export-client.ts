/** A client for exports that reads at the pace of the test, and detects truncated responses. */
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

interface ReadExport {
  /** The text received so far. */
  readonly text: string;
  /** Whether the response is complete: HTTP's last chunk has arrived. */
  readonly isWhole: boolean;
  readonly trailers: NodeJS.Dict<string>;
}

export interface ExportClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when more data arrives. */
  some(): Promise<void>;
  /** Stops reading. */
  pause(): void;
  /** Reads until the end, or until the connection is closed. */
  rest(): Promise<ReadExport>;
  /** Closes the connection. */
  leave(): void;
}

/** Requests an export, without reading its body. */
export async function openExport(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ExportClient> {
  const agent = new Agent({ keepAlive: false });
  const outgoing = request(url, { agent, headers });
  // A broken connection is reported where the response is read.
  outgoing.on('error', () => undefined);
  outgoing.end();
  // The argument of the event.
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
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
