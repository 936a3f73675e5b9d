import type { Logger } from 'pino';
import { ApiKeys } from './auth/api-keys.ts';
import { ClientCertificates } from './auth/client-certificates.ts';
import type { Keys } from './auth/keys.ts';
import { Presence } from './auth/presence.ts';
import { Sessions } from './auth/sessions.ts';
import { Tokens } from './auth/tokens.ts';
import { createPositions } from './cluster/positions.ts';
import { isDegraded, type Redis } from './cluster/redis.ts';
import { createWakes } from './cluster/wakes.ts';
import type { Config } from './config.ts';
import type { Clock } from './core/clock.ts';
import { createCursors } from './core/cursors.ts';
import { ApiError } from './core/errors.ts';
import { LIMITS } from './core/limits.ts';
import { PendingWork } from './core/pending-work.ts';
import { settleAll } from './core/promises.ts';
import { basePathOf } from './core/public-url.ts';
import type { OpenDatabase } from './db/database.ts';
import { traceDatabase } from './db/traced.ts';
import { checkEvents } from './events/check.ts';
import type { Listening } from './http/lifecycle/listening.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { TlsFiles } from './http/tls/files.ts';
import { Janitor } from './jobs/janitor.ts';
import { Reconciler } from './jobs/reconciler.ts';
import { Outbox } from './mail/outbox.ts';
import type { SendMessage } from './mail/transport.ts';
import { reporter } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import { createMetrics } from './observability/prometheus.ts';
import { createShedLog } from './observability/shed-log.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Gateway } from './payments/gateway.ts';
import type { PaymentConflict } from './payments/settling.ts';
import type { VerifyStripeEvent } from './payments/stripe-webhooks.ts';
import type { TrustedDocuments } from './pipeline/admission/manifest.ts';
import type { Services } from './pipeline/context.ts';
import { createOperations } from './pipeline/operations.ts';
import { createExpensiveQueries, Scheduler, type SchedulerOptions } from './pipeline/scheduler.ts';
import { createDeprecatedUses, Usage } from './pipeline/usage.ts';
import { createMemoryBudget } from './rate-limit/budget.ts';
import { createMailLimit } from './rate-limit/mail-limit.ts';
import { createSharedBudget } from './rate-limit/shared.ts';
import { createSignInLimit } from './rate-limit/sign-in-limit.ts';
import type { Api } from './rest/api.ts';
import { createOperationRunner } from './subscriptions/operation-runner.ts';
import { StreamRegistry } from './subscriptions/stream-registry.ts';
import { Dispatcher, type DispatcherOptions } from './webhooks/dispatcher.ts';
import { resealSecrets } from './webhooks/secrets.ts';
import { createSender, type SenderOptions } from './webhooks/sender.ts';
import { createTargets, type Resolve } from './webhooks/targets.ts';

export interface AppDependencies {
  /** The settings, without those of dependencies that the caller opens: the database, Redis, the keys. */
  readonly config: Omit<Config, 'database' | 'redis' | 'auth' | 'documents' | 'webhooks'> & {
    readonly webhooks: Config['webhooks'] & WebhookTestSettings;
  };
  readonly api: Api;
  readonly database: OpenDatabase;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gateway: Gateway;
  /** Sends mail; without it messages wait until they expire. */
  readonly sendMail?: SendMessage | undefined;
  /** The metrics of the process; a registry of the application's own when left out. */
  readonly metrics?: Metrics;
  /** Exports traces; left out to disable tracing. */
  readonly tracing?: Tracing | undefined;
  /** Connects instances; without it this is the only one. The caller closes it. */
  readonly redis?: Redis | undefined;
  /** Verifies messages of Stripe; without it none are accepted. */
  readonly verifyStripeEvent?: VerifyStripeEvent | undefined;
  /** The documents that clients were built with; none when left out. */
  readonly trustedDocuments?: TrustedDocuments | undefined;
  /** The TLS files; left out if the server speaks plain HTTP and checks no certificates. */
  readonly tls?: TlsFiles | undefined;
  /** Whether the pages offer to sign in with the account of the demo data; false when left out. */
  readonly offerDemo?: boolean;
  /** For tests: the clock, turns and capacity of the scheduler. */
  readonly scheduling?: Omit<SchedulerOptions, 'patience' | 'onShed'>;
}

