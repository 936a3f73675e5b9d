import './core/env-file.ts';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { type App, createApp } from './app.ts';
import { KeyFileError } from './auth/key-file.ts';
import { loadKeys } from './auth/keys.ts';
import { hashPassword } from './auth/passwords.ts';
import { hasDemo, installDemo } from './cli/demo/install.ts';
import { greet } from './cli/greeting.ts';
import { openRedis, type Redis } from './cluster/redis.ts';
import { joinWorkers } from './cluster/workers.ts';
import { type Config, ConfigError, hasTlsFiles, loadConfig, misspelledSettings } from './config.ts';
import { systemClock } from './core/clock.ts';
import { withoutPassword } from './core/environment.ts';
import { ApiError } from './core/errors.ts';
import { reasonOf } from './core/failure.ts';
import { withPort } from './core/free-port.ts';
import { placeOf } from './core/public-url.ts';
import type { Database } from './db/database.ts';
import { migrate, openDatabase } from './db/open.ts';
import { SdlError } from './graphql/sdl.ts';
import { createListening } from './http/lifecycle/listening.ts';
import { stopOnSignals } from './http/lifecycle/shutdown.ts';
import { createMetricsServer } from './http/routes/metrics.ts';
import { type Expiry, TlsFileError, TlsFiles } from './http/tls/files.ts';
import { openMailServer, type SendMessage, sendToLog } from './mail/transport.ts';
import { loggerOptions, reporter } from './observability/log.ts';
import { LogOutput } from './observability/log-output.ts';
import type { Metrics } from './observability/metrics.ts';
import { createMetrics } from './observability/prometheus.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Gateway } from './payments/gateway.ts';
import { createSandbox } from './payments/sandbox.ts';
import type { VerifyStripeEvent } from './payments/stripe-webhooks.ts';
import { ManifestError, readManifest, type TrustedDocuments } from './pipeline/admission/manifest.ts';
import { readApi } from './rest/api.ts';
import { DocumentError } from './rest/compile/documents.ts';

/** A problem outside of the code that prevents the start. */
class StartError extends Error {}

/** Returns a handler that names the settings in a failure to listen, whose reason has an address at most. */
const cannotListen =
  (settings: string) =>
  (cause: unknown): never => {
    throw new StartError(`the server cannot listen: check ${settings}`, { cause });
  };

/** The composition root: settings, database, application, socket, signals. */
async function main(): Promise<void> {
  const settings = loadConfig();
  // This comes first, since tokens and absolute URLs contain the port.
  const config = { ...settings, http: await withPort(settings.http).catch(cannotListen('HOST')) };
  const { production, http, database: place, auth, telemetry, operations, demo } = config;
  const logger = pino(loggerOptions(telemetry.logLevel), new LogOutput());
  const report = reporter(logger);
  for (const problem of misspelledSettings()) logger.warn(problem);
  const keys = await loadKeys({
    file: auth.keysFile,
    createWhenMissing: !production,
    clock: systemClock,
    onReloadFailure: report('the key file has become unusable; the previous keys stay in use'),
  }).catch((error: unknown) => {
    if (!production || !(error instanceof KeyFileError) || !error.isMissing) throw error;
    throw new StartError(
      `the key file ${auth.keysFile} does not exist. Create it with "npx portico keys create", or correct AUTH_KEYS_FILE`,
    );
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
    timed: metrics.statement,
    onListenerFailure: report('readers of the log could not be notified'),
    onRefusal: report(
      'the database refuses changes: its disk is full or fails, it is read-only, or its file was replaced',
    ),
  });
  if (demo) await installDemo(database, hashPassword);
  const offerDemo = demo && (await hasDemo(database));
  const redis = await connectRedis(config.redis, logger);
  const tracing = await startTracing(telemetry, logger);
  const connections = { database, redis, tracing };
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
    sendMail: openMail(config, logger),
    verifyStripeEvent: await openStripeVerifier(config.payments),
    tls,
    offerDemo,
    trustedDocuments: await readTrustedDocuments(config.documents),
  });
  stopOnSignals(app, connections, logger, config.timeouts.shutdownDelay);
  if (tls) watchTlsFiles(tls, app);
  if (typeof telemetry.metrics === 'number') await serveMetrics(telemetry.metrics, http, metrics, app);
  // Prevents V8 from allocating objects of requests in the old generation. It does so if objects created by the same piece of code have
  // often survived, as most objects of a start do. One such object keeps its whole request in memory until the next full collection. In
  // about half of all processes each young collection then took 7 ms instead of 1, for good: such a process answered 4,750 requests a
  // second for a user with orders instead of 6,260 (10 processes in turns; none is slow with this option). It is set after the modules
  // are loaded, since Node's compile cache rejects code that was compiled with other options.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const ports = http.tls.certifiedPort === undefined ? 'HOST and PORT' : 'HOST, PORT and MTLS_PORT';
  await app
    .listen({ ...http, ...http.tls, text: `listening on ${placeOf(http)}` })
    .catch(cannotListen(ports));
  worker?.listens();
  app.start();
  if (!worker && (process.stdout.isTTY || demo)) greet(config, offerDemo);
}

