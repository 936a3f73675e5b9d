import type { FastifyInstance } from 'fastify';
import type { OpenApi } from '../../rest/index.ts';
import { addText } from './texts.ts';

/**
 * The description of this server, for programs.
 *
 * @param basePath the path under which clients reach the server, empty when that is a root.
 */
export function addOpenApi(app: FastifyInstance, document: OpenApi, basePath: string): void {
  const servers = document.servers.map((server) => ({ ...server, url: basePath || server.url }));
  const text = () => JSON.stringify({ ...document, servers });
  addText(app, '/openapi.json', 'application/json; charset=utf-8', text);
}
