/** Requests of commands to a server that may be temporarily unavailable, and that the command need not trust. */
import { systemClock } from '../core/clock.ts';
import { reasonOf } from '../core/failure.ts';
import { MIB, MINUTE, SECOND } from '../core/limits.ts';
import { retryAfterOf } from '../core/retry-after.ts';
import { CommandError } from './terminal.ts';

/** The server is temporarily unreachable or unavailable. */
export class ConnectionError extends Error {
  /** The milliseconds that the server asked to wait. */
  readonly pause: number;

  constructor(message: string, pause = 0) {
    super(message);
    this.pause = pause;
  }
}

const TOO_MANY_REQUESTS = 429;

/** Maximum milliseconds that a server can make a command wait, which shows no progress meanwhile. */
const LONGEST_PAUSE = MINUTE;

/** Maximum bytes of a response that is not a stream. The responses to these requests have a few hundred. */
const LONGEST_RESPONSE = MIB;

/** Returns a signal for a request whose response is not a stream. */
export const untilLate = (): AbortSignal => AbortSignal.timeout(30 * SECOND);

/**
 * Sends a request.
 *
 * @throws ConnectionError for a failure that may be temporary; CommandError for a redirect, which might lead the credentials elsewhere. Every
 *   other response is returned.
 */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
    throw new ConnectionError(`${new URL(url).origin} is not reachable: ${reasonOfFetch(error)}`);
  });
  const { status, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  if (!isRedirect && status < 500 && status !== TOO_MANY_REQUESTS) return response;
  await response.body?.cancel();
  if (isRedirect)
    throw new CommandError(`${url} redirects to ${headers.get('location')}. Pass the URL of the server.`);
  const pause = retryAfterOf(headers.get('retry-after') ?? undefined, systemClock());
  throw new ConnectionError(`${url} responded with ${status}.`, Math.min(pause, LONGEST_PAUSE));
}

/** Reads a response that is not a stream. @throws ConnectionError if it is incomplete, CommandError if it is too long. */
export async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // The stream of a response has bytes.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LONGEST_RESPONSE) break;
    }
  } catch (error) {
    throw new ConnectionError(reasonOfFetch(error));
  }
  if (size > LONGEST_RESPONSE)
    throw new CommandError(`${response.url} sent more than ${LONGEST_RESPONSE} bytes.`);
  return Buffer.concat(chunks).toString();
}

/** Reads JSON. @throws ConnectionError and CommandError, like {@link textOf}; CommandError for anything else than JSON. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await textOf(response);
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${response.url} sent no JSON: there may be another server at this URL.`);
  }
}

/** Returns why a request failed: fetch has the connection's error in `cause`. */
export const reasonOfFetch = (error: unknown): string =>
  reasonOf(error instanceof Error ? (error.cause ?? error) : error);
