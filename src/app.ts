import type { Logger } from 'pino';
import type { Api } from './api.ts';
import { createApiKeys } from './auth/api-keys.ts';
import { keyVault } from './auth/key-vault.ts';
import type { Keys } from './auth/keys.ts';
import { createPresence } from './auth/presence.ts';
import { createSessions } from './auth/sessions.ts';
import { createTokens } from './auth/tokens.ts';
import type { Redis } from './cluster/redis.ts';
import { createWakes } from './cluster/wakes.ts';
import type { Clock } from './core/clock.ts';
import { createCursors } from './core/cursors.ts';
import { ApiError } from './core/errors.ts';
import { LIMITS } from './core/limits.ts';
import { basePathOf } from './core/public-url.ts';
import { UnderWay } from './core/under-way.ts';
import type { Database } from './db/database.ts';
import { traceDatabase } from './db/traced.ts';
import type { Timeouts } from './http/fastify.ts';
import type { Listening } from './http/lifecycle/listening.ts';
import { createGraphQLServer } from './http/routes/graphql/apollo.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { createJanitor, type Janitor } from './jobs/janitor.ts';
import { createReconciler, type Reconciler } from './jobs/reconciler.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { createShedLog } from './observability/shed-log.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Gateway } from './payments/gateway.ts';
import type { PaymentConflict } from './payments/settling.ts';
import type { VerifyStripeEvent } from './payments/stripe-webhooks.ts';
import type { TrustedDocuments } from './pipeline/admission/manifest.ts';
import type { Services } from './pipeline/context.ts';
import { createDeprecatedUses } from './pipeline/deprecated-uses.ts';
import { createExpensiveQueries } from './pipeline/expensive-queries.ts';
import { createOperations } from './pipeline/operations.ts';
import { Scheduler, type SchedulerOptions } from './pipeline/scheduler.ts';
import type { BudgetOptions } from './rate-limit/bucket.ts';
import { createMemoryBudget } from './rate-limit/memory.ts';
import { createSharedBudget } from './rate-limit/shared.ts';
import { createSignInLimit, type SignInLimitOptions } from './rate-limit/sign-in-limit.ts';
import { createStreaming } from './subscriptions/streaming.ts';
import { createStreams } from './subscriptions/streams.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import { createWebhooks, type WebhookSettings } from './webhooks/index.ts';
import { resealSecrets } from './webhooks/secrets.ts';

const DEFAULT_SIGN_INS: SignInLimitOptions = {
  perAccount: LIMITS.signInsPerAccount,
  fromUnknown: LIMITS.signInsFromUnknown,
  perAddress: LIMITS.signInsPerAddress,
};

const DEFAULT_TIMEOUTS: Timeouts = {
  headers: LIMITS.headersTimeout,
  request: LIMITS.requestTimeout,
  silence: LIMITS.silenceTimeout,
};

const DEFAULT_BUDGET: BudgetOptions = { points: LIMITS.budgetPoints, perSecond: LIMITS.budgetPerSecond };

/** Bounds of what stays open. */
export interface ConnectionLimits {
  /** Streams of one caller. */
  readonly streamsPerCaller: number;
  /** WebSockets from one network. */
  readonly socketsPerNetwork: number;
  /** Milliseconds that a WebSocket without credentials may be open without an operation. */
  readonly anonymousSocketTimeout: number;
}

