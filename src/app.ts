import type { Logger } from 'pino';
import type { Api } from './api.ts';
import { type ApiKeys, createApiKeys } from './auth/api-keys.ts';
import { createOpaqueTokens, isOpaque } from './auth/apps/opaque-tokens.ts';
import { type ClientCertificates, createClientCertificates } from './auth/client-certificates.ts';
import { createProofs } from './auth/confirmation.ts';
import { CredentialUses } from './auth/credential-uses.ts';
import { keyVault } from './auth/key-vault.ts';
import type { Keys } from './auth/keys.ts';
import { createPresence, type Presence } from './auth/presence.ts';
import { createSessions } from './auth/sessions.ts';
import { createTokens, type Tokens } from './auth/tokens.ts';
import { createPositions } from './cluster/positions.ts';
import type { Redis } from './cluster/redis.ts';
import { createWakes, type Wakes } from './cluster/wakes.ts';
import type { Config } from './config.ts';
import type { Clock } from './core/clock.ts';
import { createCursors } from './core/cursors.ts';
import { ApiError } from './core/errors.ts';
import { PendingWork } from './core/pending-work.ts';
import { basePathOf, certifiedUrlOf } from './core/public-url.ts';
import type { Vault } from './core/vault.ts';
import type { Database } from './db/database.ts';
import { touchApiKey } from './db/queries/api-keys.ts';
import { touchClientCertificate } from './db/queries/client-certificates.ts';
import { traceDatabase } from './db/traced.ts';
import { checkEvents } from './events/check.ts';
import type { Listening } from './http/lifecycle/listening.ts';
import { createProviders } from './http/oauth/provider.ts';
import { createTokenFinder } from './http/oauth/stored-tokens.ts';
import { createGraphQLServer } from './http/routes/graphql/apollo.ts';
import { createHttpServer, type HttpServer, type HttpServerParts } from './http/server.ts';
import type { TlsFiles } from './http/tls/files.ts';
import { Janitor } from './jobs/janitor.ts';
import { Reconciler } from './jobs/reconciler.ts';
import { Outbox } from './mail/outbox.ts';
import type { SendMessage } from './mail/transport.ts';
import type { Metrics } from './observability/metrics.ts';
import { createMetrics } from './observability/prometheus.ts';
import { createShedLog } from './observability/shed-log.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Gateway } from './payments/gateway.ts';
import type { VerifyStripeEvent } from './payments/stripe-webhooks.ts';
import type { TrustedDocuments } from './pipeline/admission/manifest.ts';
import type { Services } from './pipeline/context.ts';
import { createDeprecatedUses } from './pipeline/deprecated-uses.ts';
import { createExpensiveQueries } from './pipeline/expensive-queries.ts';
import { createOperations } from './pipeline/operations.ts';
import { Scheduler, type SchedulerOptions } from './pipeline/scheduler.ts';
import { Usage } from './pipeline/usage.ts';
import { createMailLimit } from './rate-limit/mail-limit.ts';
import { createMemoryBudget } from './rate-limit/memory.ts';
import { createSharedBudget } from './rate-limit/shared.ts';
import { createSignInLimit } from './rate-limit/sign-in-limit.ts';
import { createOperationRunner } from './subscriptions/operation-runner.ts';
import { StreamRegistry } from './subscriptions/stream-registry.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import { createWebhooks, type WebhookSettings, type Webhooks } from './webhooks/index.ts';
import { resealSecrets } from './webhooks/secrets.ts';

export interface AppDependencies {
  /** The settings, without those of dependencies that the caller opens: the database, Redis, the keys. */
  readonly config: Omit<Config, 'database' | 'redis' | 'auth' | 'documents' | 'webhooks'> & {
    readonly webhooks: WebhookSettings;
  };
  readonly api: Api;
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gateway: Gateway;
  /** Sends mail; without it messages wait until they expire. */
  readonly sendMail?: SendMessage | undefined;
  /** The metrics of the process; a registry of the application's own when left out. */
  readonly metrics?: Metrics;
  /** Exports traces; left out to disable tracing. */
  readonly tracing?: Tracing;
  /** Connects instances; without it this is the only one. The caller closes it. */
  readonly redis?: Redis;
  /** Verifies messages of Stripe; without it none are accepted. */
  readonly verifyStripeEvent?: VerifyStripeEvent | undefined;
  /** The documents that clients were built with; none when left out. */
  readonly trustedDocuments?: TrustedDocuments;
  /** The TLS files; left out if the server speaks plain HTTP and checks no certificates. */
  readonly tls?: TlsFiles | undefined;
  /** Whether the pages offer to sign in with the account of the demo data; false when left out. */
  readonly offerDemo?: boolean;
  /** For tests: the clock, turns and capacity of the scheduler. */
  readonly scheduling?: Omit<SchedulerOptions, 'patience' | 'onShed'>;
}

