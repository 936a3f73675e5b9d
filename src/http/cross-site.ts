import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

/**
 * Refuses what another site's page can make a browser send without asking first: a link, a form, an image. Browsers say
 * so in Sec-Fetch-Mode and Sec-Fetch-Site (W3C Fetch Metadata), which a page cannot forge; a request that was asked for
 * with CORS has the mode `cors`, and other clients send neither.
 *
 * A navigation with GET stays allowed: it is how a person opens the address, and a GET runs queries only.
 */
export async function refuseCrossSite({ method, headers }: FastifyRequest): Promise<void> {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  const mode = headers['sec-fetch-mode'];
  if (mode === 'cors' || (mode === 'navigate' && method === 'GET')) return;
  throw new ApiError('forbidden', { message: 'This request was made by a page of another site.' });
}
