import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { reasonPhrase } from '../../core/reason-phrases.ts';
import { errorHeaders } from '../headers.ts';
import { errorBody } from '../hooks/errors.ts';
import { JSON_TYPE } from '../negotiation.ts';

const CODE_OF_NODE_CODE: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Error codes by the reason of Node's parser, which has one code for several faults. */
const CODE_OF_REASON: Readonly<Record<string, ErrorCode>> = {
  'Invalid HTTP version': 'http_version_not_supported',
  // A coding other than `chunked`, or one after it (RFC 9112, section 6.1).
  'Invalid `Transfer-Encoding` header value': 'not_implemented',
  'Request has invalid `Transfer-Encoding`': 'not_implemented',
};

/** An error of Node, with the reason of its parser. */
type ConnectionError = Error & {
  readonly code?: string;
  readonly reason?: string;
  /** The bytes that the parser received last. Fastify declares another type. */
  readonly rawPacket?: unknown;
};

/** The first line of a request (RFC 9112, section 3), with any method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/m;

/** Whether the bytes are a request with a method that is unknown to the parser (RFC 9110, section 9.1). */
const hasUnknownMethod = ({ code, rawPacket }: ConnectionError) =>
  code === 'HPE_INVALID_METHOD' &&
  Buffer.isBuffer(rawPacket) &&
  REQUEST_LINE.test(rawPacket.toString('latin1'));

/** Handles invalid requests: not HTTP, headers that are too large, headers that never arrived. */
export function respondToBadConnection(error: ConnectionError, socket: Socket): void {
  // A client that has disconnected, or has received part of a response, cannot get another one.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { code = '', reason = '' } = error;
  // Data after a request that closes the connection is ignored (RFC 9112, section 9.6): that request is being responded to.
  if (code === 'HPE_CLOSED_CONNECTION') return;
  const known = hasUnknownMethod(error)
    ? 'not_implemented'
    : (CODE_OF_REASON[reason] ?? CODE_OF_NODE_CODE[code]);
  writeError(socket, new ApiError(known ?? 'malformed_request'));
}

/** Refuses CONNECT, which is for proxies (RFC 9110, section 9.3.6). Node does not emit it as a request. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  handleErrors(socket);
  refuseDetached(socket, new ApiError('not_implemented'));
}

/** A listener of sockets. It is not a closure, which would keep the request of an upgrade in memory while the socket is open. */
function destroy(this: Duplex): void {
  this.destroy();
}

/** Handles the errors of a socket that Node has detached from HTTP. Unhandled, a client that resets its connection would end the process. */
export function handleErrors(socket: Duplex): void {
  socket.on('error', destroy);
}

/** Writes a response to a socket that Node has detached from HTTP, and closes it. */
export function refuseDetached(
  socket: Duplex,
  error: ApiError,
  headers?: Readonly<Record<string, string>>,
): void {
  // Node no longer applies timeouts, so a client could keep the socket open forever.
  socket.once('finish', destroy);
  writeError(socket, error, headers);
}

/** Writes a response to a socket without a request, and ends the socket. */
function writeError(socket: Duplex, error: ApiError, headers: Readonly<Record<string, string>> = {}): void {
  const body = JSON.stringify(errorBody(error));
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${reasonPhrase(error.status)}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ ...headers, ...errorHeaders(error) }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
