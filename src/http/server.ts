import proxyAddr from '@fastify/proxy-addr';
import fastifyStatic from '@fastify/static';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type RouteOptions,
} from 'fastify';
import { OpaqueTokens } from '../auth/apps/opaque-tokens.ts';
import { Proofs } from '../auth/confirmation.ts';
import type { Config } from '../config.ts';
import { Deadlines } from '../core/deadline.ts';
import { listOf } from '../core/environment.ts';
import { LIMITS } from '../core/limits.ts';
import { createServerUrls } from '../core/public-url.ts';
import { createExports } from './exports/index.ts';
import { createAuthentication, createIdentification } from './hooks/authentication.ts';
import { acceptJson, createBodyReader, readJsonBody, refuseEncodedBody } from './hooks/body.ts';
import { readForwardedAddress } from './hooks/client-address.ts';
import { withCompression } from './hooks/compression.ts';
import { withConditions } from './hooks/conditions.ts';
import { allowOrigins } from './hooks/cors.ts';
import { refuseUnknownRoute, sendError } from './hooks/errors.ts';
import { passExpectations, refuseInvalidMessage } from './hooks/message.ts';
import { countRequest, noteRequests, resumeSpan, shareLogger, startSpan } from './hooks/observation.ts';
import { createRefusals } from './hooks/refusals.ts';
import { createContexts, payForResponse } from './hooks/request-context.ts';
import { commonHeaders, requestId, responses } from './hooks/response.ts';
import { limitUnread, UnreadResponses } from './hooks/unread.ts';
import { refuseTunnels, respondToBadConnections } from './lifecycle/bad-connection.ts';
import {
  closeGracefully,
  createDeparture,
  isWritingTo,
  limitConnections,
  takeTurns,
} from './lifecycle/connections.ts';
import { createListening, type Listening } from './lifecycle/listening.ts';
import { interactionRoutes } from './oauth/interactions.ts';
import { createProviders } from './oauth/provider.ts';
import { createTokenFinder } from './oauth/records.ts';
import { providedRoutes, readBytes, readForms, resourceRoutes, userInfoRoutes } from './oauth/routes.ts';
import type { ConnectionParts, HttpParts, HttpServerParts, TrustProxy } from './parts.ts';
import { docsRoutes } from './routes/docs/index.ts';
import { createGraphQLServer } from './routes/graphql/apollo.ts';
import { graphqlRoutes } from './routes/graphql/index.ts';
import { healthRoutes } from './routes/health.ts';
import { imageRoute } from './routes/images.ts';
import { mcpRoute } from './routes/mcp/index.ts';
import { openApiRoute, publicKeysRoute, securityRoutes } from './routes/metadata.ts';
import { withOtherMethods } from './routes/methods.ts';
import { metricsRoute } from './routes/metrics.ts';
import { consoleRoutes } from './routes/pages/console.ts';
import { FILE_OPTIONS, pageRoutes } from './routes/pages/index.ts';
import { restRoutes } from './routes/rest-routes.ts';
import { openStreamDoors } from './streams/index.ts';
import { createForwardedReader, readCertificate } from './tls/forwarded.ts';
import { isOutdated } from './tls/server.ts';

/** @param trustProxy the number of proxies in front, or a list of their addresses. */
export const trustOf = ({ trustProxy }: Pick<Config['http'], 'trustProxy'>): TrustProxy =>
  typeof trustProxy === 'string'
    ? proxyAddr.compile(listOf(trustProxy))
    : (_address, hop) => hop < trustProxy;

