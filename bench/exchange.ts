/** Sends one HTTP request over the connections of an agent. For load generators that time many requests. */
import { type Agent, type IncomingMessage, request } from 'node:http';

export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** The absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A request waits if the agent has no free connection. */
  readonly agent: Agent;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

export interface Outcome {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Sends a request, reads the whole response and discards its body.
 *
 * @throws Error if the connection breaks or the signal aborts.
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
