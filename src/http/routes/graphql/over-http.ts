/** GraphQL over HTTP: the operation in a request, and the status and headers of the response to its outcome. */
import type { FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { earliest } from '../../../core/deprecation.ts';
import { ApiError, type ErrorCode, type ErrorDetail, malformed } from '../../../core/errors.ts';
import { ambiguitiesIn, isRecord } from '../../../core/json.ts';
import { toApiError } from '../../../graphql/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import { LACKS_PERMISSION } from '../../../pipeline/response.ts';
import type { Outcome } from '../../../pipeline/run.ts';
import { ILL_FORMED } from '../../../rest/handle/coercion.ts';
import type { OperationMessage } from '../../../subscriptions/operation-runner.ts';
import { deprecationHeaders, errorHeaders, POSITION, REPLAYED } from '../../headers.ts';
import { isSafeMethod, queryOf } from '../../hooks/message.ts';
import { weightOf } from '../../negotiation.ts';

/**
 * Reads the operation in a request (section 5.1): in the body of a POST, or in the query string of a GET or HEAD.
 * Single responses and streams read it here, and only here.
 *
 * @throws ApiError `malformed_request`; `validation_failed` for a number that parsing would change; `unsupported_media_type` for a GET that declares a body of another type than JSON.
 */
export function readMessage(request: FastifyRequest): OperationMessage {
  const isSafe = isSafeMethod(request.method);
  const parts = isSafe ? parametersIn(request) : request.body;
  if (!isRecord(parts)) throw malformed('Send one operation, as an object with its members.');
  const { query, documentId, operationName, variables, extensions } = parts;
  if (query != null && typeof query !== 'string') throw malformed('Send the document as text in "query".');
  if (operationName != null && typeof operationName !== 'string')
    throw malformed('"operationName" must be a string.');
  if (variables != null && !isRecord(variables)) throw malformed('"variables" must be an object.');
  if (extensions != null && !isRecord(extensions)) throw malformed('"extensions" must be an object.');
  return { isSafe, query, documentId, operationName, variables, extensions };
}

/** The query parameters of a GET (section 6.2). */
const PARAMETERS = ['query', 'documentId', 'operationName', 'variables', 'extensions'];

function parametersIn(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { headers, mediaType } = request;
  if (headers['content-type'] !== undefined && mediaType !== 'application/json')
    throw new ApiError('unsupported_media_type');
  const given = queryOf(request);
  for (const name of PARAMETERS) {
    if (Array.isArray(given[name])) throw malformed(`"${name}" must appear only once.`);
    if (given[name] === ILL_FORMED) throw malformed(`"${name}" must be percent-encoded UTF-8.`);
  }
  return {
    ...given,
    // An empty name counts as absent (section 6.2).
    operationName: given['operationName'] || undefined,
    variables: parsed(given['variables'], 'variables'),
    extensions: parsed(given['extensions'], 'extensions'),
  };
}

/** Parses a parameter. An empty one counts as absent. Its numbers are refused as those of a body. */
function parsed(text: unknown, name: string): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  const value = parsedJson(text, name);
  const { repeated, inexact } = ambiguitiesIn(text);
  const message = `"${name}" has duplicate members.`;
  if (repeated.length > 0)
    throw new ApiError('malformed_request', { message, details: repeated.map(within(name)) });
  if (inexact.length > 0) throw new ApiError('validation_failed', { details: inexact.map(within(name)) });
  return value;
}

function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(`"${name}" is not valid JSON.`, cause);
  }
}

/** Returns a function that adds the name of a parameter to the path of a detail, which is empty for the whole value. */
const within =
  (name: string) =>
  ({ path, message }: ErrorDetail): ErrorDetail => ({
    path: path === '' ? name : `${name}.${path}`,
    message,
  });

export interface ResponseHead {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the status and headers of the response (section 6.4).
 *
 * @param statusFor the status of a failure: {@link statusOf} with the header Accept of the request, by default its own one.
 */
export function headOf(
  { refusal, executed, operation, deprecations }: Outcome<unknown>,
  { basePath, replayed, written }: Pick<Context, 'basePath' | 'replayed' | 'written'>,
  statusFor = (failure: ApiError): number => failure.status,
): ResponseHead {
  const failure = refusal ?? laterOf(executed?.result);
  const status = failure ? statusFor(failure) : 200;
  return {
    status,
    headers: {
      ...(operation?.selectsSecret && { 'cache-control': 'no-store' }),
      ...(failure && status !== 200 && errorHeaders(failure)),
      ...(deprecations.length > 0 && deprecationHeaders(earliest(deprecations), basePath)),
      ...(replayed.length > 0 && { [REPLAYED]: 'true' }),
      ...(written !== undefined && { [POSITION]: written }),
    },
  };
}

/** Errors with status 200 for clients of the older media type, which interpret other statuses as a failure of the network. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set([
  'graphql_parse_failed',
  'graphql_validation_failed',
  'invalid_variables',
]);

/**
 * Returns the status of a request that was refused before it ran: that of its error, as at all other doors. GraphQL over HTTP has
 * an exception (section 6.4.1): clients that name `application/json` in Accept, and prefer it to the newer media type.
 */
export function statusOf({ code, status }: ApiError, accept: string | undefined): number {
  if (LACKS_PERMISSION.has(code)) return 200;
  if (!WITHIN_200.has(code)) return status;
  const isOlder =
    weightOf('application/json', accept) > weightOf('application/graphql-response+json', accept);
  return isOlder ? 200 : status;
}

/**
 * Returns the error that determines the status of an executed operation, which otherwise has status 200. Proxies and clients
 * understand that they must wait by 429, and by 503 if there is no data at all.
 */
function laterOf(result: ExecutionResult | undefined): ApiError | undefined {
  if (!result?.errors) return undefined;
  const isEmpty = Object.values(result.data ?? {}).every((value) => value === null);
  return result.errors
    .map((error) => toApiError(error))
    .find(({ code }) => code === 'rate_limited' || (code === 'timeout' && isEmpty));
}