const EXPIRED: Readonly<Record<Expiry['kind'], string>> = {
  certificate: 'the certificate of the server has expired: clients refuse it',
  authority: 'the certificate of an authority has expired: client certificates that it issued are refused',
  revocations:
    'a list of revoked certificates has expired: all client certificates of its authority are refused',
};

/** Opens the TLS files; undefined if the settings name none. */
function openTls(tls: Config['http']['tls'], logger: Logger): TlsFiles | undefined {
  if (!hasTlsFiles(tls)) return undefined;
  const { cert, key, ca, crl } = tls;
  return new TlsFiles({
    paths: { cert, key, ca, crl },
    onFailure: reporter(logger)('the TLS files have become unusable; the previous ones stay in use'),
    onRenewal: () => logger.info('the TLS files have changed'),
    onExpiry: ({ kind, path, at }) => logger.warn({ path, expiredAt: at }, EXPIRED[kind]),
    onMissingList: ({ path, authority }) =>
      logger.warn(
        { path, authority },
        'an authority has no list of revoked certificates: all client certificates below it are refused',
      ),
  });
}

/** Applies changes of the TLS files while the server runs. */
function watchTlsFiles(tls: TlsFiles, app: App): void {
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

/** Starts tracing. OpenTelemetry is loaded only if there is an endpoint for traces. */
async function startTracing({ tracing }: Config['telemetry'], logger: Logger): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { openTracing } = await import('./observability/opentelemetry.ts');
  return openTracing({
    ...tracing,
    onProblem: (message) => logger.warn({ reason: message }, 'traces could not be sent'),
  });
}

/** Opens the payment gateway. Stripe's package is loaded only if it is the provider: with over 200 modules it is the largest. */
async function openGateway(
  { payments, production }: Pick<Config, 'payments' | 'production'>,
  database: Database,
  logger: Logger,
): Promise<Gateway> {
  if (payments.provider === 'stripe') {
    const { StripeGateway } = await import('./payments/stripe.ts');
    return new StripeGateway({
      secretKey: payments.stripeSecretKey,
      clock: systemClock,
      onFault: (fault) => logger.error({ fault }, 'Stripe refused a request of this server'),
    });
  }
  if (production) logger.warn('PAYMENTS is the sandbox: charges are recorded, but no money moves');
  return createSandbox({ database, clock: systemClock });
}

function openMail(
  { mail: { url, from }, production }: Pick<Config, 'mail' | 'production'>,
  logger: Logger,
): SendMessage | undefined {
  if (url !== undefined) return openMailServer({ url, from });
  if (!production) return sendToLog(logger);
  logger.warn('MAIL_URL is not set: password resets and invitations are not mailed');
  return undefined;
}

/** Opens the verifier of Stripe's events. As with the gateway, Stripe's package is loaded only if they are accepted. */
async function openStripeVerifier({
  stripeWebhookSecrets: secrets,
}: Config['payments']): Promise<VerifyStripeEvent | undefined> {
  if (secrets.length === 0) return undefined;
  const { createStripeVerifier } = await import('./payments/stripe-webhooks.ts');
  return createStripeVerifier(secrets);
}

/** Serves the metrics on their own port while the server runs. */
async function serveMetrics(
  port: number,
  { host, sharesPort }: Config['http'],
  metrics: Metrics,
  app: App,
): Promise<void> {
  const server = createMetricsServer(metrics);
  // Fastify's own `listen` reads the network interfaces, which the sandbox of `deploy/portico.service` does not permit.
  const { listen, unlisten } = createListening(server);
  await listen({ host, port, sharesPort, sockets: 1, text: 'listening for metrics' }).catch(
    cannotListen('HOST and METRICS'),
  );
  app.http.server.once('close', () => {
    void unlisten();
    void server.close();
  });
}

/** Connects to Redis; undefined if the settings name none. */
async function connectRedis({ url }: Config['redis'], logger: Logger): Promise<Redis | undefined> {
  if (url === undefined) return undefined;
  return openRedis({
    url,
    onLost: reporter(logger)('Redis cannot be reached; every instance continues on its own'),
    onBack: () => logger.info('Redis is reachable again'),
    onRefused: reporter(logger)('Redis refuses commands; every instance continues on its own'),
  });
}

// A server continues without its output. Its log has a destination of its own.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

main().catch((error: unknown) => {
  // The messages of these errors describe what to fix; a stack trace would hide that.
  const isForOperator = [
    ConfigError,
    DocumentError,
    ManifestError,
    SdlError,
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
