import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { SOON } from '../../core/errors.ts';
import type { RequestCost } from '../../pipeline/request-cost.ts';
import { type BudgetOptions, secondsUntil } from '../../rate-limit/budget.ts';
import type { Tool } from '../../rest/tools/index.ts';
import type { ConnectionParts } from '../parts.ts';
import { MCP_PATH, metadataPathOf, resourcePathOf, scopesOfTools } from '../resources.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The id of the request; undefined before it is known. */
    requestId?: string | undefined;
  }
  interface ServerResponse<Request extends IncomingMessage = IncomingMessage> {
    /** The cost of the request; undefined before its caller is identified. */
    requestCost?: RequestCost | undefined;
  }
}

/**
 * Keeps the caller's request id if it is safe in a log line, so that services can be correlated. It is noted with the request, since every
 * response has it.
 */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  return request.requestId;
}

interface ResponsesOptions {
  readonly publicUrl: string;
  /** Origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  readonly budget: BudgetOptions;
  readonly tools: readonly Tool[];
}

/**
 * Creates the headers of a budget (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4): RateLimit-Policy, with the points of a
 * full bucket and the seconds in which an empty one refills, and RateLimit, with the points left and the seconds until it is full.
 *
 * @returns a function from the available points, which are negative after overspending, to the values of both.
 */
export function createRateLimitHeaders(budget: BudgetOptions) {
  const secondsUntilFull = (available: number) => secondsUntil(budget.points, available, budget);
  const policy = `"points";q=${budget.points};w=${secondsUntilFull(0)}`;
  return (available: number) => {
    const whole = Math.floor(available);
    return { policy, limit: `"points";r=${Math.max(0, whole)};t=${secondsUntilFull(whole)}` };
  };
}

/** Returns the headers of all responses, by lower-case name, except those that set their own. */
export function commonHeaders({
  publicUrl,
  corsOrigins,
}: Pick<ResponsesOptions, 'publicUrl' | 'corsOrigins'>): Record<string, string> {
  const variesByOrigin = corsOrigins.length > 0;
  return {
    // Responses depend on the caller: no shared cache may store them, and a private one must revalidate (RFC 9111, section 5.2.2).
    // Public responses set their own Cache-Control.
    'cache-control': 'private, no-cache',
    vary: `Authorization, Accept, Accept-Encoding${variesByOrigin ? ', Origin' : ''}`,
    // No content sniffing, no subresources, no framing, no referrer.
    // Pages set their own policies.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    // HSTS for a year (RFC 6797), on HTTPS only.
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** The beginning of the API's own challenges. */
const OWN_CHALLENGE = /^Bearer realm="portico"/;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Headers as `writeHead` passes them on: those of a call, those that were set before (by name, with name and value), or a flat list. */
type StoredHeaders = Readonly<Record<string, unknown>> | readonly unknown[] | undefined;

/** Node's method that writes the text of the headers after the status line. Its types do not declare it. */
type StoreHeader = (this: ServerResponse, firstLine: string, headers: StoredHeaders) => void;
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as { _storeHeader: StoreHeader };

const lineOf = (name: string, value: string) => `${name}: ${value}\r\n`;

/** Whether a response has set a header itself. @param name in lower case. */
function sets(headers: StoredHeaders, name: string): boolean {
  if (!headers) return false;
  if (!Array.isArray(headers)) return Object.hasOwn(headers, name);
  return headers.some((each, index) => index % 2 === 0 && String(each).toLowerCase() === name);
}

/**
 * Creates a class of responses with the common headers, whether Fastify, a stream or Node itself writes them. Headers that a
 * response sets itself, by lower-case name, take precedence.
 *
 * The common headers are text that follows the status line. If they were separate headers, Node would check and join each of them for
 * each response: 2.6 % of the instructions of a REST request for one order, and 6 % of its processor time (median of 40 paired rounds).
 *
 * @param mustReconnect whether the client of a connection must reconnect. It is called when the response is sent, since the server may
 *   have begun to close after the request arrived.
 */
export function responses(
  { publicUrl, corsOrigins, budget, tools }: ResponsesOptions,
  mustReconnect: ConnectionParts['mustReconnect'],
): typeof ServerResponse {
  const variesByOrigin = corsOrigins.length > 0;
  const rateLimitHeaders = createRateLimitHeaders(budget);
  const common = Object.entries(commonHeaders({ publicUrl, corsOrigins }));
  const commonNames = common.map(([name]) => name);
  const commonLines = common.map(([name, value]) => lineOf(name, value)).join('');
  const agentScopes = scopesOfTools(tools).join(' ');
  // Points clients to the authorization server (RFC 9728, section 5.1), and agents to the scopes to request: MCP, authorization,
  // "Scope Selection Strategy". A challenge for a missing scope names that one. The authorization server's own challenges are left
  // unchanged.
  const discoverable = (challenge: string, url: string | undefined): string => {
    const path = resourcePathOf(url);
    const metadata = `resource_metadata="${publicUrl}${metadataPathOf(path)}"`;
    const scope = path === MCP_PATH && !challenge.includes('scope=') ? `, scope="${agentScopes}"` : '';
    return challenge.replace(OWN_CHALLENGE, (own) => `${own}, ${metadata}${scope}`);
  };
  const commonLinesFor = (headers: StoredHeaders): string =>
    commonNames.some((name) => sets(headers, name))
      ? common.map(([name, value]) => (sets(headers, name) ? '' : lineOf(name, value))).join('')
      : commonLines;
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override requestCost: RequestCost | undefined = undefined;

    override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
      if (typeof message === 'string') this.statusMessage = message;
      if (mustReconnect(this.req.socket)) this.shouldKeepAlive = false;
      const own = typeof message === 'object' ? message : headers;
      return super.writeHead(status, this.#corrected(status, own));
    }

    /** Overrides Node's method. @param firstLine the status line. */
    _storeHeader(firstLine: string, headers: StoredHeaders): void {
      let lines = firstLine + commonLinesFor(headers);
      const { requestCost, statusCode } = this;
      const { requestId } = this.req;
      if (requestId !== undefined) lines += lineOf('x-request-id', requestId);
      const available = requestCost?.available;
      if (available !== undefined) {
        const { policy, limit } = rateLimitHeaders(available);
        lines += lineOf('ratelimit-policy', policy) + lineOf('ratelimit', limit);
      }
      // Every 503 has a delay, also one that is no error of the catalogue, such as that of /readyz.
      if (statusCode === 503 && !sets(headers, 'retry-after')) lines += lineOf('retry-after', String(SOON));
      storeHeader.call(this, lines, headers);
    }

    /** Corrects headers that depend on more than Fastify or a route knows. */
    #corrected(status: number, own: Headers | undefined): Headers | undefined {
      const isRefused = status === 401 || status === 403;
      // Node passes a list if it refuses a request.
      if (Array.isArray(own) || !(isRefused || status === 304 || variesByOrigin)) return own;
      const all: OutgoingHttpHeaders = { ...this.getHeaders(), ...own };
      const { vary, 'www-authenticate': challenge } = all;
      if (isRefused && challenge !== undefined)
        all['www-authenticate'] = discoverable(String(challenge), this.req.url);
      // Also for requests without an origin: a cache must keep them apart.
      if (variesByOrigin && vary !== undefined && !/\bOrigin\b/.test(String(vary)))
        all['vary'] = `${vary}, Origin`;
      // Fastify would send the length of the empty body instead of that of the representation (RFC 9110, section 8.6).
      if (status === 304) delete all['content-length'];
      return all;
    }
  };
}
