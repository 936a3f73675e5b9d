import type { FastifyInstance } from 'fastify';
import type { OpenApi } from '../rest/index.ts';
import { addText } from './texts.ts';

/** The description of this server, for programs. */
export function addOpenApi(app: FastifyInstance, document: OpenApi): void {
  addText(app, '/openapi.json', 'application/json; charset=utf-8', JSON.stringify(document));
}