export interface App extends Listening {
  readonly http: HttpServer['app'];
  /** The services of resolvers, for operations that do not come through a socket. */
  readonly services: Services;
  /** Delivers webhooks once it is started. It stops when `http` is closed. */
  readonly webhooks: Dispatcher;
  /** Sends mail once it is started. It stops when `http` is closed. */
  readonly outbox: Outbox;
  /** Writes usage counts once it is started. It stops when `http` is closed. */
  readonly usage: Usage;
  /** Directs clients and load balancers to other instances, while requests are still served. */
  drain(): void;
  /** Determines unknown outcomes of charges once it is started. It stops when `http` is closed. */
  readonly reconciler: Reconciler;
  /** Deletes expired rows once it is started. It stops when `http` is closed. */
  readonly janitor: Janitor;
}

/**
 * Creates the application: services, streams, jobs, HTTP. It opens no socket, so that tests can inject requests. Closing `http`
 * leaves the database open.
 *
 * @throws DocumentError when an operation document has a path that the server itself uses.
 */
export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { config, api, logger, redis, tls, trustedDocuments, offerDemo = false } = dependencies;
  const { production, connections } = config;
  const { schema, pricing, routes } = api;
  if (!production) checkEvents();
  const report = reporter(logger);
  const parts = createParts(dependencies);
  const { database, metrics, wakes, tokens, presence, credentialUses, webhooks, outbox, usage } = parts;
  const services = createServices(dependencies, parts);
  const { janitor, reconciler } = createJobs(dependencies, parts, services);
  const onInternalError = report('a resolver failed');
  const operations = createOperations({
    ...config.operations,
    schema,
    pricing,
    production,
    trusted: trustedDocuments,
  });
  const graphql = createGraphQLServer({ schema, operations, production, onInternalError });
  await graphql.start();

  const onFailure = report('events could not be delivered to streams');
  const streams = new StreamRegistry({ ...connections, schema, services, wakes, onFailure });
  const operationRunner = createOperationRunner({ schema, operations, services, streams, onInternalError });

  metrics.knowOperations(routes.map(({ operation }) => operation.name));
  metrics.watchPool(() => database.load());
  metrics.watchQueue(() => services.scheduler.waiting);
  const server = createHttpServer({
    ...api,
    ...createAuthorizationServer(dependencies, parts, services),
    config,
    services,
    tokens,
    presence,
    graphql,
    operations,
    operationRunner,
    proofs: createProofs(services.clock),
    keys: dependencies.keys,
    logger,
    redis,
    tls,
    offerDemo,
    hidesSchema: production,
    onInternalError,
    onSocketFailure: report('a socket failed'),
    onClose: [
      () => wakes.close(),
      () => presence.close(),
      () => graphql.stop(),
      () => webhooks.dispatcher.stop(),
      () => outbox.stop(),
      () => janitor.stop(),
      () => reconciler.stop(),
      // Requests may still be recording uses of keys and certificates: wait before the database is closed.
      () => Promise.all(credentialUses.map((uses) => uses.settled())),
      () => services.sessions.settled(),
      () => usage.stop(),
      // Responses of the payment gateway must be written even if their clients have disconnected.
      () => services.pendingWork.settled(),
    ],
  });
  await server.app.ready();
  return {
    http: server.app,
    services,
    webhooks: webhooks.dispatcher,
    outbox,
    usage,
    drain() {
      webhooks.dispatcher.drain();
      server.drain();
    },
    listen: server.listen,
    unlisten: server.unlisten,
    reconciler,
    janitor,
  };
}

/** Components that both the services and HTTP need. */
interface Parts {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly wakes: Wakes;
  readonly tokens: Tokens;
  readonly apiKeys: ApiKeys;
  readonly clientCertificates: ClientCertificates;
  /** Record when API keys and client certificates were last used. */
  readonly credentialUses: readonly CredentialUses[];
  readonly presence: Presence;
  readonly vault: Vault;
  readonly webhooks: Webhooks;
  readonly outbox: Outbox;
  readonly usage: Usage;
}

function createParts(dependencies: AppDependencies): Parts {
  const { config, keys, clock, logger, tracing, metrics = createMetrics() } = dependencies;
  const { publicUrl } = config.http;
  const report = reporter(logger);
  const database = tracing ? traceDatabase(dependencies.database, tracing) : dependencies.database;
  const vault = keyVault(keys);
  const wakes = createWakes({ database, redis: dependencies.redis });
  const keyUses = new CredentialUses({
    database,
    clock,
    touch: touchApiKey,
    onFailure: report('the use of an API key could not be recorded'),
  });
  const certificateUses = new CredentialUses({
    database,
    clock,
    touch: touchClientCertificate,
    onFailure: report('the use of a client certificate could not be recorded'),
  });
  return {
    database,
    wakes,
    metrics,
    tokens: createTokens({ keys, issuer: publicUrl, audience: publicUrl, clock }),
    credentialUses: [keyUses, certificateUses],
    apiKeys: createApiKeys({ database, clock, uses: keyUses }),
    clientCertificates: createClientCertificates({ database, clock, uses: certificateUses }),
    presence: createPresence({ database, clock }),
    vault,
    usage: new Usage({ database, clock, onFailure: report('usage counts could not be written') }),
    outbox: new Outbox({
      ...config.mail,
      database,
      clock,
      metrics,
      publicUrl,
      send: dependencies.sendMail,
      onFailure: report('mail could not be sent'),
      onGivenUp: ({ id, kind, attempts }, reason) =>
        logger.warn({ message: id, kind, attempts, reason }, 'mail was not sent'),
    }),
    webhooks: createWebhooks({
      ...config.webhooks,
      database,
      wakes,
      vault,
      clock,
      metrics,
      production: config.production,
      onFailure: report('webhooks could not be delivered'),
    }),
  };
}

