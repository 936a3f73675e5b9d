/** Counts requests of REST routes that are refused before their operation runs, such as for a malformed body. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../pipeline/context.ts';
import { isSafeMethod } from '../routes/methods.ts';
import type { Authenticate } from './authentication.ts';
import { sendError, toHttpError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the pipeline counts the request: its operation runs, or is refused there. */
    isCounted: boolean;
  }
}

/** Like {@link sendError}, and counts the operation of the route unless the pipeline does. */
export function countingErrors(services: Services, authenticate: Authenticate) {
  return (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const name = request.routeOptions.config.operation;
    // The response does not wait for its caller to be known.
    if (name !== undefined && !request.isCounted) void count(name, thrown, request, reply);
    return sendError(thrown, request, reply);
  };

  async function count(name: string, thrown: Error, request: FastifyRequest, reply: FastifyReply) {
    request.isCounted = true;
    services.metrics.operation({
      door: 'rest',
      type: isSafeMethod(request.method) ? 'query' : 'mutation',
      name,
      code: toHttpError(thrown).code,
      seconds: reply.elapsedTime / 1000,
    });
    const principal = await principalOf(request);
    services.noteOperation(principal, { door: 'rest', name, at: services.clock(), isError: true, points: 0 });
  }

  /** Returns the caller; null without valid credentials, and if they cannot be verified. */
  async function principalOf(request: FastifyRequest) {
    try {
      return (await (request.opened ?? authenticate(request))).principal;
    } catch {
      return null;
    }
  }
}
