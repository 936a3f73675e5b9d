import type { ApiError, ErrorCode } from '../../core/errors.ts';
import { bodyTypesOf } from '../../rest/index.ts';

/** The header of responses that repeat the outcome of an earlier request with the same idempotency key. */
export const REPLAYED = 'idempotent-replayed';

/** The media types that PATCH accepts (RFC 5789, sections 2.2 and 3.1). */
export const acceptPatch = { 'accept-patch': bodyTypesOf('PATCH').join(', ') };

/** Error codes for an invalid token, as opposed to a missing one. */
const TOKEN_ERRORS: ReadonlySet<ErrorCode> = new Set(['invalid_token', 'token_expired']);

/** Returns the headers of an error, by lower-case name. */
export function errorHeaders({
  code,
  status,
  retryAfter,
  allow,
  scope,
  replayed,
}: ApiError): Record<string, string> {
  const headers: Record<string, string> = {};
  // A 401 names the accepted schemes (RFC 9110, section 11.6.1). The error names are those of RFC 6750, section 3.1.
  if (status === 401) {
    const error = TOKEN_ERRORS.has(code) ? ', error="invalid_token"' : '';
    headers['www-authenticate'] = `Bearer realm="portico"${error}, ApiKey realm="portico"`;
  }
  // The required scope, so that a client can request it (RFC 6750, section 3.1).
  if (scope !== undefined)
    headers['www-authenticate'] = `Bearer realm="portico", error="insufficient_scope", scope="${scope}"`;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (allow !== undefined) headers['allow'] = allow;
  if (replayed) headers[REPLAYED] = 'true';
  return headers;
}