/** Settings of webhooks that only tests change. */
interface WebhookTestSettings
  extends Pick<SenderOptions, 'ca' | 'timeout'>,
    Pick<DispatcherOptions, 'schedule' | 'lease' | 'poll' | 'concurrency'> {
  /** Resolves host names; by default the name servers of this machine do. */
  readonly resolve?: Resolve;
}

export interface App extends Listening, Jobs {
  readonly http: HttpServer['app'];
  /** The services of resolvers, for operations that do not come through a socket. */
  readonly services: Services;
  /** Starts all jobs. They stop when `http` is closed. */
  start(): void;
  /** Directs load balancers to other instances, by `/readyz`. Everything else works as before. */
  leave(): void;
  /** Directs clients to other instances as well, while requests are still served. */
  drain(): void;
}

type Jobs = ReturnType<typeof createJobs>['jobs'];

/**
 * Creates the application: services, streams, jobs, HTTP. It opens no socket, so that tests can inject requests. Closing `http`
 * leaves the database open.
 *
 * @throws DocumentError when an operation document has a path that the server itself uses.
 */
export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { config, api, trustedDocuments: trusted } = dependencies;
  const { schema, pricing, routes } = api;
  const { production } = config;
  if (!production) checkEvents();
  const parts = createParts(dependencies);
  const { database, metrics, redis, tls, wakes, report } = parts;
  const { targets, jobs } = createJobs(parts);
  const { tokens, presence, settled, ...credentials } = createCredentials(parts);
  const services = createServices(parts, { targets, ...credentials }, jobs);
  const operations = createOperations({ ...config.operations, schema, pricing, production, trusted });
  const onFailure = report('events could not be delivered to streams');
  const streams = new StreamRegistry({ ...config.connections, schema, services, wakes, presence, onFailure });
  metrics.knowOperations(routes.map(({ document }) => document.name));
  metrics.watchPool(() => database.load());
  metrics.watchQueue(() => services.scheduler.waiting);
  metrics.watchDependencies(() => ({
    refusesChanges: database.refusesChanges,
    lacksRedis: redis !== undefined && isDegraded(redis),
    expiries: tls?.expiries ?? [],
  }));
  const server = createHttpServer({
    ...parts,
    services,
    tokens,
    presence,
    operations,
    operationRunner: createOperationRunner({ schema, operations, services, streams }),
    onClose: [
      // At the same time, because several of them wait for other servers. Responses of the payment gateway must be written even if
      // their clients have disconnected.
      () =>
        settleAll([
          services.pendingWork.settled(),
          settled(),
          ...Object.values(jobs).map((job) => job.stop()),
        ]),
      () => presence.close(),
      () => wakes.close(),
    ],
  });
  await server.app.ready();
  return {
    ...jobs,
    http: server.app,
    services,
    start() {
      for (const job of Object.values(jobs)) job.start();
    },
    leave: server.leave,
    drain() {
      jobs.webhooks.drain();
      server.drain();
    },
    listen: server.listen,
    unlisten: server.unlisten,
  };
}

/** Adds to the dependencies what all parts of the application share. */
function createParts(dependencies: AppDependencies) {
  const { keys, logger, redis, tracing, metrics = createMetrics() } = dependencies;
  const database = tracing ? traceDatabase(dependencies.database, tracing) : dependencies.database;
  const wakes = createWakes({ database, redis });
  return { ...dependencies, database, metrics, vault: keys.createVault(), wakes, report: reporter(logger) };
}

type Parts = ReturnType<typeof createParts>;

function createCredentials({ config, database, keys, clock, redis, report }: Parts) {
  const { publicUrl } = config.http;
  const tokens = new Tokens({ keys, issuer: publicUrl, audience: publicUrl, clock });
  const sessions = new Sessions({
    database,
    tokens,
    keys,
    clock,
    limit: createSignInLimit(config.signIns, redis),
    onNotRecorded: report('a failed sign-in could not be recorded'),
  });
  const apiKeys = new ApiKeys({
    database,
    clock,
    onNotRecorded: report('the use of an API key could not be recorded'),
  });
  const clientCertificates = new ClientCertificates({
    database,
    clock,
    onNotRecorded: report('the use of a client certificate could not be recorded'),
  });
  return {
    tokens,
    sessions,
    presence: new Presence(database, clock),
    apiKeys,
    clientCertificates,
    /** Resolves when all uses and failed sign-ins are recorded. Then the database may be closed. */
    settled: () => Promise.all([apiKeys, clientCertificates, sessions].map((each) => each.settled())),
  };
}

