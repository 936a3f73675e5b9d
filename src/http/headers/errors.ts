import type { ApiError, ErrorCode } from '../../core/errors.ts';
import { bodyTypesOf } from '../../rest/index.ts';

/** The header of a response that repeats the outcome of an earlier request with the same idempotency key. */
export const REPLAYED = 'idempotent-replayed';

/** What a PATCH may send (RFC 5789, sections 2.2 and 3.1). */
export const acceptPatch = { 'accept-patch': bodyTypesOf('PATCH').join(', ') };

/** Where the API says which authorization server it trusts (RFC 9728, section 3). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The client sent a token, and the token is not valid. */
const TOKEN_ERRORS: ReadonlySet<ErrorCode> = new Set(['invalid_token', 'token_expired']);

/** The headers of an error, by lower-case name. */
export function errorHeaders({
  code,
  status,
  retryAfter,
  allow,
  scope,
  replayed,
}: ApiError): Record<string, string> {
  const headers: Record<string, string> = {};
  // RFC 9110, section 11.6.1: a 401 names the schemes that are accepted. RFC 6750, section 3.1, has the names of errors.
  if (status === 401) {
    const error = TOKEN_ERRORS.has(code) ? ', error="invalid_token"' : '';
    headers['www-authenticate'] = `Bearer realm="portico"${error}, ApiKey realm="portico"`;
  }
  // The scope that it takes, so that a client can ask for it (RFC 6750, section 3.1).
  if (scope !== undefined)
    headers['www-authenticate'] = `Bearer realm="portico", error="insufficient_scope", scope="${scope}"`;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (allow !== undefined) headers['allow'] = allow;
  if (replayed) headers[REPLAYED] = 'true';
  return headers;
}
