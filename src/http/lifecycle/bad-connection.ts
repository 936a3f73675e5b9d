import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { errorHeaders } from '../headers/errors.ts';
import { errorBody } from '../hooks/errors.ts';

const CODE_OF_NODE_CODE: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Handles invalid requests: not HTTP, headers too large, headers that never came. */
export function answerBadConnection(error: Error & { code?: string }, socket: Socket): void {
  // A client that has gone, or one that has part of a response already, cannot get another.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  writeError(socket, new ApiError(CODE_OF_NODE_CODE[error.code ?? ''] ?? 'malformed_request'));
}

/** Writes a response to a socket that has no request, and ends it. */
export function writeError(socket: Duplex, answer: ApiError): void {
  const body = JSON.stringify(errorBody(answer));
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(errorHeaders(answer)).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
