/** Server-sent events without a library: what came, as it came. */
import { type IncomingMessage, request } from 'node:http';

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

/**
 * Asks for a stream, and gives it when its head has come.
 *
 * @param asked a document of GraphQL, or what stands for one, to be sent with POST.
 */
export async function openEventStream(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  asked?: string | object,
): Promise<EventStreamClient> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const common = { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers };
  const body = JSON.stringify(typeof asked === 'string' ? { query: asked } : asked);
  const sent = { ...common, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const method = body === undefined ? 'GET' : 'POST';
  request(url, { method, agent: false, headers: sent }, resolve).on('error', reject).end(body);
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

/** The blocks of a stream that have an event. */
export function eventsIn(text: string): { readonly event: string; readonly data: string }[] {
  return text.split('\n\n').flatMap((block) => {
    const event = /^event: ?(.*)$/m.exec(block)?.[1];
    return event === undefined ? [] : [{ event, data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '' }];
  });
}
