/** A client for server-sent events without a library, which keeps the received text unchanged. */
import { type IncomingMessage, request } from 'node:http';

export interface EventStreamClient {
  readonly answer: IncomingMessage;
  /** The text received so far. */
  readonly text: string;
  /** Whether the stream has ended or the connection was closed. */
  readonly ended: boolean;
  /** The last received `id`. */
  readonly lastId: string | undefined;
  stop(): void;
}

/**
 * Opens a stream. Resolves when the response headers have arrived.
 *
 * @param operation a GraphQL document, or a request body, to send with POST; without it, the request is a GET.
 */
export async function openEventStream(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  operation?: string | object,
): Promise<EventStreamClient> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const common = { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers };
  const body = JSON.stringify(typeof operation === 'string' ? { query: operation } : operation);
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
  // A broken connection also ends the stream.
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

/** Returns the blocks of a stream that contain an event. */
export function eventsIn(text: string): { readonly event: string; readonly data: string }[] {
  return text.split('\n\n').flatMap((block) => {
    const event = /^event: ?(.*)$/m.exec(block)?.[1];
    return event === undefined ? [] : [{ event, data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '' }];
  });
}
