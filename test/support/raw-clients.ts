/**
 * Clients for HTTP, server-sent events and WebSockets without a library of the protocol. They can send anything, also what is invalid, and
 * keep the received text unchanged.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import WebSocket from 'ws';
import type { TestApp } from './app.ts';
import type { Person, Sender } from './client.ts';
import { waitUntil } from './process.ts';

interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Sends raw lines, which may be invalid HTTP, and reads the response until the server closes the connection. */
export function exchange(port: number, lines: readonly string[], body = ''): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(received)));
  });
}

function parse(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, text: rest.join('\r\n\r\n') };
}

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

export type Message = Readonly<Record<string, unknown>>;

/** A client for graphql-transport-ws, with the received messages and the close code. */
export class SocketClient {
  readonly messages: Message[] = [];
  readonly socket: WebSocket;
  closed: { code: number; reason: string } | undefined;

  constructor(
    port: number,
    protocols: string[] = ['graphql-transport-ws'],
    headers: Record<string, string> = {},
  ) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, protocols, { headers });
    this.socket.on('message', (data) => this.messages.push(JSON.parse(String(data))));
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async open(payload?: Message): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    this.send({ type: 'connection_init', ...(payload && { payload }) });
    await this.got(({ type }) => type === 'connection_ack');
    return this;
  }

  async got(wanted: (message: Message) => boolean): Promise<Message> {
    await waitUntil(() => this.messages.some(wanted) || this.closed !== undefined, 'a message');
    const found = this.messages.find(wanted);
    if (!found) throw new Error(`Closed with ${this.closed?.code} ${this.closed?.reason}`);
    return found;
  }

  async end(): Promise<number> {
    await waitUntil(() => this.closed !== undefined, 'the socket to be closed');
    return this.closed?.code ?? 0;
  }
}

/** Opens a socket for a person, who signs in first: a socket must be initialised in time. */
export async function openSocketAs(app: TestApp, person: Person): Promise<SocketClient> {
  const { token } = await app.signIn(person);
  return new SocketClient(app.port).open({ accessToken: token });
}

/** The message that starts an operation. */
export const subscribe = (id: string, query: string, variables?: Message) => ({
  id,
  type: 'subscribe',
  payload: { query, ...(variables && { variables }) },
});

/**
 * Returns the cursor of the end of the log. A subscription after it gets every event that happens from now on: without a cursor, it starts
 * at a time that its client does not know, since messages of one socket are processed concurrently.
 */
export async function endOfLog(app: TestApp, as: Sender): Promise<string> {
  type Read = { readonly feed: { readonly streamCursor: string } };
  const { body } = await app.graphql<Read>('{ feed(first: 1) { streamCursor } }', {}, { as });
  if (!body.data) throw new Error('The end of the log cannot be read.');
  return body.data.feed.streamCursor;
}
