/**
 * Sends one message to one receiver, over a connection of its own to an address that was looked at. Nothing is followed:
 * no redirect, and no proxy, since an agent uses the environment's proxy only on request.
 */
import type { LookupAddress } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { LIMITS } from '../core/limits.ts';
import type { AttemptError } from '../db/rows.ts';
import { TargetError, type Targets } from './targets.ts';

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a receiver did. */
export interface Outcome {
  /** Null when the message was accepted: the response's status is 2xx. */
  readonly error: AttemptError | null;
  readonly status: number | null;
  /** How the response began, null without one. */
  readonly answer: string | null;
  /** The header Retry-After. */
  readonly retryAfter: string | undefined;
}

/**
 * Rejects only with the reason of `signal`, when that aborts; whatever the receiver does is an outcome. It takes
 * {@link LIMITS.webhookTimeout} at most, and holds {@link LIMITS.webhookAnswerKept} of the response.
 */
export type Send = (message: Message, signal: AbortSignal) => Promise<Outcome>;

export interface SenderOptions {
  readonly targets: Targets;
  /** Milliseconds from looking up the name to the end of the response. */
  readonly timeout?: number;
  /** Certificates of authorities, in PEM, in place of those that Node trusts. */
  readonly ca?: string;
}

/** Codes of OpenSSL and Node for a connection on which the two sides could not agree whom they talk to. */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;

export function createSender({ targets, timeout = LIMITS.webhookTimeout, ca }: SenderOptions): Send {
  const agents = {
    'http:': new http.Agent({ keepAlive: false }),
    'https:': new https.Agent({ keepAlive: false, ...(ca !== undefined && { ca }) }),
  };

  return async (message, signal) => {
    const late = AbortSignal.timeout(timeout);
    const either = AbortSignal.any([signal, late]);
    try {
      const url = new URL(message.url);
      const addresses = await orAborted(targets.locate(url), either);
      const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
      const response = await post(url, message, { agent, lookup: pinnedTo(addresses), signal: either });
      return outcomeOf(response, await beginningOf(response));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return failure(late.aborted ? 'timeout' : reasonFor(error));
    }
  };
}

const failure = (error: AttemptError): Outcome => ({
  error,
  status: null,
  answer: null,
  retryAfter: undefined,
});

/** Rejects as soon as the signal aborts, for what cannot be ended itself. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  // Only now, so that whatever becomes of the work is heard by the race below.
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Without a second lookup, which might return another address. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  const [first] = addresses;
  return (_hostname, { all }, callback) => {
    if (!first) callback(new Error('A target has an address.'), '', 0);
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Resolves with the response headers, before the body. */
function post(
  url: URL,
  { headers, body }: Message,
  options: Pick<https.RequestOptions, 'agent' | 'lookup' | 'signal'>,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? https : http;
  const length = String(Buffer.byteLength(body));
  request(url, { ...options, method: 'POST', headers: { ...headers, 'content-length': length } })
    .on('response', resolve)
    .on('error', reject)
    // A receiver that switches protocols gives neither a response nor an error.
    .on('close', () => reject(new Error('The connection was closed without a response.')))
    .end(body);
  return promise;
}

/**
 * Reads the answer to its end, or until it is too much or too late, and keeps how it began. Its status has been said by
 * then, so whatever ends the rest of it changes nothing.
 */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    // Without an encoding set, a response gives buffers.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < LIMITS.webhookAnswerKept) kept.push(chunk);
      size += chunk.length;
      if (size >= LIMITS.webhookAnswerBytes) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  } finally {
    response.destroy();
  }
  const text = Buffer.concat(kept).subarray(0, LIMITS.webhookAnswerKept).toString();
  // PostgreSQL keeps no U+0000.
  return text.replaceAll('\0', '\uFFFD');
}

function outcomeOf(response: IncomingMessage, answer: string): Outcome {
  const status = response.statusCode ?? 0;
  const retryAfter = response.headers['retry-after'];
  return { error: errorOf(status), status, answer, retryAfter };
}

function errorOf(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function reasonFor(error: unknown): AttemptError {
  if (error instanceof TargetError) return error.reason;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return TLS_CODE.test(code) ? 'tls_failed' : 'connection_failed';
}
