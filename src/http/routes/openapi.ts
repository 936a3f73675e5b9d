import type { RouteOptions } from 'fastify';
import type { OpenApi } from '../../rest/index.ts';
import { textRoute } from './texts.ts';

/**
 * The description of this server, for programs.
 *
 * @param basePath the path under which clients reach the server, empty when that is a root.
 */
export function openApiRoute(document: OpenApi, basePath: string): RouteOptions {
  const servers = document.servers.map((server) => ({ ...server, url: basePath || server.url }));
  const text = () => JSON.stringify({ ...document, servers });
  return textRoute('/openapi.json', 'application/json; charset=utf-8', text);
}
