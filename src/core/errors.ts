/**
 * The catalogue of errors: each has a stable code, an HTTP status and a default message.
 *
 * Clients branch on the code and people read the message, so a code never changes its meaning; a new condition gets a new code.
 * REST returns the code in `error.code`, GraphQL in `extensions.code`.
 */

import { LIMITS } from './limits.ts';

interface CatalogueEntry {
  /** HTTP status of a REST response, and of a GraphQL response without data (RFC 9110, section 15). */
  readonly status: number;
  /** The message if the code that throws the error gives none. */
  readonly message: string;
  /** True when the same request may succeed later without being changed. */
  readonly retryable: boolean;
}

const entry = (status: number, message: string, retryable = false): CatalogueEntry => ({
  status,
  message,
  retryable,
});

export const CATALOGUE = {
  invalid_json: entry(400, 'The request body is not valid JSON.'),
  malformed_request: entry(400, 'The request could not be read.'),
  invalid_parameter: entry(400, 'A parameter has a value that is not allowed.'),
  unknown_parameter: entry(400, 'The request has a query parameter that this route does not support.'),
  invalid_cursor: entry(
    400,
    'The cursor was not issued for this list with these filters and this sort order. Start again without one.',
  ),
  page_too_deep: entry(
    400,
    `A page can start after at most ${LIMITS.pageDepth} rows. Filter the list, reverse its sort order to read it from the other end, or read the cursor list: GET /v1/orders?user_id= (organisationOrders in GraphQL).`,
  ),
  graphql_parse_failed: entry(400, 'The GraphQL document could not be parsed.'),
  graphql_validation_failed: entry(400, 'The GraphQL document does not match the schema.'),
  operation_not_found: entry(
    400,
    'The document does not contain the named operation, or contains several and none was named.',
  ),
  invalid_variables: entry(400, 'The variables do not match the operation.'),
  query_too_large: entry(400, 'The GraphQL document is larger than this server accepts.'),
  query_too_deep: entry(400, 'The GraphQL document is nested more deeply than this server accepts.'),
  too_many_aliases: entry(400, 'The operation has more aliases than this server accepts.'),
  too_many_root_fields: entry(400, 'The operation has more root fields than this server accepts.'),
  too_many_directives: entry(400, 'The GraphQL document has more directives than this server accepts.'),
  cost_exceeded: entry(400, 'The operation costs more points than this server allows for one operation.'),
  response_too_large: entry(
    400,
    'The response would exceed the maximum size. Request less data at once. Changes made by a mutation remain in effect.',
  ),
  field_repeated: entry(400, 'The document repeats a field that may be used only once.'),
  invalid_idempotency_key: entry(
    400,
    'An idempotency key must be 1 to 255 visible ASCII characters, sent once.',
  ),
  idempotency_key_required: entry(
    400,
    'An idempotency key is required. Generate one for each operation, and send the same key with each retry.',
  ),
  document_not_trusted: entry(
    400,
    'This server accepts only the documents that its clients were built with.',
  ),
  persisted_query_not_found: entry(400, 'No document is stored for this hash.'),

  unauthenticated: entry(401, 'Sign in first: send "Authorization: Bearer <access token>".'),
  invalid_token: entry(
    401,
    'The access token is malformed, was not issued by this server, or has been revoked.',
  ),
  token_expired: entry(401, 'The access token has expired.'),
  invalid_credentials: entry(401, 'The email address or the password is wrong.'),
  invalid_signature: entry(401, 'The signature of the message is missing, invalid or too old.'),

  forbidden: entry(403, 'You are not permitted to do this.'),
  insufficient_scope: entry(403, 'The credentials lack the required scope.'),
  insufficient_role: entry(403, 'Your role does not permit this.'),

  not_found: entry(404, 'The resource does not exist.'),
  route_not_found: entry(404, 'The route does not exist.'),
  method_not_allowed: entry(405, 'This route does not support this method.'),

  not_acceptable: entry(406, 'The client accepts none of the media types of the response.'),
  stream_required: entry(
    406,
    'A subscription needs a stream: open a WebSocket, or send "Accept: text/event-stream".',
  ),

  request_timeout: entry(408, 'The request did not arrive in time.', true),

  invalid_transition: entry(409, 'The resource is in a state that does not allow this change.'),
  conflict: entry(409, 'The change conflicts with the current state of the resource.'),
  idempotency_in_progress: entry(409, 'The first request with this idempotency key is still running.', true),
  resume_expired: entry(
    410,
    'Events after this cursor have expired. Reload your data, then resume from the oldest cursor or from now.',
  ),
  precondition_failed: entry(
    412,
    'The resource does not meet the conditions in If-Match, If-None-Match or ifVersion. Read it again.',
  ),
  body_too_large: entry(413, 'The request body is larger than this server accepts.'),
  unsupported_media_type: entry(415, 'Send the body as application/json.'),
  expectation_failed: entry(417, 'This server supports no expectation other than 100-continue.'),

  validation_failed: entry(422, 'The request is well-formed, but some of its values are not allowed.'),
  empty_order: entry(422, 'An order needs at least one item.'),

  idempotency_key_reused: entry(422, 'This idempotency key was already used for a different request.'),
  card_declined: entry(422, 'The payment source was declined.'),

  too_many_subscriptions: entry(
    429,
    'This connection has too many subscriptions. End one, or open another connection.',
    true,
  ),
  too_many_streams: entry(429, 'You have too many open streams. Close one before you open another.', true),
  too_many_sockets: entry(429, 'Your network has too many open WebSockets.', true),
  too_many_exports: entry(429, 'Your organisation has too many exports. Wait until one has finished.', true),
  rate_limited: entry(429, 'Too many requests. Wait before the next one.', true),
  header_too_large: entry(431, 'The request headers are larger than this server accepts.'),

  internal_error: entry(500, 'Internal error. Quote the request id when you report it.', true),
  not_implemented: entry(501, 'This server does not implement this method or transfer coding.'),
  payment_gateway_failed: entry(
    502,
    'The payment gateway returned an unusable response. Retry the same request with the same idempotency key. If you sent no key, use the one that the server generated and returned with this response.',
    true,
  ),
  payment_gateway_unavailable: entry(
    503,
    'The payment gateway is not responding. Retry the same request with the same idempotency key. If you sent no key, use the one that the server generated and returned with this response.',
    true,
  ),
  slow_consumer: entry(503, 'The stream was not read fast enough. Reconnect with the last cursor.', true),
  restarting: entry(503, 'This server is restarting. Reconnect with the last cursor.', true),
  unavailable: entry(503, 'The service is temporarily unavailable. Try again shortly.', true),
  overloaded: entry(503, 'The server is overloaded. Retry after the delay in Retry-After.', true),
  timeout: entry(503, 'The request exceeded its deadline and was cancelled.', true),
  http_version_not_supported: entry(505, 'This server supports HTTP/1.1 and HTTP/1.0.'),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof CATALOGUE;

/** A problem with one value, and its path in the request. */
export interface ErrorDetail {
  /** Members and indexes from the outermost to the innermost, joined with dots: `items.0.qty`. */
  readonly path: string;
  readonly message: string;
}

type DpopError = 'invalid_token' | 'invalid_dpop_proof';

export interface ApiErrorOptions {
  readonly message?: string;
  readonly details?: readonly ErrorDetail[] | undefined;
  /** Whole seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfter?: number | undefined;
  /** For `method_not_allowed`: the supported methods, comma-separated; sent as Allow. */
  readonly allow?: string;
  /** For `insufficient_scope`: the scopes that the request requires, separated by spaces; sent in WWW-Authenticate. */
  readonly scope?: string | undefined;
  /** For `invalid_token`: the error in the challenge for DPoP (RFC 9449, section 7.1), instead of one in that for bearer tokens. */
  readonly dpopError?: DpopError | undefined;
  /** Whether this replays the error of an earlier request with the same idempotency key. */
  readonly replayed?: boolean;
  /** For `resume_expired`: the oldest valid cursor. */
  readonly oldestCursor?: string | undefined;
  /** The underlying error. It is logged, and never sent to clients. */
  readonly cause?: unknown;
}

/** Whether the list has reached the maximum number of details of a response. */
export const isFull = (details: readonly ErrorDetail[]): boolean => details.length >= LIMITS.errorDetails;

/** Truncates a path with names that a client chose, so that a small request cannot cause a large response. */
export const shortPath = (path: string): string =>
  path.length > LIMITS.errorPathLength ? `${path.slice(0, LIMITS.errorPathLength)}…` : path;

/** The default Retry-After for unavailable services, in seconds. */
export const SOON = 1;

/** Whether a status reports a temporary failure of this server or of one behind it. */
const isTemporary = (status: number): boolean => status === 502 || status === 503;

/** Codes of errors about single values, whose default message is that of the value, if they have one. */
export const ABOUT_VALUES: ReadonlySet<ErrorCode> = new Set([
  'invalid_parameter',
  'not_found',
  'unknown_parameter',
  'validation_failed',
]);

/** Returns the message of an error that has none of its own. */
function messageOf(code: ErrorCode, details: readonly ErrorDetail[] = []): string {
  const [first] = details;
  if (!first || !ABOUT_VALUES.has(code)) return CATALOGUE[code].message;
  return details.length === 1
    ? `${first.path || 'The body'} ${first.message}.`
    : `${details.length} values are not allowed; see details.`;
}

/** The only error that clients see. Any other error that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfter: number | undefined;
  readonly allow: string | undefined;
  readonly scope: string | undefined;
  readonly dpopError: DpopError | undefined;
  readonly replayed: boolean;
  readonly oldestCursor: string | undefined;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? messageOf(code, options.details), { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfter = options.retryAfter ?? (isTemporary(CATALOGUE[code].status) ? SOON : undefined);
    this.allow = options.allow;
    this.scope = options.scope;
    this.dpopError = options.dpopError;
    this.replayed = options.replayed ?? false;
    this.oldestCursor = options.oldestCursor;
  }

  get status(): number {
    return CATALOGUE[this.code].status;
  }

  /** Whether the failure is temporary, so that a retry may succeed. */
  get isUnavailable(): boolean {
    return this.status === 503;
  }
}

/** The error for one value of a request. */
export const invalidValue = (path: string, message: string): ApiError =>
  new ApiError('validation_failed', { details: [{ path, message }] });

/** The error of a request that does not have the required form. */
export const malformed = (message: string, cause?: unknown): ApiError =>
  new ApiError('malformed_request', { message, cause });