export interface AppDependencies {
  readonly api: Api;
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where clients reach this server, without a slash at its end. Issuer and audience of its tokens, too. */
  readonly publicUrl: string;
  readonly production: boolean;
  /** Whether the pages offer the account of the demo data to sign in with; they do not when left out. */
  readonly offerDemo?: boolean;
  readonly trustProxy: number | string;
  /** Where it is counted what happens; the application's own registry when left out. */
  readonly metrics?: Metrics;
  /** Whether `/metrics` is among the routes; it is when left out. */
  readonly showMetrics?: boolean;
  /** Where traces go; left out where there are none. */
  readonly tracing?: Tracing;
  /** Who moves money. */
  readonly gateway: Gateway;
  /** Milliseconds that a caller waits for the gateway; those of `limits.ts` when left out. */
  readonly gatewayTimeout?: number;
  /** Milliseconds between two looks for charges whose outcome is not known; those of `limits.ts` when left out. */
  readonly reconcileInterval?: number;
  /** What the payment provider signs its messages with; without one none are taken. */
  readonly paymentEventsSecrets?: readonly string[];
  /** Verifies messages of Stripe; without it none are taken. */
  readonly verifyStripeEvent?: VerifyStripeEvent | undefined;
  /** Bounds on wrong passwords; those of `limits.ts` when left out. */
  readonly signIns?: SignInLimitOptions;
  /** What each caller may spend; that of `limits.ts` when left out. */
  readonly budget?: BudgetOptions;
  /** When operations start and how many wait; as `limits.ts` says when left out. */
  readonly scheduling?: Omit<SchedulerOptions, 'onShed'>;
  /** Bounds of what stays open; those of `limits.ts` when left out. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Documents that clients were built with; none when left out. */
  readonly trustedDocuments?: TrustedDocuments;
  /** When connections are given up; as `limits.ts` says when left out. */
  readonly timeouts?: Timeouts;
  /** Origins whose pages may read answers; none when left out. */
  readonly corsOrigins?: readonly string[];
  /** Milliseconds that an operation may take; those of `limits.ts` when left out. */
  readonly deadline?: number;
  /** Milliseconds that events are kept; those of `limits.ts` when left out. */
  readonly eventLifetime?: number;
  /** Where instances hear from each other; without it this is the only one. It is left to whoever opened it. */
  readonly redis?: Redis;
  /** How webhooks are sent, where it is not as in `limits.ts` and to the public internet alone. */
  readonly webhooks?: WebhookSettings;
}

export interface App extends Listening {
  readonly http: HttpServer['app'];
  /** What resolvers are given, for operations that come through no socket. */
  readonly services: Services;
  /** Delivers webhooks once it is started. It stops when `http` is closed. */
  readonly webhooks: Dispatcher;
  /** From now on, tell clients and load balancers to go elsewhere, while everything is still answered. */
  drain(): void;
  /** Asks the gateway about charges whose outcome is not known. As the janitor, it is to be started. */
  readonly reconciler: Reconciler;
  /** Removes what has become old. It does nothing before it is started, and is stopped when `http` is closed. */
  readonly janitor: Janitor;
}

/** What the gateway itself says is left out, as it repeats parts of keys; `onFault` of the gateway has the rest. */
const loggable = (error: unknown) => (error instanceof ApiError ? { code: error.code } : { err: error });

/**
 * Puts the server together: services, streams, HTTP. It opens no socket, so that tests can call it as it is; closing `http`
 * leaves the database to whoever opened it.
 *
 * @throws DocumentError when an operation document has a path of the server itself.
 */
