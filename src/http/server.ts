import type { ApolloServer } from '@apollo/server';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Keys } from '../auth/keys.ts';
import type { Presence } from '../auth/presence.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Redis } from '../cluster/redis.ts';
import type { Config } from '../config.ts';
import { Deadlines } from '../core/deadline.ts';
import type { Context, Services } from '../pipeline/context.ts';
import type { Operations } from '../pipeline/operations.ts';
import type { OnInternalError } from '../pipeline/result.ts';
import type { OpenApi, Route, StreamRoute } from '../rest/index.ts';
import type { Streaming } from '../subscriptions/streaming.ts';
import { createFastify, trustOf } from './fastify.ts';
import { createAuthentication, createIdentification } from './hooks/authentication.ts';
import { allowOrigins } from './hooks/cors.ts';
import { refuseUnknownRoute, sendError } from './hooks/errors.ts';
import { acceptJson, type BodyReader, createBodyReader, readJsonBody } from './hooks/json-body.ts';
import { countRequests } from './hooks/metrics.ts';
import { refuseEncodedBody } from './hooks/plain-bodies.ts';
import { createContexts, type OpenContext } from './hooks/request-context.ts';
import { sendRequestId } from './hooks/request-id.ts';
import { logRequest } from './hooks/request-log.ts';
import { endSpan, resumeSpan, startSpan } from './hooks/tracing.ts';
import { closeGracefully } from './lifecycle/closing.ts';
import { createListening, type Listening } from './lifecycle/listening.ts';
import { graphqlRoutes } from './routes/graphql/index.ts';
import { guideRoutes } from './routes/guides.ts';
import { healthRoutes } from './routes/health.ts';
import { imageRoute } from './routes/images.ts';
import { metricsRoute } from './routes/metrics.ts';
import { openApiRoute } from './routes/openapi.ts';
import { FILE_OPTIONS, pageRoutes } from './routes/pages/index.ts';
import { publicKeysRoute } from './routes/public-keys.ts';
import { type RestRouteParts, restRoutes } from './routes/rest-routes.ts';
import { openStreamDoors, type StreamDoors } from './streams/index.ts';

export interface HttpServerParts {
  readonly config: Pick<Config, 'http' | 'timeouts' | 'operations' | 'connections' | 'telemetry'>;
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly streamRoutes: readonly StreamRoute[];
  readonly openApi: OpenApi;
  readonly schema: GraphQLSchema;
  readonly graphql: ApolloServer<Context>;
  readonly operations: Operations;
  readonly streaming: Streaming;
  readonly tokens: Tokens;
  readonly presence: Presence;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly redis: Redis | undefined;
  /** Whether pages offer the account of the demo data. */
  readonly offerDemo: boolean;
  readonly onInternalError: OnInternalError;
  readonly onSocketFailure: (error: unknown) => void;
  /** Called when the last request was answered, the last of them first. */
  readonly onClose: readonly (() => unknown)[];
}

export interface HttpServer extends Listening {
  readonly app: FastifyInstance;
  /** Asks clients with open connections to reconnect, to another instance or shortly after. */
  drain(): void;
}

/** What hooks and routes share. */
interface Shared extends HttpServerParts {
  readonly openContext: OpenContext;
  readonly readBody: BodyReader;
  readonly streams: StreamDoors;
  readonly isDraining: () => boolean;
}

/** The lifecycle of a request. Hooks of the same event run in the order of their lines; those of a route come after them. */
function addHooks(app: FastifyInstance, { config, services, logger, readBody }: Shared): void {
  const { metrics, tracing } = services;
  const { corsOrigins } = config.http;
  acceptJson(app);
  if (tracing) app.addHook('onRequest', startSpan(tracing));
  app.addHook('onRequest', sendRequestId);
  if (corsOrigins.length > 0) app.addHook('onRequest', allowOrigins(corsOrigins));
  app.addHook('preParsing', refuseEncodedBody);
  app.addHook('preValidation', readJsonBody(readBody));
  if (tracing) app.addHook('preHandler', resumeSpan);
  app.setNotFoundHandler(refuseUnknownRoute);
  app.setErrorHandler(sendError);
  if (tracing) app.addHook('onResponse', endSpan);
  app.addHook('onResponse', countRequests(metrics));
  if (logger.isLevelEnabled('info')) app.addHook('onResponse', logRequest);
}

/** Everything that has an address. REST comes last: its documents must not take a path of the server itself. */
function addRoutes(app: FastifyInstance, shared: Shared): void {
  const { config, services, offerDemo, openContext, readBody, streams } = shared;
  app.register(fastifyStatic, FILE_OPTIONS);
  const own = [
    ...healthRoutes({ ...shared, database: services.database }), // /healthz, /readyz
    ...(config.telemetry.metrics === 'on' ? [metricsRoute(services.metrics)] : []), // /metrics
    ...pageRoutes(offerDemo), // /, /docs, /assets
    openApiRoute(shared.openApi, services.basePath), // /openapi.json
    ...guideRoutes(), // /docs/:name
    imageRoute, // /images/:name
    publicKeysRoute(shared.keys), // /.well-known/jwks.json
    ...graphqlRoutes({ ...shared, answerAsEvents: streams.answerGraphQL }), // /graphql
  ];
  for (const route of own) app.route(route);
  const isTaken: RestRouteParts['isTaken'] = (method, url) => app.hasRoute({ method, url });
  const rest = restRoutes({
    routes: shared.routes,
    services,
    openContext,
    readBody,
    eventsOf: streams.eventsOf,
    isTaken,
  });
  for (const route of rest) app.route(route);
}

/** The end of the server: no new connection, then no stream, then the last response, then what requests have needed. */
function addClosing(app: FastifyInstance, { onClose, streams }: Shared, { unlisten }: Listening): void {
  const connections = closeGracefully(app.server);
  app.addHook('preClose', async () => connections.begin());
  app.addHook('preClose', () => streams.close());
  app.addHook('preClose', unlisten);
  app.addHook('onClose', async () => connections.end());
  // Fastify calls the last of them first.
  for (const close of onClose) app.addHook('onClose', async () => close());
}

/** The HTTP server, with its hooks and routes. It does not listen yet. */
export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { config, services, tokens, presence } = parts;
  let draining = false;
  const isDraining = () => draining;
  const trust = trustOf(config.http);
  const app = createFastify({ ...parts, trust, isDraining });
  const deadlines = new Deadlines(config.operations.deadline);
  const identify = createIdentification(tokens, services.apiKeys, presence, services.clock);
  const authenticate = createAuthentication(identify, services.clock);
  const openContext = createContexts(services, authenticate, deadlines);
  const callers = { identify, authenticate, openContext, deadlines };
  const streams = openStreamDoors(app.server, { ...parts, ...callers, trust, isDraining });
  const readBody = createBodyReader(app, openContext);
  const shared: Shared = { ...parts, openContext, readBody, streams, isDraining };
  const listening = createListening(app);
  addHooks(app, shared);
  addRoutes(app, shared);
  addClosing(app, shared, listening);
  return {
    app,
    ...listening,
    drain() {
      draining = true;
      streams.drain();
    },
  };
}
