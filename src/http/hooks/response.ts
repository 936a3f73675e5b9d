import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { SOON } from '../../core/errors.ts';
import type { RequestCost } from '../../pipeline/request-cost.ts';
import type { BudgetOptions } from '../../rate-limit/bucket.ts';
import type { Tool } from '../../rest/index.ts';
import { createRateLimitHeaders } from '../headers/rate-limit.ts';
import { MCP_PATH, metadataPathOf, resourcePathOf, scopesOfTools } from '../resources.ts';
import { isOutdated } from '../tls/server.ts';

declare module 'node:http' {
  interface ServerResponse<Request extends IncomingMessage = IncomingMessage> {
    /** The cost of the request; undefined before its caller is identified. */
    requestCost?: RequestCost | undefined;
  }
}

export interface ResponsesOptions {
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** Origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  /** The budget of every caller. */
  readonly budget: BudgetOptions;
  readonly tools: readonly Tool[];
}

/** Returns the headers that all responses have by default. */
function commonHeaders(publicUrl: string): Record<string, string> {
  return {
    // Responses depend on the caller: no shared cache may store them, and a private one must revalidate (RFC 9111, section 5.2.2).
    // Public responses set their own Cache-Control.
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept, Accept-Encoding',
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

/**
 * Creates a class of responses with the common headers, whether Fastify, a stream or Node itself writes them. Headers that a
 * response sets itself, by lower-case name, take precedence. As Fastify headers they would be looked up and set one by one for
 * each request, with more than twice the instructions.
 *
 * @param isDraining whether clients must reconnect. It is called when the response is sent, since the server may have begun to
 *   close after the request arrived.
 */
export function responses(options: ResponsesOptions, isDraining: () => boolean): typeof ServerResponse {
  const { publicUrl, corsOrigins, budget, tools } = options;
  const variesByOrigin = corsOrigins.length > 0;
  const rateLimitHeaders = createRateLimitHeaders(budget);
  const common = commonHeaders(publicUrl);
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
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override requestCost: RequestCost | undefined = undefined;

    override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
      if (typeof message === 'string') this.statusMessage = message;
      const own = typeof message === 'object' ? message : headers;
      if (!Array.isArray(own)) {
        const all = this.#withCommon(status, own);
        // Fastify would send the length of the empty body instead of that of the representation (RFC 9110, section 8.6).
        if (status === 304) delete all['content-length'];
        return super.writeHead(status, all);
      }
      // Node passes a list if it refuses a request, and the list overrides headers that are set.
      this.setHeaders(new Map(Object.entries(this.#withCommon(status))));
      return super.writeHead(status, own);
    }

    #withCommon(status: number, own?: OutgoingHttpHeaders): Record<string, OutgoingHttpHeader> {
      const all: Record<string, OutgoingHttpHeader> = { ...common };
      const available = this.requestCost?.available;
      if (available !== undefined) {
        const { policy, limit } = rateLimitHeaders(available);
        all['ratelimit-policy'] = policy;
        all['ratelimit'] = limit;
      }
      if (isDraining() || isOutdated(this.req.socket)) all['connection'] = 'close';
      // Every 503 has a delay, also one that is no error of the catalogue, such as that of /readyz.
      if (status === 503) all['retry-after'] = String(SOON);
      Object.assign(all, this.getHeaders(), own);
      if (all['www-authenticate'] !== undefined)
        all['www-authenticate'] = discoverable(String(all['www-authenticate']), this.req.url);
      // Also for requests without an origin: a cache must keep them apart.
      if (variesByOrigin) all['vary'] = `${all['vary']}, Origin`;
      return all;
    }
  };
}