/** Creates Fastify with the options of this server, without hooks and routes. */
function createFastify(parts: ConnectionParts): FastifyInstance {
  const { services, logger, trust, api, mustReconnect } = parts;
  const { http, timeouts } = parts.config;
  const allow = allowOrigins(http.corsOrigins);
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
      // `refuseInvalidMessage` refuses requests without a Host and with several; Node would drop the second header.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      // Milliseconds between two checks of Node's timeouts, by default 30 seconds.
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      // Upgrades to HTTP/2 are declined, those of HTTP/1.0 (RFC 9110, section 7.8), and those before the responses to earlier requests.
      shouldUpgradeCallback: ({ headers, httpVersion, socket }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && httpVersion !== '1.0' && !isWritingTo(socket),
    },
    // Requests accepted before the shutdown are served normally.
    return503OnClosing: false,
    clientErrorHandler: respondToBadConnections(commonHeaders(http)),
    routerOptions: { maxParamLength: LIMITS.pathParameterLength },
    frameworkErrors: (error, request, reply) => {
      // These errors occur before any hook runs.
      allow(request, reply, () => sendError(error, reply));
      countRequest(services.metrics, reply);
    },
  });
  shareLogger(app);
  for (const member of ['principal', 'message', 'opened', 'span'] as const) app.decorateRequest(member, null);
  app.decorateRequest('isCounted', false);
  return app;
}

export interface HttpServer extends Listening {
  readonly app: FastifyInstance;
  /** Reports by `/readyz` that this process stops. */
  leave(): void;
  /** Asks clients with open connections to reconnect, to another instance or shortly after. */
  drain(): void;
}

/** Adds the hooks of a request. Hooks of the same event run in this order, and before the hooks of a route. */
function addHooks(app: FastifyInstance, parts: HttpParts): void {
  const { config, services, logger, readForwarded } = parts;
  const { metrics, tracing } = services;
  const { corsOrigins } = config.http;
  acceptJson(app);
  app.addHook('onRequest', noteRequests(metrics, logger.isLevelEnabled('info')));
  if (config.http.trustProxy !== 0) app.addHook('onRequest', readForwardedAddress);
  if (tracing) app.addHook('onRequest', startSpan(tracing));
  app.addHook('onRequest', refuseInvalidMessage);
  if (readForwarded) app.addHook('onRequest', readCertificate(readForwarded));
  if (corsOrigins.length > 0) app.addHook('onRequest', allowOrigins(corsOrigins));
  app.addHook('preParsing', refuseEncodedBody);
  app.addHook('preValidation', readJsonBody(parts.readBody));
  if (tracing) app.addHook('preHandler', resumeSpan);
  app.addHook('onSend', payForResponse(services));
  app.addHook('onSend', limitUnread(new UnreadResponses()));
  app.setNotFoundHandler(refuseUnknownRoute);
  app.setErrorHandler(createRefusals(parts));
}

/** Adds the authorization server. Its bodies are forms, so its routes have their own scopes. Returns its routes. */
function addOAuthRoutes(
  app: FastifyInstance,
  parts: HttpParts,
  { provider }: Doors,
): readonly RouteOptions[] {
  const readers: readonly [(scope: FastifyInstance) => void, readonly RouteOptions[]][] = [
    [readBytes, providedRoutes(parts, provider)], // /oauth, /device, /.well-known
    [(scope) => readForms(scope, 'refused'), interactionRoutes(parts, provider)], // /oauth/interaction
    [(scope) => readForms(scope, 'ignored'), userInfoRoutes(parts)], // /oauth/userinfo
    [() => undefined, resourceRoutes(parts)], // /.well-known/oauth-protected-resource, also of /mcp
  ];
  return readers.flatMap(([readBodies, routes]) => {
    app.register(async (scope) => {
      readBodies(scope);
      for (const route of routes) scope.route(route);
    });
    return routes;
  });
}

/** Adds all routes. REST is added last, since its documents must not use a path of the server itself. */
function addRoutes(app: FastifyInstance, parts: HttpParts, doors: Doors): void {
  const { config, services, keys } = parts;
  app.register(fastifyStatic, FILE_OPTIONS);
  const own = [
    ...healthRoutes(parts), // /healthz, /readyz
    ...(config.telemetry.metrics === true ? [metricsRoute(services.metrics)] : []), // /metrics
    ...pageRoutes(parts), // /, /assets
    ...consoleRoutes(parts), // /console
    openApiRoute(parts), // /openapi.json
    ...securityRoutes(parts), // /.well-known/security.txt
    ...docsRoutes(parts), // /docs, /docs/:name
    imageRoute, // /images/:name
    publicKeysRoute(keys), // /.well-known/jwks.json
    ...graphqlRoutes(parts, doors), // /graphql
    mcpRoute(parts), // /mcp
  ];
  const add = (route: RouteOptions) => app.route(config.http.compression ? withCompression(route) : route);
  withOtherMethods(withConditions(own)).forEach(add);
  const taken = [...own, ...addOAuthRoutes(app, parts, doors)].map(({ url }) => url);
  restRoutes({ ...parts, ...doors }, taken).forEach(add);
}

