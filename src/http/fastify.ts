import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { listOf } from '../core/environment.ts';
import { LIMITS } from '../core/limits.ts';
import { sendError } from './hooks/errors.ts';
import { countRequest } from './hooks/observation.ts';
import { responses } from './hooks/response.ts';
import { respondToBadConnection } from './lifecycle/bad-connection.ts';
import type { ConnectionParts, TrustProxy } from './parts.ts';

/** @param trustProxy the number of proxies in front, or a list of their addresses. */
export const trustOf = ({ trustProxy }: Pick<Config['http'], 'trustProxy'>): TrustProxy =>
  typeof trustProxy === 'string'
    ? proxyAddr.compile(listOf(trustProxy))
    : (_address, hop) => hop < trustProxy;

/** Creates Fastify with the options of this server, without hooks and routes. */
export function createFastify(parts: ConnectionParts): FastifyInstance {
  const { services, logger, trust, api, mustReconnect } = parts;
  const { http, timeouts } = parts.config;
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line for each request, by a hook, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // Without proxies, the address is that of the connection, which is not looked up in a list.
    trustProxy: http.trustProxy === 0 ? false : trust,
    bodyLimit: http.bodyLimit,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.silence,
    http: {
      ServerResponse: responses({ ...http, budget: services.budget, tools: api.tools }, mustReconnect),
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: timeouts.headers,
      // `hooks/message.ts` refuses requests without a Host and with several; Node would drop the second header.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      // Milliseconds between two checks of Node's timeouts, by default 30 seconds.
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      // Upgrades to HTTP/2 are declined.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    // Requests accepted before the shutdown are served normally.
    return503OnClosing: false,
    clientErrorHandler: respondToBadConnection,
    routerOptions: { maxParamLength: LIMITS.pathParameterLength },
    frameworkErrors: (error, _request, reply) => {
      // These errors occur before any hook runs.
      sendError(error, reply);
      countRequest(services.metrics, reply);
    },
  });
  // One logger for all requests: a child for each would cost 2 % of a small request. Lines about a request have its id.
  app.log.child = () => app.log;
  for (const member of ['principal', 'message', 'opened', 'span'] as const) app.decorateRequest(member, null);
  app.decorateRequest('isCounted', false);
  return app;
}

/**
 * Keeps the caller's request id if it is safe in a log line, so that services can be correlated. It is noted with the request, since every
 * response has it.
 */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  return request.requestId;
}
