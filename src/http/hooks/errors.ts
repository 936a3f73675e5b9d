import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode, malformed } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';
import { reasonPhrase } from '../../core/reason-phrases.ts';
import { formatError } from '../../graphql/errors.ts';
import { acceptPatch, errorHeaders } from '../headers.ts';
import { graphqlTypeFor, JSON_TYPE, weightOf } from '../negotiation.ts';
import { endsAsStream, sendRefusedStream } from '../streams/event-stream.ts';
import { pathIn } from './message.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error format of a route; REST by default. */
    readonly errorFormat?: 'graphql' | 'json-rpc';
  }
}

/** Error codes by Fastify's codes, for requests that Fastify itself refuses. */
const CODE_OF_FASTIFY_CODE: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
};

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_request',
  404: 'route_not_found',
  // A path variable longer than any id or name matches nothing.
  414: 'route_not_found',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  503: 'unavailable',
};

/** Sends an error in the format of its route. Unexpected errors are logged, and sent as `internal_error`. */
export function sendError(thrown: FastifyError | Error, reply: FastifyReply): FastifyReply {
  const { request } = reply;
  const error = clientErrorOf(thrown, request);
  if (endsAsStream(error, request)) return sendRefusedStream(error, reply);
  reply.code(error.status).headers(errorHeaders(error));
  if (error.code === 'unsupported_media_type' && request.method === 'PATCH') reply.headers(acceptPatch);
  const { errorFormat } = request.routeOptions.config;
  if (errorFormat === 'graphql')
    return reply
      .type(graphqlTypeFor(request.headers.accept) ?? JSON_TYPE)
      .serializer(JSON.stringify)
      .send({ errors: [formatError(error)] });
  if (errorFormat === 'json-rpc') return reply.type(JSON_TYPE).send(jsonRpcError(error, request.body));
  const body = errorBody(error);
  if (!wantsProblem(request.headers.accept)) return reply.send(body);
  return reply
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      // RFC 9457, section 4.2.1: the status is the kind of problem; `error.code` is more precise.
      type: 'about:blank',
      title: reasonPhrase(error.status),
      status: error.status,
      detail: error.message,
      ...body,
    });
}

/** Converts anything that was thrown by a request to an error for its client. An unexpected one is logged. */
export function clientErrorOf(thrown: unknown, request: FastifyRequest): ApiError {
  const error = toHttpError(thrown);
  if (error.code === 'internal_error')
    request.log.error({ reqId: request.id, err: error.cause }, 'request failed');
  return error;
}

/** Throws the error of a request without a route. */
export function refuseUnknownRoute({ method, url }: FastifyRequest): never {
  throw new ApiError('route_not_found', { message: `There is no route ${method} ${pathIn(url)}.` });
}

/** Whether to send a problem. A client that accepts both types wants one for results and the other for errors. */
function wantsProblem(accept: string | undefined): boolean {
  const weight = weightOf('application/problem+json', accept);
  return weight > 0 && weight >= weightOf('application/json', accept);
}

/** Returns the body of an error outside GraphQL (spec: Errors). */
export function errorBody({ code, message, details, oldestCursor }: ApiError) {
  const oldest = oldestCursor !== undefined && { oldest_cursor: oldestCursor };
  return { error: { code, message, ...(details && { details }), ...oldest } };
}

/** The codes of JSON-RPC 2.0 (section 5.1) for those of the catalogue. All others are errors of the server's own. */
const JSON_RPC_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_json: -32700,
  malformed_request: -32600,
  internal_error: -32603,
};

/** Returns an error as a JSON-RPC message. @param body the request, whose id the response has if it could be read. */
function jsonRpcError(error: ApiError, body: unknown): object {
  const { error: data } = errorBody(error);
  const id = isRecord(body) ? body['id'] : null;
  return {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code: JSON_RPC_CODES[error.code] ?? -32000, message: error.message, data },
  };
}

/** Converts anything that was thrown to an error for clients. An unexpected one becomes `internal_error`, with itself as its cause. */
export function toHttpError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Error && 'statusCode' in thrown) {
    if (thrown instanceof SyntaxError && thrown.statusCode === 400)
      return new ApiError('invalid_json', { cause: thrown });
    // Fastify and its plugins throw such errors.
    const { code: given, statusCode = 500 } = thrown as FastifyError;
    if (given === 'FST_ERR_BAD_URL') return malformed('The path is not percent-encoded UTF-8.', thrown);
    const code = CODE_OF_FASTIFY_CODE[given] ?? CODE_OF_STATUS[statusCode];
    if (code) return new ApiError(code, { cause: thrown });
  }
  return new ApiError('internal_error', { cause: thrown });
}
