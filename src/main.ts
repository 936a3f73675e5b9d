import './env-file.ts';
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
import { joinWorkers } from './cluster/workers.ts';
import { type Config, ConfigError, loadConfig, nearSettings } from './config.ts';
import { systemClock } from './core/clock.ts';
import { withoutPassword } from './core/environment.ts';
import { ApiError } from './core/errors.ts';
import { reasonOf } from './core/failure.ts';
import { freePort } from './core/free-port.ts';
import type { Database } from './db/database.ts';
import { migrate, openDatabase } from './db/open.ts';
import { stopOnSignals } from './http/lifecycle/shutdown.ts';
import { createMetricsServer } from './http/routes/metrics.ts';
import { type Expiry, TlsFileError, TlsFiles } from './http/tls/files.ts';
import { openMailServer, type SendMessage, sendToLog } from './mail/transport.ts';
import { loggerOptions } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Gateway } from './payments/gateway.ts';
import { createSandbox } from './payments/sandbox.ts';
import type { VerifyStripeEvent } from './payments/stripe-webhooks.ts';
import { ManifestError, readManifest, type TrustedDocuments } from './pipeline/admission/manifest.ts';
import { DocumentError } from './rest/index.ts';

/** Something outside of the code keeps the server from starting. */
class StartError extends Error {}

/** The composition root: settings, database, application, socket, signals. */
async function main(): Promise<void> {
  const config = await withPort(loadConfig());
  const { production, http, database: place, auth, telemetry, operations, demo } = config;
  const logger = pino(loggerOptions(telemetry.logLevel));
  for (const slip of nearSettings()) logger.warn(slip);
  const keys = await loadKeys({
    file: auth.keysFile,
    createWhenMissing: !production,
    clock: systemClock,
    onReloadFailure: (error) =>
      logger.error({ err: error }, 'the key file has become unusable; the former keys stay'),
  });
  const api = readApi({ operations, traced: telemetry.tracing !== undefined });
  await migrate(place.directUrl).catch((cause: unknown) => {
    throw new StartError(`the database ${withoutPassword(place.directUrl)} cannot be used`, { cause });
  });
  const own = createMetrics({ process: true });
  const worker = joinWorkers(http.sharesPort, own.text);
  const metrics = worker ? { ...own, text: worker.metrics } : own;
  const database = await openDatabase({
    ...place,
    timed: (name, milliseconds) => metrics.statement(name, milliseconds / 1000),
    onListenerFailure: (error) => logger.error({ err: error }, 'readers of the log could not be woken'),
  });
  if (demo) await installDemo(database, hashPassword);
  const redis = await connectRedis(config.redis, logger);
  const tracing = await startTracing(telemetry, logger);
  const connections = { database, ...(redis && { redis }), ...(tracing && { tracing }) };
  const trustedDocuments = await readTrustedDocuments(config.documents);
  const tls = openTls(http.tls, logger);
  const app = await createApp({
    ...connections,
    config,
    api,
    keys,
    clock: systemClock,
    logger,
    metrics,
    gateway: await openGateway(config, database, logger),
    sendMail: await openMail(config, logger),
    verifyStripeEvent: await openStripeVerifier(config.payments),
    tls,
    offerDemo: demo && (await hasDemo(database)),
    ...(trustedDocuments && { trustedDocuments }),
  });
  stopOnSignals(app, connections, logger);
  if (tls) followFiles(tls, app);
  if (typeof telemetry.metrics === 'number') await showMetricsAt(telemetry.metrics, http, metrics, app);
  await app.listen({ ...http, ...http.tls, text: `listening on ${http.publicUrl}` });
  worker?.listens();
  app.webhooks.start();
  app.outbox.start();
  app.janitor.start();
  app.reconciler.start();
  app.usage.start();
  if (!worker && (process.stdout.isTTY || demo)) greet(config);
}

const EXPIRED: Readonly<Record<Expiry['kind'], string>> = {
  certificate: 'the certificate of the server has expired: clients refuse it',
  authority: 'the certificate of an authority has expired: client certificates that it issued are refused',
  revocations:
    'a list of revoked certificates has expired: all client certificates of its authority are refused',
};

/** Undefined where no file of TLS is named. */
function openTls({ cert, key, ca, crl }: Config['http']['tls'], logger: Logger): TlsFiles | undefined {
  if ([cert, key, ca, crl].every((path) => path === undefined)) return undefined;
  return new TlsFiles({
    paths: { cert, key, ca, crl },
    onFailure: (error) =>
      logger.error({ err: error }, 'the files of TLS have become unusable; the former ones stay'),
    onRenewal: () => logger.info('the files of TLS have changed'),
    onExpiry: ({ kind, path, at }) => logger.warn({ path, expiredAt: at }, EXPIRED[kind]),
  });
}

