import type { Socket } from 'node:net';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { OpaqueTokens } from '../auth/apps/opaque-tokens.ts';
import { Proofs } from '../auth/confirmation.ts';
import type { Keys } from '../auth/keys.ts';
import type { Presence } from '../auth/presence.ts';
import { createRevalidation } from '../auth/revalidation.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Redis } from '../cluster/redis.ts';
import type { Config } from '../config.ts';
import { Deadlines } from '../core/deadline.ts';
import { certifiedUrlOf } from '../core/public-url.ts';
import { reporter } from '../observability/log.ts';
import type { Services } from '../pipeline/context.ts';
import type { Operations } from '../pipeline/operations.ts';
import type { Api } from '../rest/api.ts';
import { version } from '../rest/openapi/index.ts';
import type { OperationRunner } from '../subscriptions/operation-runner.ts';
import { createExports } from './exports/index.ts';
import { createFastify, type TrustProxy, trustOf } from './fastify.ts';
import { createAuthentication, createIdentification } from './hooks/authentication.ts';
import { acceptJson, createBodyReader, readJsonBody, refuseEncodedBody } from './hooks/body.ts';
import { withCompression } from './hooks/compression.ts';
import { withConditions } from './hooks/conditions.ts';
import { allowOrigins } from './hooks/cors.ts';
import { refuseUnknownRoute } from './hooks/errors.ts';
import { passExpectations, refuseInvalidMessage } from './hooks/message.ts';
import { countRequests, endSpan, logRequest, resumeSpan, startSpan } from './hooks/observation.ts';
import { payForResponse } from './hooks/paying.ts';
import { createRefusals } from './hooks/refusals.ts';
import { createContexts } from './hooks/request-context.ts';
import { refuseTunnel } from './lifecycle/bad-connection.ts';
import { closeGracefully } from './lifecycle/closing.ts';
import { type ConnectionLimits, limitConnections } from './lifecycle/connections.ts';
import { createListening, type Listening } from './lifecycle/listening.ts';
import { takeTurns } from './lifecycle/pipelining.ts';
import { interactionRoutes } from './oauth/interactions.ts';
import { createProviders } from './oauth/provider.ts';
import {
  providedRoutes,
  readBytes,
  readForms,
  refuseForeignForms,
  resourceRoutes,
  userInfoRoutes,
} from './oauth/routes.ts';
import { createTokenFinder } from './oauth/stored-tokens.ts';
import { docsRoutes } from './routes/docs/index.ts';
import { createGraphQLServer } from './routes/graphql/apollo.ts';
import { graphqlRoutes } from './routes/graphql/index.ts';
import { type HealthParts, healthRoutes } from './routes/health.ts';
import { imageRoute } from './routes/images.ts';
import { mcpRoute } from './routes/mcp/index.ts';
import { openApiRoute, publicKeysRoute, securityRoutes } from './routes/metadata.ts';
import { withOtherMethods } from './routes/methods.ts';
import { metricsRoute } from './routes/metrics.ts';
import { consoleRoutes } from './routes/pages/console.ts';
import { FILE_OPTIONS, pageRoutes } from './routes/pages/index.ts';
import { type RestRouteParts, restRoutes } from './routes/rest-routes.ts';
import { openStreamDoors, type StreamDoorsOptions } from './streams/index.ts';
import type { TlsFiles } from './tls/files.ts';
import { createForwardedReader, readCertificate } from './tls/forwarded.ts';
import { isOutdated } from './tls/server.ts';

export interface HttpServerParts {
  readonly config: Pick<
    Config,
    'production' | 'http' | 'timeouts' | 'operations' | 'connections' | 'telemetry'
  >;
  readonly api: Api;
  readonly services: Services;
  readonly operations: Operations;
  readonly operationRunner: OperationRunner;
  readonly tokens: Tokens;
  readonly presence: Presence;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly redis?: Redis | undefined;
  /** The files of TLS; left out for plain HTTP without a proxy that forwards client certificates. */
  readonly tls?: TlsFiles | undefined;
  /** Whether the pages offer the demo account, because the database has it; false when left out. */
  readonly offerDemo?: boolean;
  /** Functions to call after the last response, in this order. */
  readonly onClose: readonly (() => unknown)[];
}

