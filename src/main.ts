import { readFile } from 'node:fs/promises';
import { type Logger, pino } from 'pino';
import { readApi } from './api.ts';
import { type App, createApp } from './app.ts';
import { KeyFileError } from './auth/key-file.ts';
import { loadKeys } from './auth/keys.ts';
import { hashPassword } from './auth/passwords.ts';
import { hasDemo, installDemo } from './cli/demo/install.ts';
import { greet } from './cli/greeting.ts';
import type { Redis } from './cluster/redis.ts';
import { type Config, ConfigError, loadConfig, withoutPassword } from './config.ts';
import { systemClock } from './core/clock.ts';
import { ApiError } from './core/errors.ts';
import { reasonOf } from './core/failure.ts';
import type { Database } from './db/database.ts';
import { migrate, openDatabase } from './db/open.ts';
import { freePort } from './http/lifecycle/free-port.ts';
import { stopOnSignals } from './http/lifecycle/shutdown.ts';
import { createMetricsServer } from './http/routes/metrics.ts';
import { loggerOptions } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Gateway } from './payments/gateway.ts';
import { createSandbox } from './payments/sandbox.ts';
import type { VerifyStripeEvent } from './payments/stripe-webhooks.ts';
import { ManifestError, readManifest } from './pipeline/admission/manifest.ts';
import { DocumentError } from './rest/index.ts';

/** Something outside of the code keeps the server from starting. */
class StartError extends Error {}

/** The composition root: settings, database, application, socket, signals. */
async function main(): Promise<void> {
  const config = await withPort(loadConfig());
  const logger = pino(loggerOptions(config.logLevel));
  const keys = await loadKeys({
    file: config.authKeysFile,
    createWhenMissing: !config.production,
    clock: systemClock,
    onReloadFailure: (error) =>
      logger.error({ err: error }, 'the key file has become unusable; the former keys stay'),
  });
  const api = readApi({ operationCost: config.operationCost, traced: config.tracing !== undefined });
  await migrate(config.databaseUrl).catch((cause: unknown) => {
    throw new StartError(`the database ${withoutPassword(config.databaseUrl)} cannot be used`, { cause });
  });
  const metrics = createMetrics({ process: true });
  const database = await openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePool,
    timed: (name, milliseconds) => metrics.statement(name, milliseconds / 1000),
    onListenerFailure: (error) =>
      logger.error({ err: error }, 'readers of the log could not be told that it has grown'),
  });
  if (config.demo) await installDemo(database, hashPassword);
  const redis = config.redisUrl === undefined ? undefined : await connectRedis(config.redisUrl, logger);

  const tracing = config.tracing && (await startTracing(config.tracing, logger));

  const {
    production,
    publicUrl,
    trustProxy,
    signIns,
    budget,
    connections,
    corsOrigins,
    deadline,
    operationPatience,
    trustedDocuments: trusted,
    webhooks,
    eventLifetime,
  } = config;
  const app = await createApp({
    api,
    database,
    keys,
    clock: systemClock,
    logger,
    metrics,
    showMetrics: config.metrics === 'on',
    offerDemo: config.demo && (await hasDemo(database)),
    publicUrl,
    production,
    trustProxy,
    signIns,
    budget,
    connections,
    deadline,
    scheduling: { patience: operationPatience },
    ...(trusted && { trustedDocuments: readManifest(await readFile(trusted.file, 'utf8'), trusted.only) }),
    corsOrigins,
    paymentEventsSecrets: config.paymentEventsSecrets,
    verifyStripeEvent: await openStripeVerifier(config),
    gateway: await openGateway(config, database, logger),
    webhooks,
    eventLifetime,
    ...(redis && { redis }),
    ...(tracing && { tracing }),
  });
  stopOnSignals(app, { database, ...(redis && { redis }), ...(tracing && { tracing }) }, logger);
  if (typeof config.metrics === 'number') await showMetricsAt(config.metrics, config.host, metrics, app);
  await app.listen({ host: config.host, port: config.port, text: `listening on ${publicUrl}` });
  app.webhooks.start();
  app.janitor.start();
  app.reconciler.start();
  if (process.stdout.isTTY || config.demo) greet(config);
}

/** OpenTelemetry is loaded only where there is somewhere to send traces to. */
async function startTracing(settings: NonNullable<Config['tracing']>, logger: Logger): Promise<Tracing> {
  const { openTracing } = await import('./observability/opentelemetry.ts');
  return openTracing({
    ...settings,
    onProblem: (message) => logger.warn({ reason: message }, 'traces could not be sent'),
  });
}

/** Stripe's package is loaded only where it moves the money: with over two hundred modules it is the largest of all. */
async function openGateway(
  { payments, production }: Config,
  database: Database,
  logger: Logger,
): Promise<Gateway> {
  if (payments.kind === 'stripe') {
    const { createStripe } = await import('./payments/stripe.ts');
    const { secretKey } = payments;
    return createStripe({
      secretKey,
      clock: systemClock,
      onFault: (fault) => logger.error({ fault }, 'Stripe refused what this server asked of it'),
    });
  }
  if (production) logger.warn('PAYMENTS is the sandbox: charges are noted, and no money moves');
  return createSandbox({ database, clock: systemClock });
}

/** As with the gateway: Stripe's package is loaded only where its events are taken. */
async function openStripeVerifier({
  stripeWebhookSecrets: secrets,
}: Config): Promise<VerifyStripeEvent | undefined> {
  if (secrets.length === 0) return undefined;
  const { createStripeVerifier } = await import('./payments/stripe-webhooks.ts');
  return createStripeVerifier(secrets);
}

/** Tokens and absolute URLs name this server's address, so a port that is left to the system is found before all else. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort(config.host);
  return {
    ...config,
    port,
    publicUrl: config.publicUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`),
  };
}

/** Serves the metrics on a port of their own, for as long as the server runs. */
async function showMetricsAt(port: number, host: string, metrics: Metrics, app: App): Promise<void> {
  const server = createMetricsServer(metrics);
  await server.listen({ host, port });
  app.http.server.once('close', () => void server.close());
}

/** As with traces: its client is loaded only where there is a Redis. */
async function connectRedis(url: string, logger: Logger): Promise<Redis> {
  const { openRedis } = await import('./cluster/redis.ts');
  return openRedis({
    url,
    onLost: (error) =>
      logger.error({ err: error }, 'Redis cannot be reached; every instance goes on by itself'),
    onBack: () => logger.info('Redis can be reached again'),
  });
}

main().catch((error: unknown) => {
  // These say in words what is to be mended; a stack would bury it.
  const isForOperator = [ConfigError, DocumentError, ManifestError, KeyFileError, StartError, ApiError].some(
    (kind) => error instanceof kind,
  );
  const isSystem = error instanceof Error && 'syscall' in error;
  const text = isForOperator || isSystem || !(error instanceof Error) ? reasonOf(error) : error.stack;
  process.stderr.write(`Portico cannot start: ${text}\n`);
  // What was opened before the failure must not keep the process alive.
  process.exit(1);
});
