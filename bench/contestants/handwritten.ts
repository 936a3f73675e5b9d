/**
 * Routes and operations as a careful developer would write them by hand for exactly this purpose: the same tokens, authorization,
 * validation and response bodies as Portico's, directly on Fastify.
 */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Caller } from './authentication.ts';
import { addKnownOperations } from './known-operations.ts';
import type { ContestantParts, Start } from './main.ts';
import { addOrderRoutes } from './order-routes.ts';

/** Returns the caller if it has the scope. Otherwise sends an error and returns undefined. */
export type Authorize = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
) => Promise<Caller | undefined>;

export function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply.code(status).send({ error: { code, message: code } });
}

const authorizeBy =
  ({ authenticate }: ContestantParts): Authorize =>
  async (request, reply, scope) => {
    const known = authenticate(request.headers.authorization);
    const caller = known instanceof Promise ? await known : known;
    if (caller === undefined) refuse(reply, 401, 'unauthenticated');
    else if (!caller.scopes.has(scope)) refuse(reply, 403, 'insufficient_scope');
    else return caller;
    return undefined;
  };

export const startHandwritten: Start = async (parts, port) => {
  // Unknown parameters are rejected, not ignored.
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } });
  const authorize = authorizeBy(parts);
  addOrderRoutes(app, parts, authorize);
  addKnownOperations(app, parts, authorize);
  await app.listen({ host: '127.0.0.1', port });
  return () => app.close();
};
