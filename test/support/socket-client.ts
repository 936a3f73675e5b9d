/** A client for graphql-transport-ws without a library, which sends arbitrary messages and keeps the received ones. */
import { once } from 'node:events';
import WebSocket from 'ws';
import type { TestApp } from './app.ts';
import type { Sender } from './client.ts';
import { waitUntil } from './process.ts';

export type Message = Readonly<Record<string, unknown>>;

/** A socket with its received messages and its close code. */
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
    if (this.socket.readyState !== WebSocket.OPEN) await once(this.socket, 'open');
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