export interface HttpServer extends Listening {
  readonly app: FastifyInstance;
  /** Reports by `/readyz` that this process stops. */
  leave(): void;
  /** Asks clients with open connections to reconnect, to another instance or shortly after. */
  drain(): void;
}

/** The parts that the application passes, and those of the connections. */
interface Parts
  extends HttpServerParts,
    Pick<StreamDoorsOptions, 'trust' | 'isDraining' | 'mustReconnect'>,
    Pick<HealthParts, 'isLeaving'> {}

/** What is created here, and shared by hooks and routes. */
type Shared = ReturnType<typeof createShared>;

/** Adds the hooks of a request. Hooks of the same event run in this order, and before the hooks of a route. */
function addHooks(app: FastifyInstance, { config, services, logger }: Parts, shared: Shared): void {
  const { readBody, readForwarded, authenticate } = shared;
  const { metrics, tracing } = services;
  const { corsOrigins } = config.http;
  acceptJson(app);
  if (tracing) app.addHook('onRequest', startSpan(tracing));
  app.addHook('onRequest', refuseInvalidMessage);
  if (readForwarded) app.addHook('onRequest', readCertificate(readForwarded));
  if (corsOrigins.length > 0) app.addHook('onRequest', allowOrigins(corsOrigins));
  app.addHook('preParsing', refuseEncodedBody);
  app.addHook('preValidation', readJsonBody(readBody));
  if (tracing) app.addHook('preHandler', resumeSpan);
  app.addHook('onSend', payForResponse(services));
  app.setNotFoundHandler(refuseUnknownRoute);
  app.setErrorHandler(createRefusals(services, authenticate));
  if (tracing) app.addHook('onResponse', endSpan);
  app.addHook('onResponse', countRequests(metrics));
  if (logger.isLevelEnabled('info')) app.addHook('onResponse', logRequest);
}

/** Adds the authorization server. Its bodies are forms, so its routes have their own scopes. */
function addOAuthRoutes(app: FastifyInstance, { services, config, api }: Parts, shared: Shared): void {
  const { publicUrl } = config.http;
  const { budget, clock, database, sessions } = services;
  const { provider, authenticate } = shared;
  const parts = { budget, clock, provider, publicUrl };
  app.register(async (scope) => {
    readBytes(scope);
    for (const route of providedRoutes(parts)) scope.route(route); // /oauth, /device, /.well-known
  });
  app.register(async (scope) => {
    readForms(scope, 'refused');
    const routes = interactionRoutes({ ...parts, database, sessions }, refuseForeignForms(publicUrl));
    for (const route of routes) scope.route(route); // /oauth/interaction
  });
  app.register(async (scope) => {
    readForms(scope, 'ignored');
    for (const route of userInfoRoutes({ database, authenticate })) scope.route(route); // /oauth/userinfo
  });
  // /.well-known/oauth-protected-resource, also of /mcp
  for (const route of resourceRoutes(publicUrl, api.tools)) app.route(route);
}

/** Adds all routes. REST is added last, since its documents must not use a path of the server itself. */
function addRoutes(app: FastifyInstance, parts: Parts, shared: Shared): void {
  const { config, api, services, operations, logger, redis, isLeaving, keys, offerDemo = false } = parts;
  const { graphql, openContext, streams, readBody, exports } = shared;
  const { database, metrics, basePath, clock } = services;
  const { publicUrl, corsOrigins, compression } = config.http;
  const { tools, openApi, schema, routes } = api;
  const pages = { offerDemo, hidesSchema: config.production };
  app.register(fastifyStatic, FILE_OPTIONS);
  const own = [
    ...healthRoutes({ logger, database, redis, isLeaving }), // /healthz, /readyz
    ...(config.telemetry.metrics === true ? [metricsRoute(metrics)] : []), // /metrics
    ...pageRoutes(pages), // /, /assets
    ...consoleRoutes(basePath, offerDemo), // /console
    openApiRoute(openApi, config.http), // /openapi.json
    ...securityRoutes(config.http, clock), // /.well-known/security.txt
    ...docsRoutes({ openApi, schema, ...pages, basePath }), // /docs, /docs/:name
    imageRoute, // /images/:name
    publicKeysRoute(keys), // /.well-known/jwks.json
    ...graphqlRoutes({ pages, graphql, operations, openContext, streams }), // /graphql
    mcpRoute({ tools, openContext, logger, publicUrl, corsOrigins, version }), // /mcp
  ];
  const add = (route: RouteOptions) => app.route(compression ? withCompression(route) : route);
  withOtherMethods(withConditions(own)).forEach(add);
  addOAuthRoutes(app, parts, shared);
  const isTaken: RestRouteParts['isTaken'] = (method, url) => app.hasRoute({ method, url });
  const { eventsOf } = streams;
  restRoutes({ routes, services, openContext, readBody, exports, eventsOf, isTaken }).forEach(add);
}

