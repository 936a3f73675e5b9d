/**
 * The settings: the only reader of the environment, and the only place of their defaults. They come in groups, and a group is
 * passed on whole to where it is used. `docs/configuration.md` describes each variable.
 *
 * Members without a variable are the same on every server; tests shorten them.
 */
import {
  anything,
  certificateHeader,
  contact,
  contactUri,
  databaseUrl,
  type Environment,
  httpUrl,
  integer,
  license,
  listOf,
  mailUrl,
  metricsPlace,
  oneOf,
  optional,
  optionalPort,
  origins,
  Reader,
  ratio,
  redisUrl,
  replicaUrls,
  trustProxy,
} from './core/environment.ts';
import { DAY } from './core/limits/units.ts';
import { LIMITS } from './core/limits.ts';
import { isSigningSecret } from './core/signatures.ts';

/** The events of the demo data have dates of their own, which are soon older than usual events may be. */
const DEMO_RETENTION_DAYS = 3650;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

type Settings<Groups> = {
  readonly [Group in keyof Groups]: Groups[Group] extends object ? Readonly<Groups[Group]> : Groups[Group];
};

export type Config = Settings<ReturnType<typeof readGroups>>;

/** Names everything that is wrong with the settings. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** A sentence for each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Some settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment. An empty value counts as absent.
 *
 * @throws ConfigError naming every bad value, so that one start shows all that must be corrected.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const reader = new Reader(environment);
  const config = readGroups(reader);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

/** The environment of this process with other settings, for a process that it starts. */
export const environmentWith = (settings: Environment): Environment => ({ ...process.env, ...settings });

/** A sentence for each variable of the environment that is nearly the name of a setting, and has no effect. */
export function nearSettings(environment: Environment = process.env): readonly string[] {
  const reader = new Reader(environment);
  readGroups(reader);
  return reader.slips;
}

function readGroups(reader: Reader) {
  const production = reader.text('NODE_ENV') === 'production';
  const demo = reader.read('DEMO', production ? '0' : '1', oneOf(['0', '1'])) === '1' && !production;
  return {
    /** Hides the schema, and wants explicit keys. */
    production,
    /** Whether a new database gets the demo data. */
    demo,
    http: readHttp(reader),
    timeouts: readTimeouts(),
    database: readDatabase(reader),
    redis: readRedis(reader),
    auth: readAuth(reader, production),
    signIns: readSignIns(reader),
    budget: readBudget(reader),
    operations: readOperations(reader),
    connections: readConnections(reader),
    documents: readDocuments(reader),
    payments: readPayments(reader),
    webhooks: readWebhooks(reader, production),
    mail: readMail(reader),
    events: readEvents(reader, demo),
    telemetry: readTelemetry(reader),
  };
}

function readHttp(reader: Reader) {
  const { read } = reader;
  const port = read('PORT', '4000', integer(0, 65_535));
  const tls = readTls(reader);
  return {
    host: read('HOST', '0.0.0.0', anything),
    port,
    /** Whether other processes of this server may listen on the port as well. */
    sharesPort: read('PORT_SHARING', 'off', oneOf(['on', 'off'])) === 'on',
    /** Where clients reach this server, without a slash at its end. Issuer and audience of its tokens, too. */
    publicUrl: read(
      'PUBLIC_URL',
      `${tls.cert === undefined ? 'http' : 'https'}://localhost:${port}`,
      httpUrl,
    ),
    tls,
    /** Whose X-Forwarded-* headers count: so many proxies before this server, or those at the addresses named. */
    trustProxy: read('TRUST_PROXY', '0', trustProxy),
    /** Origins whose pages may read responses, or `*` for all. */
    corsOrigins: read('CORS_ORIGINS', '', origins),
    /** Whether responses are compressed for clients that ask; a proxy in front may do it as well. */
    compression: read('COMPRESSION', 'on', oneOf(['on', 'off'])),
    /** Whom OpenAPI names for questions, and the license of the API; undefined for none. */
    contact: read('API_CONTACT', '', contact),
    license: read('API_LICENSE', '', license),
    /** Where vulnerabilities are reported, as a URI; empty for nowhere. */
    securityContact: read('SECURITY_CONTACT', '', optional(contactUri)),
  };
}

/** What the server needs to speak TLS, and to know clients by their certificates. */
function readTls({ read, text, problems }: Reader) {
  const file = (name: string) => text(name) || undefined;
  const [cert, key, ca, crl] = ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'MTLS_CA_FILE', 'MTLS_CRL_FILE'].map(file);
  const certifiedPort = read('MTLS_PORT', '', optionalPort);
  const header = read('CLIENT_CERT_HEADER', '', certificateHeader);
  if ((cert === undefined) !== (key === undefined)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE are of use together only');
  }
  if (certifiedPort !== undefined && (cert === undefined || ca === undefined)) {
    problems.push('MTLS_PORT needs TLS_CERT_FILE, TLS_KEY_FILE and MTLS_CA_FILE');
  }
  if (crl !== undefined && certifiedPort === undefined) {
    problems.push('MTLS_CRL_FILE needs MTLS_PORT: a proxy in front has a setting of its own');
  }
  if (header !== undefined && /^[1-9]$/.test(text('TRUST_PROXY'))) {
    problems.push('CLIENT_CERT_HEADER needs the addresses of the proxies in TRUST_PROXY, not their number');
  }
  return {
    /** PEM files of this server's certificate and key; undefined where it speaks plain HTTP. */
    cert,
    key,
    /** PEM files of the authorities of clients' certificates, and of what these have revoked. */
    ca,
    crl,
    /** The port on which clients must show a certificate; undefined for none. */
    certifiedPort,
    /** How a proxy in front names the certificate of a client; undefined where none does. */
    header,
  };
}

