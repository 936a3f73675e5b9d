/** Documents about the server for programs: its OpenAPI description, its public keys, and the contact for vulnerability reports. */
import type { RouteOptions } from 'fastify';
import type { Keys } from '../../auth/keys.ts';
import { DAY, LIMITS } from '../../core/limits.ts';
import { READABLE_BY_ALL } from '../hooks/cors.ts';
import { JSON_TYPE } from '../negotiation.ts';
import type { HttpParts } from '../parts.ts';
import { publicHeaders, textRoute } from './texts.ts';

/** The OpenAPI document, with the server's URL, contact and license. */
export function openApiRoute({ api, config }: HttpParts): RouteOptions {
  const { publicUrl, contact, license } = config.http;
  const text = () => {
    const document = api.openApi();
    const servers = document.servers.map((server) => ({ ...server, url: publicUrl }));
    const info = { ...document.info, ...(contact && { contact }), ...(license && { license }) };
    return JSON.stringify({ ...document, info, servers });
  };
  return textRoute('/openapi.json', JSON_TYPE, text);
}

/** The public keys that verify access tokens (RFC 7517). */
export const publicKeysRoute = (keys: Keys): RouteOptions => ({
  method: 'GET',
  url: '/.well-known/jwks.json',
  handler: async (_request, reply) => {
    // No other request may have caused a read for hours.
    await keys.refresh();
    return reply
      .headers({ ...publicHeaders(`max-age=${LIMITS.publicKeysAge / 1000}`), ...READABLE_BY_ALL })
      .send(keys.publicJwks());
  },
});

/** Milliseconds until security.txt expires: less than a year, as RFC 9116, section 2.5.5, recommends. */
const VALID_FOR = 180 * DAY;

/** The contact for vulnerability reports (RFC 9116); no route if none is configured. */
export function securityRoutes({ config, services }: HttpParts): RouteOptions[] {
  const { publicUrl, securityContact } = config.http;
  if (securityContact === '') return [];
  const url = '/.well-known/security.txt';
  const handler: RouteOptions['handler'] = (_request, reply) => {
    const expires = new Date(Math.floor((services.clock().getTime() + VALID_FOR) / DAY) * DAY);
    return reply
      .type('text/plain; charset=utf-8')
      .headers(publicHeaders(`max-age=${DAY / 1000}`))
      .send(
        `Contact: ${securityContact}\nExpires: ${expires.toISOString()}\nCanonical: ${publicUrl}${url}\n`,
      );
  };
  return [{ method: 'GET', url, handler }];
}
