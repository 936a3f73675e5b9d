/** Requests of commands to a server that may be temporarily unavailable. */
import { reasonOf } from '../core/failure.ts';

/** The server is temporarily unreachable or unavailable. */
export class ConnectionError extends Error {}

const TOO_MANY_REQUESTS = 429;

/** Sends a request. @throws ConnectionError for a failure that may be temporary. Every other response is returned. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new ConnectionError(reasonOfFetch(error));
  });
  if (response.status < 500 && response.status !== TOO_MANY_REQUESTS) return response;
  await response.body?.cancel();
  throw new ConnectionError(`${url} responded with ${response.status}.`);
}

/** Returns why a request failed: fetch has the connection's error in `cause`. */
export const reasonOfFetch = (error: unknown): string =>
  reasonOf(error instanceof Error ? (error.cause ?? error) : error);