/** Milliseconds after which a connection is given up. */
const readTimeouts = () => ({
  /** In which the headers of a request must have arrived. */
  headers: LIMITS.headersTimeout,
  /** In which the whole request must have arrived. */
  request: LIMITS.requestTimeout,
  /** In which something must be sent or taken: a client that does not read its response holds it in memory. */
  silence: LIMITS.silenceTimeout,
  /** In which an export must be over. */
  export: LIMITS.exportTime,
  /** In which a client must take a page of an export. */
  exportSilence: LIMITS.exportPatience,
});

function readDatabase({ read }: Reader) {
  const url = read('DATABASE_URL', 'file:data/portico.db', databaseUrl);
  return {
    url,
    /** Where migrations go: past a pooler, since they hold a lock of their session. */
    directUrl: read('DATABASE_DIRECT_URL', url, databaseUrl),
    /** Streaming replicas, which serve reads. */
    replicaUrls: read('DATABASE_REPLICA_URLS', '', replicaUrls),
    /** Whether PostgreSQL keeps statements by name. Poolers of transactions that do not follow them need `off`. */
    prepare: read('DATABASE_PREPARE', 'on', oneOf(['on', 'off'])) === 'on',
    /** Connections to PostgreSQL of one process: a few times the cores of a usual database server, shared by instances. */
    pool: read('DATABASE_POOL', '10', integer(1, 1000)),
  };
}

const readRedis = ({ read }: Reader) => ({
  /** Where instances hear from each other; undefined when there is only this one. */
  url: read('REDIS_URL', '', redisUrl),
});

function readAuth({ read, problems }: Reader, production: boolean) {
  const file = read('AUTH_KEYS_FILE', '', anything);
  if (production && file === '') {
    problems.push('AUTH_KEYS_FILE is required in production: the private JWKS that signs access tokens');
  }
  return { keysFile: file === '' ? 'data/keys.json' : file };
}

/** Wrong passwords in a minute, after which the next one is not checked. */
const readSignIns = ({ read }: Reader) => ({
  /** For one account from one device or network: enough for a person who tries to remember. */
  perAccount: read('SIGN_INS_PER_ACCOUNT', '5', integer(1, 1_000_000)),
  /**
   * For one account, from all networks together from which it has not signed in: four that guess do not lock out a fifth who has
   * forgotten, and 29,000 guesses a day are hopeless.
   */
  fromUnknown: read('SIGN_INS_FROM_UNKNOWN', '20', integer(1, 1_000_000)),
  /** From one address: an office may share one address. */
  perAddress: read('SIGN_INS_PER_ADDRESS', '300', integer(1, 1_000_000)),
});

/** What each caller may spend, in points. */
const readBudget = ({ read }: Reader) => ({
  /** Points of a full budget: 20 of the most expensive operations at once, thousands of usual ones. */
  points: read('RATE_LIMIT_POINTS', '20000', integer(1, 1_000_000_000)),
  /** Points refilled per second. */
  perSecond: read('RATE_LIMIT_PER_SECOND', '1000', integer(1, 1_000_000_000)),
});

const readOperations = ({ read }: Reader) => ({
  /** Points an operation may cost: a page of 100 orders with 5 items each costs 601. */
  cost: read('OPERATION_COST', '1000', integer(1, 1_000_000)),
  /** Milliseconds that an operation may take. Few people wait longer for a screen. */
  deadline: read('DEADLINE', '10000', integer(100, 600_000)),
  /** Milliseconds that an operation may wait for its turn, while more than `calmQueue` do: a response takes less than a second. */
  patience: read('OPERATION_PATIENCE', '500', integer(10, 600_000)),
});

/** Bounds of what stays open, in one process. */
const readConnections = ({ read }: Reader) => ({
  /** Streams of one caller, through all doors: four WebSockets full of subscriptions, or tabs on many screens. */
  streamsPerCaller: read('STREAMS_PER_CALLER', '200', integer(1, 1_000_000)),
  /**
   * WebSockets from one network (`networks.ts`): an office behind one address, with some for each person. Each takes some 20 KiB
   * before anything is known of its caller.
   */
  socketsPerNetwork: read('SOCKETS_PER_NETWORK', '1000', integer(1, 1_000_000)),
  /** Milliseconds that a WebSocket without credentials may be open without an operation. */
  anonymousSocketTimeout: LIMITS.anonymousSocketTimeout,
});

