/** Requests of commands to a server that may be temporarily unavailable. */

/** The server is temporarily unreachable or unavailable. */
export class ConnectionError extends Error {}

const TOO_MANY_REQUESTS = 429;

/** Sends a request. @throws ConnectionError for a failure that may be temporary. Every other response is returned. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new ConnectionError(reasonOf(error));
  });
  if (response.status < 500 && response.status !== TOO_MANY_REQUESTS) return response;
  await response.body?.cancel();
  throw new ConnectionError(`${url} responded with ${response.status}.`);
}

/** Returns the reason of an error: fetch has the connection's error in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
