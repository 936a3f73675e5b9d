/** Server-sent events without a library: what came, as it came. */
import { get, type IncomingMessage } from 'node:http';

export interface EventStreamClient {
  readonly answer: IncomingMessage;
  /** Everything that has come so far. */
  readonly text: string;
  /** Whether the server has ended the stream, or the connection is gone. */
  readonly ended: boolean;
  /** The last `id` that has come. */
  readonly lastId: string | undefined;
  stop(): void;
}

/** Asks for a stream, and gives it when its head has come. */
export async function openEventStream(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStreamClient> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers };
  get(url, { agent: false, headers: asked }, resolve).on('error', reject);
  const answer = await promise;
  let text = '';
  let ended = false;
  const end = () => {
    ended = true;
  };
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  // A connection that breaks is an end as well.
  answer.on('error', end).on('end', end).on('close', end);
  return {
    answer,
    get text() {
      return text;
    },
    get ended() {
      return ended;
    },
    get lastId() {
      return [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1];
    },
    stop: () => void answer.destroy(),
  };
}
