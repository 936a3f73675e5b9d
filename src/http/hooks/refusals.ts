/** Refuses requests before their operation runs, such as for a malformed body. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../core/errors.ts';
import type { Caller } from '../../pipeline/context.ts';
import type { HttpParts } from '../parts.ts';
import { sendError, toHttpError } from './errors.ts';
import { isSafeMethod } from './message.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Refuses callers that may not use the route, whatever they send. Left out for a route that some callers may use without credentials.
     *
     * @throws ApiError as {@link Operation.authorize}.
     */
    readonly authorize?: (caller: Caller) => void;
  }
  interface FastifyRequest {
    /** Whether the pipeline counts the request: its operation runs, or is refused there. */
    isCounted: boolean;
  }
}

/** The refusals of a body. Bodies are read before callers are authenticated, which a large body pays for. */
const OF_BODIES: ReadonlySet<ErrorCode> = new Set([
  'invalid_json',
  'unsupported_media_type',
  'body_too_large',
  'validation_failed',
]);

/**
 * Like {@link sendError}, and counts the operation of the route unless the pipeline does. A caller that may not use the route is refused for
 * that, and not for its body (spec: Authentication).
 */
export function createRefusals({ services, authenticate }: HttpParts) {
  return (
    thrown: FastifyError | Error,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> => {
    if (request.isCounted) return sendError(thrown, reply);
    const { operation, authorize } = request.routeOptions.config;
    const refuse = (error: Error, caller?: Promise<Caller>) => {
      // The response does not wait for its caller to be known.
      if (operation !== undefined) void count(operation, error, reply, caller);
      return sendError(error, reply);
    };
    if (authorize === undefined || !OF_BODIES.has(toHttpError(thrown).code)) return refuse(thrown);
    // Verified once: a proof of possession is refused the second time.
    const caller = callerOf(request);
    return caller.then(authorize).then(
      () => refuse(thrown, caller),
      (error: Error) => refuse(error, caller),
    );
  };

  async function count(name: string, thrown: Error, reply: FastifyReply, known?: Promise<Caller>) {
    const { request } = reply;
    const caller = known ?? callerOf(request);
    request.isCounted = true;
    services.metrics.operation({
      door: 'rest',
      type: isSafeMethod(request.method) ? 'query' : 'mutation',
      name,
      code: toHttpError(thrown).code,
      seconds: reply.elapsedTime / 1000,
    });
    // Without valid credentials, and if they cannot be verified, there is no caller.
    const { principal } = await caller.catch(() => ({ principal: null }));
    services.noteOperation(principal, { door: 'rest', name, at: services.clock(), isError: true, points: 0 });
  }

  async function callerOf(request: FastifyRequest): Promise<Caller> {
    return request.opened ?? authenticate(request);
  }
}
