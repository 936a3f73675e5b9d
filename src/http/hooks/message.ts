/** What a request message may be: its method, target, host and expectations. */
import type { IncomingMessage, Server } from 'node:http';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { ApiError, malformed } from '../../core/errors.ts';
import { ILL_FORMED } from '../../rest/handle/coercion.ts';

/** The methods that the server implements, besides OPTIONS. A path returns 405 for those that it lacks, and 501 for all others. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Whether a method is safe (RFC 9110, section 9.2.1), so that it only reads. OPTIONS, which is safe too, has routes of its own. */
export const isSafeMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns the path in the target of a request, without its query. */
export function pathIn(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Returns the query parameters of a request. Fastify's parser leaves a value that is not percent-encoded UTF-8 as it is: a search for it
 * would be one for another text, so it is replaced by {@link ILL_FORMED}.
 */
export function queryOf({ url, query }: FastifyRequest): Readonly<Record<string, unknown>> {
  // Strings, or lists of strings, by name.
  const given = query as Readonly<Record<string, unknown>>;
  const text = url.slice(pathIn(url).length + 1);
  if (isPercentEncoded(text)) return given;
  const illFormed = text.split('&').filter((pair) => !isPercentEncoded(pair));
  const names = illFormed.map((pair) => pair.replace(/=.*/s, '').replaceAll('+', ' '));
  // A name that is ill-formed itself is unknown.
  const known = names.filter(isPercentEncoded).map(decodeURIComponent);
  return { ...given, ...Object.fromEntries(known.map((name) => [name, ILL_FORMED])) };
}

function isPercentEncoded(text: string): boolean {
  try {
    if (text.includes('%')) decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const IMPLEMENTED: ReadonlySet<string> = new Set([...METHODS, 'OPTIONS']);

/** A host with or without a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). It may be empty. */
const HOST = /^(\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d*)?$/i;

/** The only expectation that HTTP defines. Node's parser fulfils it. A list may have empty members (RFC 9110, section 5.6.1). */
const EXPECTATIONS: ReadonlySet<string> = new Set(['100-continue', '']);

const isKnown = (expectations: string): boolean =>
  expectations.split(',').every((expectation) => EXPECTATIONS.has(expectation.trim().toLowerCase()));

/**
 * Refuses messages that Node's parser admits but HTTP/1.1 forbids (RFC 9112): without a Host or with several, in another version
 * of HTTP, with an unknown expectation, with a transfer coding other than `chunked`, or with the target `*` for another method than
 * OPTIONS; and methods that no path has (RFC 9110, section 9.1). What follows such a message on the connection is unreliable, so the
 * connection is closed.
 */
export const refuseInvalidMessage: onRequestHookHandler = (request, reply, done) => {
  const error = problemWith(request.raw);
  if (!error) return done();
  reply.header('connection', 'close');
  done(error);
};

/** Passes requests with an unknown expectation on. Node would refuse them with a response of its own. */
export function passExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Returns why a message is refused, or undefined. */
export function problemWith({
  headers,
  method = '',
  url,
  httpVersion,
  httpVersionMajor,
}: IncomingMessage): ApiError | undefined {
  const { host, 'transfer-encoding': coding, expect } = headers;
  if (!IMPLEMENTED.has(method))
    return new ApiError('not_implemented', { message: `This server does not implement ${method}.` });
  if (httpVersionMajor !== 1) return new ApiError('http_version_not_supported');
  if (url === '*' && method !== 'OPTIONS') return malformed('Only OPTIONS has the target *.');
  if (host === undefined && httpVersion !== '1.0') return malformed('The request has no Host header.');
  // Several headers are joined by a comma and a space, which no host contains.
  if (host !== undefined && !HOST.test(host))
    return malformed('Send one Host header, with a host and optionally a port.');
  // In HTTP/1.0 an expectation is ignored (RFC 9110, section 10.1.1).
  if (expect !== undefined && httpVersion !== '1.0' && !isKnown(expect)) {
    return new ApiError('expectation_failed');
  }
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.');
  if (coding.toLowerCase() === 'chunked') return undefined;
  return new ApiError('not_implemented', {
    message: 'Send the body without a transfer coding, or only with chunked.',
  });
}
