import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { RequestCost } from '../../pipeline/request-cost.ts';
import type { BudgetOptions } from '../../rate-limit/bucket.ts';
import { RESOURCE_METADATA } from '../headers/errors.ts';
import { createRateLimitHeaders } from '../headers/rate-limit.ts';
import { isOutdated } from '../tls/server.ts';

declare module 'node:http' {
  interface ServerResponse<Request extends IncomingMessage = IncomingMessage> {
    /** The request's cost; undefined without a caller. */
    requestCost?: RequestCost | undefined;
  }
}

export interface ResponsesOptions {
  /** Where clients reach the server. */
  readonly publicUrl: string;
  /** Origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  /** The budget of every caller. */
  readonly budget: BudgetOptions;
}

/** The default Cache-Control. */
function commonHeaders(publicUrl: string): Record<string, string> {
  return {
    // Responses depend on the caller: no shared cache may store them, and a private one revalidates (RFC 9111, section 5.2.2).
    // Public responses set their own Cache-Control.
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept, Accept-Encoding',
    // No content sniffing, no subresources, no framing, no referrer.
    // Pages say for themselves what they load.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    // HSTS for a year (RFC 6797), on HTTPS only.
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** How the API asks for credentials. */
const OWN_CHALLENGE = /^Bearer realm="portico"/;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Responses that set the common headers, whether Fastify, a stream or Node itself writes them. What
 * a response sets itself, by lower-case name, takes precedence. As Fastify headers they would be looked up and set
 * one by one for each request, in more than twice the instructions.
 *
 * @param isDraining whether clients are to come back by another connection. It is asked when the response leaves: the server may
 *   have been asked to close since the request came.
 */
export function responses(options: ResponsesOptions, isDraining: () => boolean): typeof ServerResponse {
  const { publicUrl, corsOrigins, budget } = options;
  const variesByOrigin = corsOrigins.length > 0;
  const rateLimitHeaders = createRateLimitHeaders(budget);
  const common = commonHeaders(publicUrl);
  // Where a client learns who gives tokens (RFC 9728, section 5.1). The challenge of the authorization server itself is another.
  const metadata = `, resource_metadata="${publicUrl}${RESOURCE_METADATA}"`;
  const discoverable = (challenge: OutgoingHttpHeader): string =>
    String(challenge).replace(OWN_CHALLENGE, (own) => own + metadata);
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override requestCost: RequestCost | undefined = undefined;

    override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
      if (typeof message === 'string') this.statusMessage = message;
      const own = typeof message === 'object' ? message : headers;
      if (!Array.isArray(own)) {
        const all = this.#withCommon(own);
        // Fastify would name the length of what is not sent, in place of that of the representation (RFC 9110, section 8.6).
        if (status === 304) delete all['content-length'];
        return super.writeHead(status, all);
      }
      // Node passes a list when it refuses a request, which overrides set headers.
      this.setHeaders(new Map(Object.entries(this.#withCommon())));
      return super.writeHead(status, own);
    }

    #withCommon(own?: OutgoingHttpHeaders): Record<string, OutgoingHttpHeader> {
      const all: Record<string, OutgoingHttpHeader> = { ...common };
      const available = this.requestCost?.available;
      if (available !== undefined) {
        const { policy, limit } = rateLimitHeaders(available);
        all['ratelimit-policy'] = policy;
        all['ratelimit'] = limit;
      }
      if (isDraining() || isOutdated(this.req.socket)) all['connection'] = 'close';
      Object.assign(all, this.getHeaders(), own);
      if (all['www-authenticate'] !== undefined)
        all['www-authenticate'] = discoverable(all['www-authenticate']);
      // For requests without an origin as well: a cache must separate them.
      if (variesByOrigin) all['vary'] = `${all['vary']}, Origin`;
      return all;
    }
  };
}
