/** The context of a request's operation, and the price of responses that are no operations. Both set who pays for a response. */
import type { FastifyReply, onSendHookHandler } from 'fastify';
import type { Deadline, Deadlines } from '../../core/deadline.ts';
import { LIMITS } from '../../core/limits.ts';
import {
  type Caller,
  type Context,
  createContext,
  flowOf,
  readPosition,
  type Services,
} from '../../pipeline/context.ts';
import { RequestCost } from '../../pipeline/request-cost.ts';
import { POSITION } from '../headers.ts';
import type { Authenticate, OpenContext } from '../parts.ts';
import { lengthOf } from './compression.ts';
import { discardContent, sendsContent } from './conditions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests cost nothing: those of probes, whose responses are small and constant. */
    readonly isFree?: boolean;
  }
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

/** Refusals for lack of points or of time, which must not become refusals of a refusal. */
const REFUSED: ReadonlySet<number> = new Set([429, 503]);

/** Whether no caller pays: a preflight is one of two requests, and the other one is paid for. */
const isFree = ({ request, statusCode }: FastifyReply) =>
  request.method === 'OPTIONS' || REFUSED.has(statusCode) || request.routeOptions.config.isFree === true;

/**
 * Charges the network of the client for a response unless the budget of its caller was charged before, as every operation does. So each
 * route has a price, unless it is marked as free. A response without points is replaced by `rate_limited`.
 */
export function payForResponse({ budget, clock }: Pick<Services, 'budget' | 'clock'>): onSendHookHandler {
  return (request, reply, payload, done) => {
    if (reply.raw.requestCost?.available !== undefined || isFree(reply)) return done(null, payload);
    const cost = new RequestCost(budget, flowOf({ principal: null, address: request.ip }), clock());
    const length = sendsContent(reply) ? lengthOf(reply, payload) : 0;
    const points = 1 + Math.floor(length / LIMITS.responseBytesPerPoint);
    const refuse = (error: Error) => {
      discardContent(reply, payload);
      done(error);
    };
    Promise.try(() => cost.pay(Math.min(points, cost.most))).then(() => done(null, payload), refuse);
  };
}