/** Adds the steps in which the server closes: connections, streams, exports, the last responses, then the requests' dependencies. */
function addClosing(
  app: FastifyInstance,
  { onClose }: HttpParts,
  { graphql, streams, exports }: Doors,
  { unlisten }: Listening,
): void {
  const connections = closeGracefully(app.server);
  app.addHook('preClose', async () => connections.begin());
  app.addHook('preClose', () => streams.close());
  app.addHook('preClose', async () => exports.close());
  app.addHook('preClose', unlisten);
  // Fastify calls these hooks in reverse order.
  for (const close of [...onClose, () => graphql.stop(), () => connections.end()].reverse()) {
    app.addHook('onClose', async () => close());
  }
}

/** Creates what identifies callers, and reads their requests. */
function createHttpParts(app: FastifyInstance, parts: ConnectionParts): HttpParts {
  const { config, services, tokens, presence, tls, trust } = parts;
  const { database, clock, apiKeys, clientCertificates } = services;
  const opaqueTokens = new OpaqueTokens({ database, clock, find: createTokenFinder(services) });
  const proofs = new Proofs(clock);
  const verifiers = { tokens, opaqueTokens, apiKeys, clientCertificates, proofs, presence, clock };
  const identify = createIdentification(verifiers);
  const serverUrls = createServerUrls(services.publicUrl, config.http.tls.certifiedPort);
  const authenticate = createAuthentication(identify, services.publicUrl, serverUrls);
  const deadlines = new Deadlines(config.operations.deadline);
  const openContext = createContexts(services, authenticate, deadlines);
  const { header: format } = config.http.tls;
  const readForwarded =
    format && createForwardedReader({ format, trusts: trust, authorities: () => tls?.authorities });
  const readBody = createBodyReader(app, openContext);
  return {
    ...parts,
    serverUrls,
    verifiers,
    identify,
    authenticate,
    deadlines,
    openContext,
    readForwarded,
    readBody,
  };
}

/** What several routes share, and what must be closed. */
type Doors = ReturnType<typeof createDoors>;

const createDoors = (app: FastifyInstance, parts: HttpParts) => ({
  graphql: createGraphQLServer(parts),
  provider: createProviders(parts),
  streams: openStreamDoors(app.server, parts),
  exports: createExports(parts),
});

/** Creates the HTTP server with its hooks and routes. It does not listen yet. */
export function createHttpServer(given: HttpServerParts): HttpServer {
  const { http, connections } = given.config;
  const tls = http.tls.cert === undefined ? undefined : given.tls;
  const { leave, drain, ...departure } = createDeparture(tls && isOutdated);
  const trust = trustOf(http);
  const connected: ConnectionParts = {
    ...given,
    offerDemo: given.offerDemo ?? false,
    trust,
    ...departure,
  };
  const app = createFastify(connected);
  takeTurns(app.server);
  const parts = createHttpParts(app, connected);
  const doors = createDoors(app, parts);
  const limit = limitConnections({
    // WebSockets have a limit of their own, which leaves the others as many connections.
    perNetwork: connections.connectionsPerNetwork + connections.socketsPerNetwork,
    isProxy: (address) => trust(address, 0),
  });
  if (!tls) limit(app.server);
  const listening = createListening(app, tls, undefined, limit);
  app.server.on('connect', refuseTunnels(commonHeaders(http)));
  passExpectations(app.server);
  app.addHook('onReady', () => doors.graphql.start());
  addHooks(app, parts);
  addRoutes(app, parts, doors);
  addClosing(app, parts, doors, listening);
  return {
    app,
    ...listening,
    leave,
    drain() {
      drain();
      doors.streams.drain();
    },
  };
}
