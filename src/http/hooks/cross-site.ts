import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import type { Config } from '../../config.ts';
import { ApiError } from '../../core/errors.ts';
import { isSafeMethod } from './message.ts';

/**
 * Refuses cross-site requests that need no preflight: links, forms, images. Browsers mark them
 * by Sec-Fetch-Mode and Sec-Fetch-Site (W3C Fetch Metadata), which a page cannot forge; a request
 * with CORS has the mode `cors`, and other clients send neither header.
 *
 * Navigations with a safe method are allowed: they are links, and only run queries.
 */
export const refuseCrossSite: onRequestHookHandler = ({ method, headers }, _reply, done) => {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return done();
  const mode = headers['sec-fetch-mode'];
  if (mode === 'cors' || (mode === 'navigate' && isSafeMethod(method))) return done();
  done(foreign('request was made'));
};

const foreign = (action: string) =>
  new ApiError('forbidden', { message: `This ${action} by a page of another site.` });

/**
 * Whether a page of another site may have sent a request. A browser presents a client certificate for any page, so such a request
 * is anonymous if a certificate is its only credential; a token in a header must come from the page itself.
 */
export function isCrossSite({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && !isOwnOrigin(origin, headers.host, publicUrl);
}

/** Whether an Origin is that of the server's own pages. @param host the host that the request names, if it counts as well. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  const from = URL.parse(origin);
  return from !== null && (from.host === host || from.origin === new URL(publicUrl).origin);
}

/** Whether the page that sends a request may: that of no origin, of the server itself, or of one that may read its responses. */
const isAllowed = (
  origin: string | undefined,
  host: string | undefined,
  { publicUrl, corsOrigins }: Config['http'],
): boolean =>
  origin === undefined ||
  corsOrigins.includes('*') ||
  corsOrigins.includes(origin) ||
  isOwnOrigin(origin, host, publicUrl);

/**
 * Refuses requests from pages of other origins than the public URL's, and than those that may read responses. The host that the
 * request names does not count, since a page can have its own name resolve to this server (DNS rebinding). Clients without an Origin
 * are not browsers.
 */
export const refuseForeignOrigins =
  (config: Config['http']): onRequestHookHandler =>
  ({ headers: { origin } }, _reply, done) =>
    done(isAllowed(origin, undefined, config) ? undefined : foreign('request was made'));

/**
 * Refuses cross-site WebSockets, which have no preflight. Pages of this server and of the origins that may read its responses
 * are allowed, and clients without an Origin, which are not browsers. A page also needs a token, since there are no cookies.
 *
 * @throws ApiError `forbidden`.
 */
export function refuseCrossSiteSocket({ headers }: IncomingMessage, config: Config['http']): void {
  if (!isAllowed(headers.origin, headers.host, config)) throw foreign('socket was opened');
}