const readDocuments = ({ read }: Reader) => ({
  /** Whether documents of the manifest are known by their ids, and whether no others are accepted. */
  trusted: read('TRUSTED_DOCUMENTS', 'off', oneOf(['off', 'prefer', 'only'])),
  /** The manifest of documents that clients were built with. */
  file: read('TRUSTED_DOCUMENTS_FILE', 'trusted-documents.json', anything),
});

function readPayments(reader: Reader) {
  const { read } = reader;
  const provider = read('PAYMENTS', 'sandbox', oneOf(['sandbox', 'stripe']));
  return {
    /** `sandbox` records charges without moving money. */
    provider,
    /** For requests to Stripe; empty where it is not the provider. */
    stripeSecretKey: provider === 'stripe' ? readStripeKey(reader) : '',
    /** Secrets that the payment provider signs its events with. Without one, no event is accepted. */
    paymentEventsSecrets: readEventsSecrets(reader),
    /** The same for Stripe's own messages. */
    stripeWebhookSecrets: readStripeSecrets(reader),
    /** Milliseconds that a caller waits for the gateway. What it answers later counts all the same. */
    gatewayTimeout: LIMITS.gatewayTimeout,
    /** Milliseconds between two looks for charges whose outcome is not known. */
    reconcileInterval: LIMITS.reconcileInterval,
  };
}

function readWebhooks({ read, problems }: Reader, production: boolean) {
  const allowLoopback = read('WEBHOOK_ALLOW_LOOPBACK', '0', oneOf(['0', '1'])) === '1';
  if (production && allowLoopback) {
    problems.push(
      'WEBHOOK_ALLOW_LOOPBACK is not for production: webhooks would reach what runs beside the server',
    );
  }
  /** Whether webhooks may be sent to this machine, for receivers that are being developed; never in production. */
  return { allowLoopback };
}

function readMail({ read, text }: Reader) {
  const host = URL.parse(text('PUBLIC_URL'))?.hostname || 'localhost';
  return {
    /** The mail server; undefined without one. */
    url: read('MAIL_URL', '', mailUrl),
    /** The sender of mail. */
    from: read('MAIL_FROM', `Portico <no-reply@${host}>`, anything),
    /** Messages to one address in an hour: for a person who looks into the wrong mailbox a few times. */
    perAddress: read('MAIL_PER_ADDRESS', '5', integer(1, 1_000_000)),
    /** Messages that one caller, or one network of anonymous callers, has sent in an hour: an office may share one address. */
    perCaller: read('MAIL_PER_CALLER', '60', integer(1, 1_000_000)),
    /** Milliseconds between two looks for messages to send. */
    poll: LIMITS.mailPoll,
    /** Milliseconds before the second attempt to send a message. */
    retryPause: LIMITS.mailRetryPause,
  };
}

function readEvents({ read }: Reader, demo: boolean) {
  const days = read('EVENT_RETENTION_DAYS', String(demo ? DEMO_RETENTION_DAYS : 90), integer(1, 36_500));
  return {
    /** Milliseconds that events are kept: a client that was away for a season comes back, and a log does not grow for ever. */
    lifetime: days * DAY,
  };
}

function readTelemetry({ read }: Reader) {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', '', optional(httpUrl));
  const sampled = read('OTEL_TRACES_SAMPLER_ARG', '1', ratio);
  const serviceName = read('OTEL_SERVICE_NAME', 'portico', anything);
  return {
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    /** Where `/metrics` is: among the routes, nowhere, or alone on a port of its own. */
    metrics: read('METRICS', 'on', metricsPlace),
    /** Where traces go and under which name; undefined when there are none. */
    tracing: endpoint === '' ? undefined : { endpoint, serviceName, ratio: sampled },
  };
}

function readStripeKey({ text, problems }: Reader): string {
  const key = text('STRIPE_SECRET_KEY');
  // The value is not repeated: it may be a secret of something else.
  if (!/^[sr]k_\w+$/.test(key)) {
    problems.push('STRIPE_SECRET_KEY is required with PAYMENTS=stripe, and begins with sk_ or rk_');
  }
  return key;
}

/** Several while one is being replaced by the other. */
function readEventsSecrets({ text, problems }: Reader): readonly string[] {
  const given = listOf(text('PAYMENT_EVENTS_SECRETS'));
  if (!given.every(isSigningSecret)) {
    problems.push(
      'PAYMENT_EVENTS_SECRETS must be secrets of Standard Webhooks: whsec_ and base64, with commas between',
    );
  }
  return given;
}

/** The secret of a webhook endpoint in Stripe's dashboard, two while it is rotated. */
function readStripeSecrets({ text, problems }: Reader): readonly string[] {
  const given = listOf(text('STRIPE_WEBHOOK_SECRET'));
  // The value is not repeated: it may be a secret of something else.
  if (given.length > 2 || !given.every((secret) => /^whsec_\w{16,}$/.test(secret))) {
    problems.push('STRIPE_WEBHOOK_SECRET must begin with whsec_, with a comma between two during rotation');
  }
  return given;
}
