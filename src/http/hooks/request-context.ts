import type { FastifyReply } from 'fastify';
import type { Deadline, Deadlines } from '../../core/deadline.ts';
import {
  type Caller,
  type Context,
  createContext,
  readPosition,
  type Services,
} from '../../pipeline/context.ts';
import { POSITION } from '../headers.ts';
import type { Authenticate, OpenContext } from '../parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of the request's operation; null before it is opened. */
    opened: Context | Promise<Context> | null;
  }
}

/** @param deadlines the deadlines of operations. An operation ends earlier if its client disconnects. */
export function createContexts(
  services: Services,
  authenticate: Authenticate,
  deadlines: Deadlines,
): OpenContext {
  return (reply) => {
    const { request } = reply;
    const open = (caller: Caller) => {
      const { message } = request;
      const seen = services.positions && readPosition(request.headers[POSITION], 'Portico-Position');
      const signed = message || seen ? { ...caller, message: message ?? undefined, seen } : caller;
      const context = createContext(services, signed, untilGone(reply, deadlines.begin()));
      reply.raw.requestCost = context.requestCost;
      return context;
    };
    if (request.opened) return request.opened;
    const caller = authenticate(request);
    request.opened = caller instanceof Promise ? caller.then(open) : open(caller);
    return request.opened;
  };
}

/** Ends a deadline with the response: it was met if the response was sent, and abandoned if the client has disconnected before. */
export function untilGone({ raw }: FastifyReply, deadline: Deadline): Deadline {
  // The client may have disconnected while its credentials were verified.
  if (raw.destroyed) deadline.abandon();
  // `close` is emitted after every response, and also if the client disconnects before one.
  else raw.on('close', () => (raw.writableFinished ? deadline.meet() : deadline.abandon()));
  return deadline;
}
