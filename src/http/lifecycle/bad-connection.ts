import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { reasonPhrase } from '../../core/reason-phrases.ts';
import { errorHeaders } from '../headers/errors.ts';
import { errorBody } from '../hooks/errors.ts';

const CODE_OF_NODE_CODE: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Node's parser has one code for several faults, and says in words which it is. */
const CODE_OF_REASON: Readonly<Record<string, ErrorCode>> = {
  'Invalid HTTP version': 'http_version_not_supported',
  // A coding that is not `chunked`, or comes after it (RFC 9112, section 6.1).
  'Invalid `Transfer-Encoding` header value': 'not_implemented',
  'Request has invalid `Transfer-Encoding`': 'not_implemented',
};

/** What Node reports, with the words of its parser. */
type ConnectionError = Error & {
  readonly code?: string;
  readonly reason?: string;
  /** The bytes that the parser had last. Fastify has another type for it. */
  readonly rawPacket?: unknown;
};

/** The first line of a request (RFC 9112, section 3), whatever its method is. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/m;

/** Whether what came is a request with a method that the parser does not know (RFC 9110, section 9.1). */
const hasUnknownMethod = ({ code, rawPacket }: ConnectionError) =>
  code === 'HPE_INVALID_METHOD' &&
  Buffer.isBuffer(rawPacket) &&
  REQUEST_LINE.test(rawPacket.toString('latin1'));

/** Handles invalid requests: not HTTP, headers too large, headers that never came. */
export function answerBadConnection(error: ConnectionError, socket: Socket): void {
  // A client that has gone, or one that has part of a response already, cannot get another.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { code = '', reason = '' } = error;
  // What comes after a request that ends the connection is ignored (RFC 9112, section 9.6). The response to that request is under way.
  if (code === 'HPE_CLOSED_CONNECTION') return;
  const known = hasUnknownMethod(error)
    ? 'not_implemented'
    : (CODE_OF_REASON[reason] ?? CODE_OF_NODE_CODE[code]);
  writeError(socket, new ApiError(known ?? 'malformed_request'));
}

/** Refuses CONNECT, which is for proxies (RFC 9110, section 9.3.6). Node has it as no request. */
export const refuseTunnel = (_request: unknown, socket: Duplex): void =>
  writeError(socket, new ApiError('not_implemented'));

/** Writes a response to a socket that has no request, and ends it. */
export function writeError(
  socket: Duplex,
  answer: ApiError,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(errorBody(answer));
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${reasonPhrase(answer.status)}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ ...headers, ...errorHeaders(answer) }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