/** Creates the work in the background, which does nothing until it is started, and the check of the targets of webhooks. */
function createJobs(parts: Parts) {
  const { config, database, clock, vault, logger, report } = parts;
  const { allowLoopback, resolve, ...sending } = config.webhooks;
  const targets = createTargets({ allowHttp: !config.production, allowLoopback }, resolve);
  const webhooks = new Dispatcher({
    ...parts,
    ...sending,
    send: createSender({ targets, ...sending }),
    onFailure: report('webhooks could not be delivered'),
  });
  const outbox = new Outbox({
    ...parts,
    ...config.mail,
    publicUrl: config.http.publicUrl,
    send: parts.sendMail,
    onFailure: report('mail could not be sent'),
    onGivenUp: ({ id, kind, attempts }, reason) =>
      logger.warn({ message: id, kind, attempts, reason }, 'mail was not sent'),
  });
  const usage = new Usage({ database, clock, onFailure: report('usage counts could not be written') });
  const reconciler = new Reconciler({
    ...parts,
    ...config.payments,
    onOpen: (error, { id, createdAt }) =>
      logger.warn({ ...loggable(error), charge: id, createdAt }, 'the outcome of a charge is still unknown'),
    onConflict: conflictLog(logger),
    onFailure: report('open charges could not be read'),
  });
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
  return { targets, jobs: { usage, reconciler, janitor, outbox, webhooks } };
}

function createServices(
  parts: Parts,
  made: Pick<Services, 'sessions' | 'apiKeys' | 'clientCertificates' | 'targets'>,
  { outbox, usage }: Jobs,
): Services {
  const { config, database, metrics, vault, keys, clock, logger, tracing, redis } = parts;
  const { http, budget, operations, payments } = config;
  const onShed = createShedLog(logger, metrics);
  return {
    ...made,
    database,
    clock,
    metrics,
    vault,
    cursors: createCursors(() => keys.secrets('cursors')),
    idempotencySecrets: () => keys.secrets('idempotency'),
    budget: redis ? createSharedBudget({ ...budget, redis, clock }) : createMemoryBudget(budget),
    scheduler: new Scheduler({ ...operations, ...parts.scheduling, onShed }),
    expensiveQueries: createExpensiveQueries(onShed),
    pendingWork: new PendingWork(),
    positions: database.replicas && createPositions(redis),
    mail: { limit: createMailLimit(config.mail, redis), outbox },
    gateway: parts.gateway,
    gatewayTimeout: Math.min(payments.gatewayTimeout, operations.deadline * LIMITS.gatewayPart),
    payments: {
      paymentEventsSecrets: payments.paymentEventsSecrets,
      verifyStripeEvent: parts.verifyStripeEvent,
    },
    pageMax: operations.pageMax,
    responseLimit: http.responseLimit,
    publicUrl: http.publicUrl,
    basePath: basePathOf(http.publicUrl),
    noteInternalError: (err, reqId) => logger.error({ reqId, err }, 'a resolver failed'),
    noteDeprecatedUse: createDeprecatedUses(logger, metrics, usage),
    noteOperation: usage.noteOperation,
    notePoints: usage.notePoints,
    notePaymentConflict: conflictLog(logger),
    noteLateFailure: (error) =>
      logger.error(loggable(error), 'a late response of the payment gateway could not be recorded'),
    ...(tracing && { tracing }),
  };
}

const conflictLog = (logger: Logger) => (conflict: PaymentConflict) =>
  logger.error({ conflict }, 'the payment provider sent contradictory reports about a charge');

/** The loggable part of a gateway's error. Its message is left out, since it repeats parts of keys; `onFault` logs the rest. */
const loggable = (error: unknown) => (error instanceof ApiError ? { code: error.code } : { err: error });