/** Adds the steps in which the server closes: connections, streams, exports, the last responses, then the requests' dependencies. */
function addClosing(
  app: FastifyInstance,
  { onClose }: Parts,
  { graphql, streams, exports }: Shared,
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

/** Returns what verifies the credentials of callers. */
function createVerifiers({ services, tokens, presence }: Parts) {
  const { database, clock, apiKeys, clientCertificates } = services;
  const opaqueTokens = new OpaqueTokens({ database, clock, find: createTokenFinder(services) });
  const proofs = new Proofs(clock);
  return { tokens, opaqueTokens, apiKeys, clientCertificates, proofs, presence, clock };
}

function createShared(app: FastifyInstance, parts: Parts) {
  const { config, api, services, operations, operationRunner, keys, logger, tls, trust } = parts;
  const { isDraining, mustReconnect } = parts;
  const { production, http, timeouts } = config;
  const report = reporter(logger);
  const verifiers = createVerifiers(parts);
  const identify = createIdentification(verifiers);
  const authenticate = createAuthentication(identify, http.publicUrl);
  const deadlines = new Deadlines(config.operations.deadline);
  const openContext = createContexts(services, authenticate, deadlines);
  const { header: format } = http.tls;
  const readForwarded =
    format && createForwardedReader({ format, trusts: trust, authorities: () => tls?.authorities });
  return {
    authenticate,
    openContext,
    readForwarded,
    readBody: createBodyReader(app, openContext),
    graphql: createGraphQLServer({ schema: api.schema, operations, production, services }),
    provider: createProviders({
      ...services,
      ...verifiers,
      keys,
      certifiedUrl: certifiedUrlOf(http.publicUrl, http.tls.certifiedPort),
      onFailure: report('the authorization server failed'),
    }),
    streams: openStreamDoors(app.server, {
      config,
      operationRunner,
      streamRoutes: api.streamRoutes,
      identify,
      authenticate,
      openContext,
      deadlines,
      trust,
      readForwarded,
      isDraining,
      mustReconnect,
      onSocketFailure: report('a socket failed'),
    }),
    exports: createExports({
      services,
      openContext,
      deadlines,
      timeouts,
      isDraining,
      compresses: http.compression,
      requireStillValid: createRevalidation(verifiers),
    }),
  };
}

/** WebSockets have a limit of their own, which leaves the others as many connections. */
const connectionLimits = (
  { connections }: Pick<Config, 'connections'>,
  trust: TrustProxy,
): ConnectionLimits => ({
  perNetwork: connections.connectionsPerNetwork + connections.socketsPerNetwork,
  isProxy: (address) => trust(address, 0),
});

/** Creates the HTTP server with its hooks and routes. It does not listen yet. */
export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { http } = parts.config;
  let leaving = false;
  let draining = false;
  const isDraining = () => draining;
  const tls = http.tls.cert === undefined ? undefined : parts.tls;
  const mustReconnect = tls ? (connection: Socket) => draining || isOutdated(connection) : isDraining;
  const all = { ...parts, trust: trustOf(http), isLeaving: () => leaving, isDraining, mustReconnect };
  const app = createFastify(all);
  takeTurns(app.server);
  const shared = createShared(app, all);
  const limit = limitConnections(connectionLimits(parts.config, all.trust));
  if (!tls) limit(app.server);
  const listening = createListening(app, tls, undefined, limit);
  app.server.on('connect', refuseTunnel);
  passExpectations(app.server);
  app.addHook('onReady', () => shared.graphql.start());
  addHooks(app, all, shared);
  addRoutes(app, all, shared);
  addClosing(app, all, shared, listening);
  return {
    app,
    ...listening,
    leave() {
      leaving = true;
    },
    drain() {
      leaving = true;
      draining = true;
      shared.streams.drain();
    },
  };
}
