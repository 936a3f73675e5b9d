/** One request and its response, over the connections of an agent. For load generators, which time many of them. */
import { type Agent, type IncomingMessage, request } from 'node:http';

export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** The whole address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** One that finds no free connection waits for one. */
  readonly agent: Agent;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

export interface Outcome {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Sends a request and reads its response to the end, without keeping it.
 *
 * @throws Error when the connection breaks, or the signal comes first.
 */
export function exchange({ method, url, headers, body, agent, signal }: Exchange): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request(url, { method, headers: { ...headers, ...length }, agent, signal });
  outgoing.on('error', reject);
  outgoing.on('response', (response: IncomingMessage) => {
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }),
    );
    response.resume();
  });
  outgoing.end(body);
  return promise;
}
