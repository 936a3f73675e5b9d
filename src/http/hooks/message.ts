import type { IncomingMessage, Server } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { ApiError, malformed } from '../../core/errors.ts';
import { METHODS } from '../routes/methods.ts';

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
