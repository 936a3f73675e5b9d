/**
 * Sends one message to one receiver, over a new connection to an address that was checked. Redirects are not followed, and no
 * proxy is used, since an agent uses the environment's proxy only on request.
 */
import type { LookupAddress } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { ownCodeOf } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { unlessAborted } from '../core/promises.ts';
import { signMessage } from '../core/signatures.ts';
import type { AttemptToMake } from '../db/queries/webhook-attempts.ts';
import type { AttemptError, EventRow } from '../db/rows.ts';
import { TargetError, type Targets } from './targets.ts';

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the signed message of an attempt. */
export function messageOf(
  { url, messageId }: AttemptToMake,
  event: EventRow,
  secrets: readonly string[],
  now: Date,
): Message {
  const body = bodyOf(event);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Portico-Webhooks/1',
    ...signMessage(secrets, messageId, now, body),
  };
  return { url, headers, body };
}

/**
 * Returns the body of a message in the format of Standard Webhooks; `data` is the same item as in the feed. It depends on the
 * event alone, which never changes, so that every attempt sends the same body.
 */
function bodyOf({ id, type, actorId, subjectType, subjectId, data, createdAt }: EventRow): string {
  const timestamp = createdAt.toISOString();
  return JSON.stringify({
    type,
    timestamp,
    data: {
      id,
      type,
      actor_id: actorId,
      subject: { type: subjectType, id: subjectId },
      data,
      created_at: timestamp,
    },
  });
}

/** The result of sending a message. */
export interface Outcome {
  /** Null when the message was accepted: the response's status is 2xx. */
  readonly error: AttemptError | null;
  readonly status: number | null;
  /** The beginning of the response body, null without a response. */
  readonly answer: string | null;
  readonly retryAfter: string | undefined;
}

/**
 * Sends a message. It rejects only if `signal` aborts, with its reason; anything that the receiver does is an outcome. It
 * takes at most {@link LIMITS.webhookTimeout}, and keeps at most {@link LIMITS.webhookAnswerKept} bytes of the response.
 */
export type Send = (message: Message, signal: AbortSignal) => Promise<Outcome>;

export interface SenderOptions {
  readonly targets: Targets;
  /** Milliseconds from resolving the name to the end of the response. */
  readonly timeout?: number;
  /** CA certificates in PEM, instead of those that Node trusts. */
  readonly ca?: string;
}

/** Error codes of OpenSSL and Node for a failed TLS handshake or certificate check. */
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
      const addresses = await unlessAborted(targets.locate(url), either);
      const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
      const response = await post(url, message, { agent, lookup: pinnedTo(addresses), signal: either });
      const { statusCode: status = 0, headers } = response;
      const answer = await beginningOf(response);
      return { error: errorOf(status), status, answer, retryAfter: headers['retry-after'] };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return failure(late.aborted ? 'timeout' : reasonFor(error));
    }
  };
}

/** The outcome of an attempt without a response. */
export const failure = (error: AttemptError): Outcome => ({
  error,
  status: null,
  answer: null,
  retryAfter: undefined,
});

/** Returns a lookup that always yields these addresses: a second query might return another one. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  const [first] = addresses;
  return (_hostname, { all }, callback) => {
    if (!first) callback(new Error('A target has an address.'), '', 0);
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Sends the request, and resolves when the response headers are there, before the body. */
function post(
  url: URL,
  { headers, body }: Message,
  options: Pick<https.RequestOptions, 'agent' | 'lookup' | 'signal'>,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? https : http;
  const length = String(Buffer.byteLength(body));
  let interim = 0;
  const sent = request(url, {
    ...options,
    method: 'POST',
    headers: { ...headers, 'content-length': length },
  });
  sent
    .on('information', () => {
      interim += 1;
      if (interim > LIMITS.webhookInterimResponses)
        sent.destroy(new Error('There is no end of interim responses.'));
    })
    .on('response', resolve)
    .on('error', reject)
    // A receiver that switches protocols gives neither a response nor an error.
    .on('close', () => reject(new Error('The connection was closed without a response.')))
    .end(body);
  return promise;
}

/**
 * Reads the response body until it ends, exceeds its limit or times out, and returns its beginning. The status is known by
 * then, so an error while reading does not change the outcome.
 */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    // A response without an encoding yields buffers.
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
  // PostgreSQL cannot store U+0000.
  return text.replaceAll('\0', '\uFFFD');
}

function errorOf(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function reasonFor(error: unknown): AttemptError {
  if (error instanceof TargetError) return error.reason;
  return TLS_CODE.test(ownCodeOf(error)) ? 'tls_failed' : 'connection_failed';
}