export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { keys, clock, logger, tracing, publicUrl, production, trustProxy, gateway } = dependencies;
  const { signIns = DEFAULT_SIGN_INS, deadline = LIMITS.deadline, trustedDocuments } = dependencies;
  const { gatewayTimeout = LIMITS.gatewayTimeout } = dependencies;
  const { metrics = createMetrics(), budget = DEFAULT_BUDGET, redis } = dependencies;
  const { schema, pricing, routes, streamRoutes, openApi } = dependencies.api;
  const { streamsPerCaller, socketsPerNetwork, anonymousSocketTimeout } = {
    ...LIMITS,
    ...dependencies.connections,
  };
  const database = tracing ? traceDatabase(dependencies.database, tracing) : dependencies.database;
  const tokens = createTokens({ keys, issuer: publicUrl, audience: publicUrl, clock });
  const apiKeys = createApiKeys({
    database,
    clock,
    onUseNotNoted: (error) => logger.error({ err: error }, 'the use of an API key could not be noted'),
  });
  const presence = createPresence({ database, clock });
  const vault = keyVault(keys);
  const { targets, dispatcher } = createWebhooks({
    ...dependencies.webhooks,
    database,
    vault,
    clock,
    metrics,
    production,
    onFailure: (error) => logger.error({ err: error }, 'webhooks could not be delivered'),
  });
  const onShed = createShedLog(logger, metrics);
  const scheduler = new Scheduler({ ...dependencies.scheduling, onShed });
  const expensiveQueries = createExpensiveQueries(onShed);
  const notePaymentConflict = (conflict: PaymentConflict) =>
    logger.error({ conflict }, 'the payment provider contradicts what it said of a charge');
  const services: Services = {
    database,
    scheduler,
    expensiveQueries,
    clock,
    metrics,
    ...(tracing && { tracing }),
    publicUrl,
    basePath: basePathOf(publicUrl),
    sessions: createSessions({ database, tokens, keys, clock, limit: createSignInLimit(signIns, redis) }),
    apiKeys,
    cursors: createCursors(() => keys.secrets('cursors')),
    budget: redis ? createSharedBudget({ ...budget, redis, clock }) : createMemoryBudget(budget),
    noteDeprecatedUse: createDeprecatedUses(logger, metrics),
    idempotencySecrets: () => keys.secrets('idempotency'),
    underWay: new UnderWay(),
    paymentEventsSecrets: dependencies.paymentEventsSecrets ?? [],
    verifyStripeEvent: dependencies.verifyStripeEvent,
    gateway,
    gatewayTimeout,
    notePaymentConflict,
    noteLateFailure: (error) =>
      logger.error(loggable(error), 'a late answer of the payment gateway could not be written'),
    targets,
    vault,
  };
  metrics.knowOperations(routes.map(({ operation }) => operation.name));
  metrics.watchPool(() => database.load());
  metrics.watchQueue(() => scheduler.waiting);
  const operations = createOperations({ schema, pricing, production, trusted: trustedDocuments });
  const onInternalError = (cause: unknown) => logger.error({ err: cause }, 'a resolver failed');
  const graphql = createGraphQLServer({
    schema,
    operations,
    production,
    onInternalError,
  });
  await graphql.start();

  const wakes = createWakes({ database, redis });
  const streams = createStreams({
    schema,
    services,
    wakes,
    perCaller: streamsPerCaller,
    onFailure: (error) => logger.error({ err: error }, 'events could not be passed on'),
  });
  const janitor = createJanitor({
    database,
    clock,
    eventLifetime: dependencies.eventLifetime,
    reseal: async (signal) => {
      const { unreadable } = await resealSecrets(database, vault, signal);
      if (unreadable.length > 0) {
        logger.error({ webhooks: unreadable }, 'the key file lacks the keys of these secrets: make new ones');
      }
    },
    onFailure: (error, chore) => logger.error({ err: error, chore }, 'what is old could not be removed'),
  });
  const reconciler = createReconciler({
    database,
    gateway,
    clock,
    interval: dependencies.reconcileInterval,
    timeout: gatewayTimeout,
    onOpen: (error, { id, createdAt }) =>
      logger.warn({ ...loggable(error), charge: id, createdAt }, 'the outcome of a charge is not known yet'),
    onConflict: notePaymentConflict,
    onFailure: (error) => logger.error({ err: error }, 'open charges could not be looked for'),
  });
  const {
    app: http,
    drain,
    listen,
    unlisten,
  } = createHttpServer({
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
    deadline,
    showMetrics: dependencies.showMetrics ?? true,
    offerDemo: dependencies.offerDemo ?? false,
    timeouts: dependencies.timeouts ?? DEFAULT_TIMEOUTS,
    corsOrigins: dependencies.corsOrigins ?? [],
    onClose: [
      () => wakes.close(),
      () => presence.close(),
      () => graphql.stop(),
      () => dispatcher.stop(),
      () => janitor.stop(),
      () => reconciler.stop(),
      // What requests began to write of keys is awaited before the database goes.
      () => apiKeys.settled(),
      // The clients may have gone; the answer of the payment gateway must be written all the same.
      () => services.underWay.settled(),
    ],
    streaming: {
      schema,
      streaming: createStreaming({ schema, operations, services, streams, onInternalError }),
      streamRoutes,
      socketsPerNetwork,
      anonymousSocketTimeout,
      onFailure: (error) => logger.error({ err: error }, 'a socket failed'),
    },
  });
  await http.ready();
  return {
    http,
    services,
    webhooks: dispatcher,
    drain() {
      dispatcher.drain();
      drain();
    },
    listen,
    unlisten,
    reconciler,
    janitor,
  };
}
