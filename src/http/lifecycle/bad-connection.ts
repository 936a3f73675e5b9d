import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { reasonPhrase } from '../../core/reason-phrases.ts';
import { errorHeaders } from '../headers.ts';
import { errorBody } from '../hooks/errors.ts';
import { JSON_TYPE } from '../negotiation.ts';
import { incompleteRequestOn, responseOn } from './connections.ts';

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

/** Headers of a response, by name. */
type Headers = Readonly<Record<string, string>>;

/** An error of Node, with the reason of its parser. */
type ConnectionError = Error & {
  readonly code?: string;
  readonly reason?: string;
  /** The bytes that the parser received last, which may begin with earlier requests. Fastify declares another type. */
  readonly rawPacket?: unknown;
  /** Where in these bytes the error is. */
  readonly bytesParsed?: number;
};

/** The first line of a request (RFC 9112, section 3), with any method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** The part of a method before its first character that is unknown to the parser. It may follow the body of an earlier request. */
const KNOWN_PART = /[A-Z-]{0,16}$/;

/** Whether the bytes are a request with a method that is unknown to the parser (RFC 9110, section 9.1). */
function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ConnectionError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return false;
  const before = rawPacket.toString('latin1', Math.max(0, bytesParsed - 16), bytesParsed);
  const start = bytesParsed - (KNOWN_PART.exec(before)?.[0].length ?? 0);
  return REQUEST_LINE.test(rawPacket.toString('latin1', start));
}

/** Connections with an invalid request. Node reports its error again with everything that the client sends after it. */
const refused = new WeakSet<Socket>();

/**
 * Handles invalid requests: not HTTP, headers that are too large, headers that never arrived. They get a response on a connection that was
 * used before, too: for a proxy, a connection that closes without one is a failure of the server, which it then avoids for all clients.
 *
 * @param headers the headers of all responses: without them, caches may store a response for all clients of its URL.
 */
export const respondToBadConnections = (headers: Headers) => (error: ConnectionError, socket: Socket) => {
  if (refused.has(socket)) return;
  // A client that has disconnected cannot get a response.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code = '', reason = '' } = error;
  // Data after a request that closes the connection is ignored (RFC 9112, section 9.6): that request is being responded to.
  if (code === 'HPE_CLOSED_CONNECTION') return;
  const incomplete = incompleteRequestOn(socket);
  const response = responseOn(socket);
  const isOfRequest = response?.req === incomplete;
  // The invalid request has its response, or a part of it, and cannot get another one.
  if (incomplete && (!isOfRequest || response?.headersSent)) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const known = hasUnknownMethod(error)
    ? 'not_implemented'
    : (CODE_OF_REASON[reason] ?? CODE_OF_NODE_CODE[code]);
  const refuse = () => writeError(socket, new ApiError(known ?? 'malformed_request'), headers);
  // Responses are sent in the order of the requests (RFC 9112, section 9.3.2).
  if (!response || (incomplete && response.socket)) refuse();
  else response.once(incomplete ? 'socket' : 'close', refuse);
};

/**
 * Refuses CONNECT, which is for proxies (RFC 9110, section 9.3.6), after earlier requests. Node does not emit it as a request.
 *
 * @param headers the headers of all responses.
 */
export const refuseTunnels = (headers: Headers) => (_request: unknown, socket: Duplex) => {
  handleErrors(socket);
  const refuse = () => refuseDetached(socket, new ApiError('not_implemented'), headers);
  const response = responseOn(socket);
  if (response) response.once('close', refuse);
  else refuse();
};

/** A listener of sockets. It is not a closure, which would keep the request of an upgrade in memory while the socket is open. */
function destroy(this: Duplex): void {
  this.destroy();
}

/** Handles the errors of a socket that Node has detached from HTTP. Unhandled, a client that resets its connection would end the process. */
export function handleErrors(socket: Duplex): void {
  socket.on('error', destroy);
}

/** Writes a response to a socket that Node has detached from HTTP, and closes it. Node no longer applies timeouts to it. */
export function refuseDetached(socket: Duplex, error: ApiError, headers: Headers): void {
  socket.resume();
  writeError(socket, error, headers);
}

/**
 * Writes a response to a socket without a request, and ends the socket. What its client still sends is read for a short time: the system
 * would reset a connection that closes with unread data, and the client could lose the response.
 */
function writeError(socket: Duplex, error: ApiError, headers: Headers): void {
  // The client may have disconnected while its earlier requests were responded to.
  if (!socket.writable) return;
  const lingering = setTimeout(() => socket.destroy(), LIMITS.lingerTime).unref();
  socket.once('close', () => clearTimeout(lingering));
  const body = JSON.stringify(errorBody(error));
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${reasonPhrase(error.status)}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ ...headers, ...errorHeaders(error) }).map(([name, value]) => `${name}: ${value}`),
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
