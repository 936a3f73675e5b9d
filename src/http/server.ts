import { randomUUID } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Keys } from '../auth/keys.ts';
import type { Presence } from '../auth/presence.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Redis } from '../cluster/redis.ts';
import { Deadlines } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Context, Services } from '../pipeline/context.ts';
import type { Operations } from '../pipeline/operations.ts';
import type { OnInternalError } from '../pipeline/result.ts';
import type { OpenApi, Route } from '../rest/index.ts';
import { createAuthentication, createIdentification } from './hooks/authentication.ts';
import { allowOrigins } from './hooks/cors.ts';
import { answerError } from './hooks/errors.ts';
import { acceptJsonOnly } from './hooks/json-body.ts';
import { addMetrics, countRequest, countRequests } from './hooks/metrics.ts';
import { acceptPlainBodiesOnly } from './hooks/plain-bodies.ts';
import { createContexts } from './hooks/request-context.ts';
import { logRequests } from './hooks/request-log.ts';
import { responses } from './hooks/response.ts';
import { traceRequests } from './hooks/tracing.ts';
import { answerBadConnection } from './lifecycle/bad-connection.ts';
import { boundClosing } from './lifecycle/leaving.ts';
import { createListening, type Listening } from './lifecycle/listening.ts';
import { addGraphQLRoute } from './routes/graphql/index.ts';
import { createKnownOperations } from './routes/graphql/known-operations.ts';
import { addGuides } from './routes/guides.ts';
import { addHealth } from './routes/health.ts';
import { addImages } from './routes/images.ts';
import { addOpenApi } from './routes/openapi.ts';
import { addPages } from './routes/pages/index.ts';
import { addRestRoutes } from './routes/rest-routes.ts';
import { openStreamDoors, type StreamDoorsOptions } from './streams/index.ts';

/** Milliseconds after which a connection is given up. */
export interface Timeouts {
  /** In which the headers of a request must have arrived. */
  readonly headers: number;
  /** In which the whole request must have arrived. */
  readonly request: number;
  /** In which something must be sent or taken: a client that does not read its answer holds it in memory. */
  readonly silence: number;
}

export interface HttpServerParts {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly openApi: OpenApi;
  readonly graphql: ApolloServer<Context>;
  readonly operations: Operations;
  readonly onInternalError: OnInternalError;
  readonly tokens: Tokens;
  readonly presence: Presence;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly trustProxy: number | string;
  readonly redis: Redis | undefined;
  /** Milliseconds that an operation may take. */
  readonly deadline: number;
  /** Whether `/metrics` is among the routes. */
  readonly showMetrics: boolean;
  /** Whether pages offer the account of the demo data. */
  readonly offerDemo: boolean;
  readonly timeouts: Timeouts;
  /** Origins whose pages may read answers. */
  readonly corsOrigins: readonly string[];
  readonly isDraining: () => boolean;
  /** What is needed to stream. */
  readonly streaming: Pick<
    StreamDoorsOptions,
    'schema' | 'streaming' | 'streamRoutes' | 'socketsPerNetwork' | 'anonymousSocketTimeout' | 'onFailure'
  >;
}

export interface HttpServer extends Listening {
  readonly app: FastifyInstance;
  /** Tells clients whose connections stay open to come back, to another instance or in a moment. */
  drain(): void;
}

/** The HTTP server, with everything that answers on it. It does not listen yet. */
export function createHttpServer(parts: HttpServerParts): HttpServer {
  const {
    services,
    routes,
    openApi,
    graphql,
    operations,
    onInternalError,
    tokens,
    presence,
    keys,
    logger,
    trustProxy,
    redis,
    isDraining,
    streaming,
    deadline,
    showMetrics,
    offerDemo,
    timeouts,
    corsOrigins,
  } = parts;
  const { clock } = services;
  const deadlines = new Deadlines(deadline);
  const identify = createIdentification(tokens, services.apiKeys, presence, clock);
  const authenticate = createAuthentication(identify, clock);
  const trust =
    typeof trustProxy === 'string' ? trustProxy : (_address: string, hop: number) => hop < trustProxy;
  const openContext = createContexts(services, authenticate, deadlines);
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line for each request, below, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: trust,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.silence,
    http: {
      ServerResponse: responses(
        {
          publicUrl: services.publicUrl,
          variesByOrigin: corsOrigins.length > 0,
          budget: services.budget,
        },
        isDraining,
      ),
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: timeouts.headers,
      // How often Node looks whether a time is over, which is otherwise twice a minute.
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      // Some clients offer to go on in HTTP/2, which is theirs to offer and not taken up.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    // What was accepted before the server was told to leave is answered like everything else.
    return503OnClosing: false,
    clientErrorHandler: answerBadConnection,
    routerOptions: { maxParamLength: LIMITS.pathParameterLength },
    frameworkErrors: (error, request, reply) => {
      // These come before any hook.
      reply.header('x-request-id', request.id);
      answerError(error, request, reply);
      countRequest(services.metrics, request, reply);
    },
  });
  // A logger for each request takes a fiftieth of a small one. Lines that are about a request name its id themselves.
  app.log.child = () => app.log;
  if (services.tracing) traceRequests(app, services.tracing);
  app.decorateRequest('principal', null);
  app.decorateRequest('message', null);
  app.decorateRequest('opened', null);
  boundClosing(app);
  acceptJsonOnly(app, openContext);
  acceptPlainBodiesOnly(app);
  countRequests(app, services.metrics);
  if (logger.isLevelEnabled('info')) logRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  allowOrigins(app, corsOrigins);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request) => {
    throw new ApiError('route_not_found', {
      message: `There is no route ${request.method} ${request.url.split('?', 1)[0]}.`,
    });
  });

  addHealth(app, { database: services.database, redis, isDraining });
  if (showMetrics) addMetrics(app, services.metrics);
  addPages(app, offerDemo);
  addOpenApi(app, openApi, services.basePath);
  addGuides(app);
  addImages(app);
  app.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE}`).send(keys.publicJwks()),
  );
  const doors = openStreamDoors(app, {
    ...streaming,
    identify,
    authenticate,
    openContext,
    deadlines,
    publicUrl: services.publicUrl,
    corsOrigins,
    trustProxy: trust,
    isDraining,
  });
  const answerKnown = createKnownOperations(operations, openContext, onInternalError);
  addGraphQLRoute(app, graphql, openContext, doors.answerGraphQL, answerKnown, operations, offerDemo);
  addRestRoutes(app, routes, services, openContext, (path) => doors.eventsOf(path));
  return { app, drain: () => doors.drain(), ...createListening(app) };
}

/** Seconds that others may keep our public keys: short against the hour that a retired key still verifies. */
const JWKS_MAX_AGE = 300;

/** A caller's own id is kept when it can stand in a log line, so that it can be followed through several services. */
function requestId({ headers }: { headers: Record<string, string | string[] | undefined> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
