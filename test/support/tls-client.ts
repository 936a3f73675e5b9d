/** Sends requests over TLS, with or without a client certificate. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

export interface TlsRequest {
  readonly port: number;
  readonly path: string;
  readonly ca: string;
  readonly shown?: { readonly cert: string; readonly key: string } | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Keeps connections and TLS sessions; without it, each request opens a new connection. */
  readonly agent?: Agent;
}

export interface TlsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly isResumed: boolean;
}

/** Sends a request. @throws the error of the connection, such as a failed handshake. */
export async function openTls({ shown, body, agent, ...options }: TlsRequest): Promise<IncomingMessage> {
  const sent = request({
    host: '127.0.0.1',
    servername: 'localhost',
    ...options,
    ...shown,
    agent: agent ?? false,
  });
  sent.end(body);
  return (await once(sent, 'response'))[0];
}

/** Sends a request and reads the whole response. */
export async function sendTls(options: TlsRequest): Promise<TlsAnswer> {
  const response = await openTls(options);
  const { socket, statusCode: status = 0, headers } = response;
  const isResumed = socket instanceof TLSSocket && socket.isSessionReused();
  return { status, headers, text: await text(response), isResumed };
}