function createServices(dependencies: AppDependencies, parts: Parts): Services {
  const { config, keys, clock, logger, tracing, gateway, redis, verifyStripeEvent } = dependencies;
  const { http, signIns, budget, operations, payments } = config;
  const { database, metrics, tokens, apiKeys, clientCertificates, vault, webhooks, outbox, usage } = parts;
  const onShed = createShedLog(logger, metrics);
  const limit = createSignInLimit(signIns, redis);
  return {
    database,
    clock,
    metrics,
    vault,
    apiKeys,
    clientCertificates,
    sessions: createSessions({
      database,
      tokens,
      keys,
      clock,
      limit,
      onNotRecorded: reporter(logger)('a failed sign-in could not be recorded'),
    }),
    cursors: createCursors(() => keys.secrets('cursors')),
    idempotencySecrets: () => keys.secrets('idempotency'),
    budget: redis ? createSharedBudget({ ...budget, redis, clock }) : createMemoryBudget(budget),
    scheduler: new Scheduler({ ...operations, ...dependencies.scheduling, onShed }),
    expensiveQueries: createExpensiveQueries(onShed),
    pendingWork: new PendingWork(),
    positions: database.replicas && createPositions(redis),
    targets: webhooks.targets,
    mail: { limit: createMailLimit(config.mail, redis), outbox },
    gateway,
    gatewayTimeout: payments.gatewayTimeout,
    paymentEventsSecrets: payments.paymentEventsSecrets,
    verifyStripeEvent,
    pageMax: operations.pageMax,
    responseLimit: http.responseLimit,
    publicUrl: http.publicUrl,
    basePath: basePathOf(http.publicUrl),
    noteDeprecatedUse: createDeprecatedUses(logger, metrics, usage),
    noteOperation: usage.noteOperation,
    notePoints: usage.notePoints,
    notePaymentConflict: (conflict) =>
      logger.error({ conflict }, 'the payment provider sent contradictory reports about a charge'),
    noteLateFailure: (error) =>
      logger.error(loggable(error), 'a late response of the payment gateway could not be recorded'),
    ...(tracing && { tracing }),
  };
}

/** Creates the authorization server, and the verifier of the opaque tokens that it issues. */
function createAuthorizationServer(
  { config, keys, logger }: AppDependencies,
  { tokens, presence }: Parts,
  services: Services,
): Pick<HttpServerParts, 'oauth' | 'opaqueTokens'> {
  const opaqueTokens = createOpaqueTokens({ ...services, find: createTokenFinder(services) });
  const verify = (token: string) =>
    isOpaque(token) ? opaqueTokens.verify(token, services.clock()) : tokens.verify(token);
  const oauth = createProviders({
    ...services,
    keys,
    tokens,
    current: async (token) => presence.now(await verify(token)),
    certifiedUrl: certifiedUrlOf(config.http.publicUrl, config.http.tls.certifiedPort),
    onFailure: reporter(logger)('the authorization server failed'),
  });
  return { oauth, opaqueTokens };
}

/** Creates the background jobs. They do nothing until they are started. */
function createJobs(
  { config, clock, logger }: AppDependencies,
  { database, vault }: Parts,
  { gateway, notePaymentConflict }: Services,
): Pick<App, 'janitor' | 'reconciler'> {
  const janitor = new Janitor({
    database,
    clock,
    events: config.events,
    reseal: async (signal) => {
      const { unreadable } = await resealSecrets(database, vault, signal);
      if (unreadable.length > 0) {
        logger.error({ webhooks: unreadable }, 'the key file lacks the keys of these secrets: rotate them');
      }
    },
    onFailure: (error, chore) => logger.error({ err: error, chore }, 'expired rows could not be deleted'),
  });
  const reconciler = new Reconciler({
    ...config.payments,
    database,
    gateway,
    clock,
    onOpen: (error, { id, createdAt }) =>
      logger.warn({ ...loggable(error), charge: id, createdAt }, 'the outcome of a charge is still unknown'),
    onConflict: notePaymentConflict,
    onFailure: reporter(logger)('open charges could not be read'),
  });
  return { janitor, reconciler };
}

/** Creates functions that log a failure, each with its own message. */
const reporter = (logger: Logger) => (message: string) => (error: unknown) =>
  logger.error({ err: error }, message);

/** The loggable part of a gateway's error. Its message is left out, since it repeats parts of keys; `onFault` logs the rest. */
const loggable = (error: unknown) => (error instanceof ApiError ? { code: error.code } : { err: error });
