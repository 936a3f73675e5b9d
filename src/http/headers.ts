/** Headers that responses of several doors have. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { PROOF_ALGORITHMS } from '../auth/confirmation.ts';
import type { Deprecation } from '../core/deprecation.ts';
import type { ApiError, ErrorCode } from '../core/errors.ts';
import { bodyTypesOf } from '../rest/compile/spelling.ts';

/**
 * The position of a change in the database's log of changes. With replicas, the response to a change has it. A request that
 * sends it back sees the change, through any door and instance.
 */
export const POSITION = 'portico-position';

/** The header of responses that repeat the outcome of an earlier request with the same idempotency key. */
export const REPLAYED = 'idempotent-replayed';

/** The media types that PATCH accepts (RFC 5789, sections 2.2 and 3.1). */
export const acceptPatch = { 'accept-patch': bodyTypesOf('PATCH').join(', ') };

/** Takes a response over from Fastify, and sends its headers: those set so far, and these. */
export function takeOver(reply: FastifyReply, headers: Readonly<Record<string, string>>): ServerResponse {
  const { raw } = reply.hijack().headers(headers);
  raw.on('error', () => undefined);
  // Cast because Fastify's type includes all possible headers, also those that are not set.
  return raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
}

/** Error codes for an invalid token, as opposed to a missing one. */
const TOKEN_ERRORS: ReadonlySet<ErrorCode> = new Set(['invalid_token', 'token_expired']);

/** The algorithms with which clients may sign proofs for tokens that are bound to a key (RFC 9449, section 7.1). */
const ALGORITHMS = `algs="${PROOF_ALGORITHMS.join(' ')}"`;

const challenge = (error?: string): string =>
  `realm="portico"${error === undefined ? '' : `, error="${error}"`}`;

/** Returns the headers of an error, by lower-case name. */
export function errorHeaders({
  code,
  status,
  retryAfter,
  allow,
  scope,
  dpopError,
  replayed,
}: ApiError): Record<string, string> {
  const headers: Record<string, string> = {};
  // A 401 names the accepted schemes (RFC 9110, section 11.6.1). The error names are those of RFC 6750, section 3.1, and RFC 9449,
  // section 7.1.
  if (status === 401) {
    const bearer = dpopError === undefined && TOKEN_ERRORS.has(code) ? 'invalid_token' : undefined;
    const schemes = [`Bearer ${challenge(bearer)}`, `ApiKey ${challenge()}`, `DPoP ${challenge(dpopError)}`];
    headers['www-authenticate'] = `${schemes.join(', ')}, ${ALGORITHMS}`;
  }
  // The required scope, so that a client can request it (RFC 6750, section 3.1).
  if (scope !== undefined)
    headers['www-authenticate'] = `Bearer realm="portico", error="insufficient_scope", scope="${scope}"`;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (allow !== undefined) headers['allow'] = allow;
  if (replayed) headers[REPLAYED] = 'true';
  return headers;
}

/** The path of the guide about replacements of deprecated routes. */
export const VERSIONS_PAGE = '/docs/versions';

/**
 * Returns the headers of a deprecation, by lower-case name: `Deprecation` (RFC 9745, a structured date), `Sunset` (RFC 8594, an
 * HTTP date) and `Link` to the guide.
 *
 * @param base the path under which clients reach this server, empty for the root.
 * @param successor the path of the replacing route (RFC 5829, section 3.3), undefined if there is none.
 */
export function deprecationHeaders(
  { since, sunset }: Deprecation,
  base: string,
  successor?: string,
): Record<string, string> {
  const links = [`<${base}${VERSIONS_PAGE}>; rel="deprecation"; type="text/html"`];
  if (successor !== undefined) links.unshift(`<${base}${successor}>; rel="successor-version"`);
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: sunset.toUTCString(),
    link: links.join(', '),
  };
}
