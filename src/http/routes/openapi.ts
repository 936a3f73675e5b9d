import type { RouteOptions } from 'fastify';
import type { Config } from '../../config.ts';
import type { OpenApi } from '../../rest/index.ts';
import { textRoute } from './texts.ts';

/** The route of the OpenAPI document, with the server's URL, contact and license. */
export function openApiRoute(
  document: OpenApi,
  { publicUrl, contact, license }: Pick<Config['http'], 'publicUrl' | 'contact' | 'license'>,
): RouteOptions {
  const servers = document.servers.map((server) => ({ ...server, url: publicUrl }));
  const info = { ...document.info, ...(contact && { contact }), ...(license && { license }) };
  const text = () => JSON.stringify({ ...document, info, servers });
  return textRoute('/openapi.json', 'application/json; charset=utf-8', text);
}
