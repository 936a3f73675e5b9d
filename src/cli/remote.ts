/** Requests of commands to a server that may be away for a while. */

/** The server cannot be reached now, or answers that it cannot do it now. */
export class ConnectionError extends Error {}

const TOO_MANY_REQUESTS = 429;

/** @throws ConnectionError for what may be otherwise a moment later. Every other response is given. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new ConnectionError(reasonOf(error));
  });
  if (response.status < 500 && response.status !== TOO_MANY_REQUESTS) return response;
  await response.body?.cancel();
  throw new ConnectionError(`${url} answers with ${response.status}.`);
}

/** fetch has what happened to the connection in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