/** Has the files count as they are at any time, for as long as the server runs. */
function followFiles(tls: TlsFiles, app: App): void {
  tls.watch();
  process.on('SIGHUP', () => tls.reload());
  app.http.server.once('close', () => tls.close());
}

async function readTrustedDocuments({
  trusted,
  file,
}: Config['documents']): Promise<TrustedDocuments | undefined> {
  return trusted === 'off' ? undefined : readManifest(await readFile(file, 'utf8'), trusted === 'only');
}

/** OpenTelemetry is loaded only where there is somewhere to send traces to. */
async function startTracing({ tracing }: Config['telemetry'], logger: Logger): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { openTracing } = await import('./observability/opentelemetry.ts');
  return openTracing({
    ...tracing,
    onProblem: (message) => logger.warn({ reason: message }, 'traces could not be sent'),
  });
}

/** Stripe's package is loaded only where it moves the money: with over two hundred modules it is the largest of all. */
async function openGateway(
  { payments, production }: Pick<Config, 'payments' | 'production'>,
  database: Database,
  logger: Logger,
): Promise<Gateway> {
  if (payments.provider === 'stripe') {
    const { createStripe } = await import('./payments/stripe.ts');
    return createStripe({
      secretKey: payments.stripeSecretKey,
      clock: systemClock,
      onFault: (fault) => logger.error({ fault }, 'Stripe refused a request of this server'),
    });
  }
  if (production) logger.warn('PAYMENTS is the sandbox: charges are noted, and no money moves');
  return createSandbox({ database, clock: systemClock });
}

/** Nodemailer is loaded only where there is a mail server. */
async function openMail(
  { mail: { url, from }, production }: Pick<Config, 'mail' | 'production'>,
  logger: Logger,
): Promise<SendMessage | undefined> {
  if (url !== undefined) return openMailServer({ url, from });
  if (!production) return sendToLog(logger);
  logger.warn('MAIL_URL is not set: password resets and invitations are not mailed');
  return undefined;
}

/** As with the gateway: Stripe's package is loaded only where its events are taken. */
async function openStripeVerifier({
  stripeWebhookSecrets: secrets,
}: Config['payments']): Promise<VerifyStripeEvent | undefined> {
  if (secrets.length === 0) return undefined;
  const { createStripeVerifier } = await import('./payments/stripe-webhooks.ts');
  return createStripeVerifier(secrets);
}

/** Tokens and absolute URLs name this server's address, so a port that is left to the system is found before all else. */
async function withPort(config: Config): Promise<Config> {
  const { host, port: wanted, publicUrl } = config.http;
  if (wanted !== 0) return config;
  const port = await freePort(host);
  const url = publicUrl.replace(/^(https?:\/\/localhost):0$/, `$1:${port}`);
  return { ...config, http: { ...config.http, port, publicUrl: url } };
}

/** Serves the metrics on a port of their own, for as long as the server runs. */
async function showMetricsAt(
  port: number,
  { host, sharesPort }: Config['http'],
  metrics: Metrics,
  app: App,
): Promise<void> {
  const server = createMetricsServer(metrics);
  await server.listen({ host, port, ...(sharesPort && { reusePort: true }) });
  app.http.server.once('close', () => void server.close());
}

/** As with traces: its client is loaded only where there is a Redis. */
async function connectRedis({ url }: Config['redis'], logger: Logger): Promise<Redis | undefined> {
  if (url === undefined) return undefined;
  const { openRedis } = await import('./cluster/redis.ts');
  return openRedis({
    url,
    onLost: (error) =>
      logger.error({ err: error }, 'Redis cannot be reached; every instance goes on by itself'),
    onBack: () => logger.info('Redis is reachable again'),
  });
}

main().catch((error: unknown) => {
  // These say in words what is to be mended; a stack would bury it.
  const isForOperator = [
    ConfigError,
    DocumentError,
    ManifestError,
    KeyFileError,
    TlsFileError,
    StartError,
    ApiError,
  ].some((kind) => error instanceof kind);
  const isSystem = error instanceof Error && 'syscall' in error;
  const text = isForOperator || isSystem || !(error instanceof Error) ? reasonOf(error) : error.stack;
  process.stderr.write(`Portico cannot start: ${text}\n`);
  // What was opened before the failure must not keep the process alive.
  process.exit(1);
});
