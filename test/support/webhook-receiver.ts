/** A server that receives webhooks, on a separate port. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { waitUntil } from './process.ts';

/** A received message. */
export interface Received {
  readonly id: string;
  /** The timestamp in the header, in seconds since the epoch. */
  readonly timestamp: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body, whose signature can be verified. */
  readonly body: string;
  readonly path: string;
}

/** Responds to a message. @param index the number of the message, from 0. Without a response, the sender waits. */
type Answering = (response: ServerResponse, index: number, request: IncomingMessage) => void;

interface Receiver {
  readonly port: number;
  readonly url: string;
  /** The messages received so far, in order. */
  readonly received: readonly Received[];
  /** Sets how later messages are answered. The index of messages starts at 0 again. */
  answer(answering: Answering): void;
  /** Resolves when this number of messages has been received since the start. */
  until(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export const answerWith =
  (...statuses: number[]): Answering =>
  (response, index) => {
    response.writeHead(statuses[Math.min(index, statuses.length - 1)] ?? 204).end();
  };

export async function openReceiver(
  answering: Answering = answerWith(204),
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const received: Received[] = [];
  let answer = answering;
  let index = 0;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        received.push(messageOf(request, Buffer.concat(chunks).toString()));
        answer(response, index, request);
        index += 1;
      });
  };
  const server: Server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    received,
    answer(next) {
      answer = next;
      index = 0;
    },
    async until(count) {
      await waitUntil(() => received.length >= count, `${count} messages; there are ${received.length}`);
      return received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns a function that opens receivers, which are closed after the suite. */
export function manageReceivers(): typeof openReceiver {
  const opened: Receiver[] = [];
  afterAll(async () => {
    for (const receiver of opened) await receiver.close();
  });
  return async (...args) => {
    const receiver = await openReceiver(...args);
    opened.push(receiver);
    return receiver;
  };
}

function messageOf({ headers, url = '' }: IncomingMessage, body: string): Received {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return {
    id: flat['webhook-id'] ?? '',
    timestamp: Number(flat['webhook-timestamp']),
    headers: flat,
    body,
    path: url,
  };
}
