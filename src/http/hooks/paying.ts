/** The price of responses that are no operations: pages, files, descriptions, and refusals of requests without a caller. */
import type { FastifyReply, onSendHookHandler } from 'fastify';
import { LIMITS } from '../../core/limits.ts';
import { flowOf, type Services } from '../../pipeline/context.ts';
import { RequestCost } from '../../pipeline/request-cost.ts';
import { lengthOf } from './compression.ts';
import { discardContent, sendsContent } from './conditions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests cost nothing: those of probes, whose responses are small and constant. */
    readonly isFree?: boolean;
  }
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
