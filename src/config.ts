/**
 * The settings: the only code that reads the environment, and the only place of the defaults. Settings come in groups, and a group
 * is passed as a whole to the code that uses it. `docs/configuration.md` describes each variable.
 *
 * Members without a variable have the same value on every server; tests shorten them.
 */
import {
  anything,
  certificateHeader,
  contact,
  contactUri,
  databaseUrl,
  type Environment,
  host,
  httpUrl,
  integer,
  license,
  listOf,
  mailbox,
  mailUrl,
  metricsPlace,
  oneOf,
  onOff,
  optional,
  optionalPort,
  origins,
  publicUrl,
  Reader,
  ratio,
  redisUrl,
  replicaUrls,
  trustProxy,
} from './core/environment.ts';
import { DAY, KIB, LIMITS, MIB } from './core/limits.ts';
import { isSigningSecret } from './core/signatures.ts';

/** The events of the demo data have fixed dates, which soon exceed the usual retention. */
const DEMO_RETENTION_DAYS = 3650;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

type Settings<Groups> = {
  readonly [Group in keyof Groups]: Groups[Group] extends object ? Readonly<Groups[Group]> : Groups[Group];
};

export type Config = Settings<ReturnType<typeof readGroups>>;

/** Lists all problems of the settings. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One sentence per problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Some settings are invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment. An empty value counts as absent.
 *
 * @throws ConfigError naming every invalid value, so that one start shows everything that must be corrected.
 */
export const loadConfig = (environment: Environment = process.env): Config => load(environment, readGroups);

/** Whether the settings name any TLS file. The files are reloaded on SIGHUP. */
export const hasTlsFiles = ({ cert, key, ca, crl }: Config['http']['tls']): boolean =>
  [cert, key, ca, crl].some((path) => path !== undefined);

export type DocumentLimits = Readonly<ReturnType<typeof readDocumentLimits>>;

/**
 * Reads only the limits of clients' documents, for programs whose environment is not that of a server.
 *
 * @throws ConfigError.
 */
export const loadDocumentLimits = (): DocumentLimits => load(process.env, readDocumentLimits);

function load<T>(environment: Environment, read: (reader: Reader) => T): T {
  const reader = new Reader(environment);
  const settings = read(reader);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return settings;
}

/** The environment of this process with some settings replaced, for a child process. */
export const environmentWith = (settings: Environment): Environment => ({ ...process.env, ...settings });

/** Returns a sentence for each environment variable that is probably a misspelled setting, and so has no effect. */
export function misspelledSettings(environment: Environment = process.env): readonly string[] {
  const reader = new Reader(environment);
  readGroups(reader);
  return reader.misspellings;
}

function readGroups(reader: Reader) {
  const mode = reader.text('NODE_ENV');
  const production = mode === 'production';
  // The demo data, with its known password, would be installed otherwise. Other names, such as `staging`, are not those of this mode.
  reader.refuse(/^prod/i.test(mode) && !production, `NODE_ENV must be written production, not "${mode}"`);
  const demo = reader.read('DEMO', production ? '0' : '1', onOff) && !production;
  const http = readHttp(reader);
  const groups = {
    /** Whether the server runs in production: it then hides the schema and requires an explicit key file. */
    production,
    /** Whether a new database is filled with the demo data. */
    demo,
    http,
    timeouts: readTimeouts(reader),
    database: readDatabase(reader, http.sharesPort),
    /** The Redis that connects instances; without a URL there is only this one. */
    redis: { url: reader.read('REDIS_URL', '', redisUrl) },
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
  requireDistinctPorts(reader, http, groups.telemetry.metrics);
  return groups;
}

/** The system would let two servers of this process share a port, and distribute the connections between them. */
function requireDistinctPorts(
  { refuse }: Reader,
  { port, tls }: ReturnType<typeof readHttp>,
  metrics: ReturnType<typeof readTelemetry>['metrics'],
): void {
  refuse(port !== 0 && tls.certifiedPort === port, 'MTLS_PORT must not be the same as PORT');
  refuse(
    metrics === port || metrics === tls.certifiedPort,
    'METRICS must not be the same as PORT or MTLS_PORT',
  );
}

function readHttp(reader: Reader) {
  const { read } = reader;
  const port = read('PORT', '4000', integer(0, 65_535));
  const tls = readTls(reader);
  return {
    host: read('HOST', '0.0.0.0', host),
    port,
    /** Whether other processes of this server may listen on the port as well. */
    sharesPort: read('PORT_SHARING', 'off', onOff),
    /** The URL at which clients reach this server, without a trailing slash. Also issuer and audience of its tokens. */
    publicUrl: read(
      'PUBLIC_URL',
      `${tls.cert === undefined ? 'http' : 'https'}://localhost:${port}`,
      publicUrl,
    ),
    tls,
    /** Whose X-Forwarded-* headers are trusted: this many proxies in front of the server, or those with the given addresses. */
    trustProxy: read('TRUST_PROXY', '0', trustProxy),
    /** Origins whose pages may read responses, or `*` for all. */
    corsOrigins: read('CORS_ORIGINS', '', origins),
    /** Whether responses are compressed for clients that accept it; a proxy in front may do it instead. */
    compression: read('COMPRESSION', 'on', onOff),
    /** Maximum bytes of a request body: an order of 100 items has 4 KiB, and a long document fits. Reading a MiB takes 75 ms. */
    bodyLimit: read('BODY_LIMIT', String(256 * KIB), integer(16 * KIB, 4 * MIB)),
    /**
     * Maximum bytes of a response, and of a message on a stream. A page of 100 long documents of 80 KiB each fits. A response stays
     * in memory until its client has read it. A third of the minimum, which the result of a tool may have, exceeds the longest document
     * with the longest escapes, which could otherwise not be read.
     */
    responseLimit: read('RESPONSE_LIMIT', String(8 * MIB), integer(2 * MIB, 64 * MIB)),
    /** The contact in the OpenAPI description, and the license of the API; undefined for none. */
    contact: read('API_CONTACT', '', contact),
    license: read('API_LICENSE', '', license),
    /** The URI for reports of vulnerabilities; empty for none. */
    securityContact: read('SECURITY_CONTACT', '', optional(contactUri)),
  };
}

function readTls({ read, text, refuse }: Reader) {
  const file = (name: string) => text(name) || undefined;
  const [cert, key, ca, crl] = ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'MTLS_CA_FILE', 'MTLS_CRL_FILE'].map(file);
  const certifiedPort = read('MTLS_PORT', '', optionalPort);
  const header = read('CLIENT_CERT_HEADER', '', certificateHeader);
  refuse((cert === undefined) !== (key === undefined), 'TLS_CERT_FILE and TLS_KEY_FILE must be set together');
  refuse(
    certifiedPort !== undefined && (cert === undefined || ca === undefined),
    'MTLS_PORT needs TLS_CERT_FILE, TLS_KEY_FILE and MTLS_CA_FILE',
  );
  refuse(
    crl !== undefined && certifiedPort === undefined,
    'MTLS_CRL_FILE needs MTLS_PORT: a proxy in front has its own setting',
  );
  refuse(
    ca !== undefined && certifiedPort === undefined && header === undefined,
    'MTLS_CA_FILE needs MTLS_PORT or CLIENT_CERT_HEADER: without them, no client certificate is read',
  );
  refuse(
    header !== undefined && /^\d?$/.test(text('TRUST_PROXY')),
    'CLIENT_CERT_HEADER needs the addresses of the proxies in TRUST_PROXY, which must be a list, not a number',
  );
  return {
    /** PEM files of this server's certificate and key; undefined for plain HTTP. */
    cert,
    key,
    /** PEM files of the authorities that issue client certificates, and of their revocation lists. */
    ca,
    crl,
    /** The port on which clients must present a certificate; undefined for none. */
    certifiedPort,
    /** The format in which a proxy in front forwards client certificates; undefined for none. */
    header,
  };
}

/** Times in milliseconds: mostly those after which a connection is closed. */
function readTimeouts({ read, refuse }: Reader) {
  // Node accepts no longer ones for headers.
  const headers = read('HEADERS_TIMEOUT', '10000', integer(100, 300_000));
  const request = read('REQUEST_TIMEOUT', '30000', integer(100, 300_000));
  refuse(request < headers, `REQUEST_TIMEOUT (${request}) must not be below HEADERS_TIMEOUT (${headers})`);
  return {
    /** The time for the headers of a request to arrive, so that slow clients do not hold sockets. */
    headers,
    /** The time for the whole request to arrive, headers included. */
    request,
    /** The time from SIGTERM until the port closes, in which load balancers notice by `/readyz` that this process stops. */
    shutdownDelay: read('SHUTDOWN_DELAY', '0', integer(0, 300_000)),
    /** The time within which something must be sent or read: the response of a client that does not read stays in memory. */
    silence: LIMITS.silenceTimeout,
    /** The time for a whole export. */
    export: LIMITS.exportTime,
    /** The time for a client to read one page of an export. */
    exportSilence: LIMITS.exportPatience,
  };
}

/** @param sharesPort whether several processes listen on the port, and so use the database. */
function readDatabase({ read, refuse }: Reader, sharesPort: boolean) {
  const url = read('DATABASE_URL', 'file:data/portico.db', databaseUrl);
  const directUrl = read('DATABASE_DIRECT_URL', url, databaseUrl);
  const replicas = read('DATABASE_REPLICA_URLS', '', replicaUrls);
  const isFile = url.startsWith('file:');
  refuse(
    isFile ? directUrl !== url : directUrl.startsWith('file:'),
    'DATABASE_DIRECT_URL must lead to the database of DATABASE_URL',
  );
  refuse(isFile && replicas.length > 0, 'DATABASE_REPLICA_URLS needs PostgreSQL in DATABASE_URL');
  refuse(
    isFile && sharesPort,
    'PORT_SHARING needs PostgreSQL in DATABASE_URL: only one process can write to a SQLite file',
  );
  return {
    url,
    /** The URL for migrations. It must bypass a pooler, since migrations hold a session-level lock. */
    directUrl,
    /** Streaming replicas, which serve reads. */
    replicaUrls: replicas,
    /** Whether named prepared statements are used. Transaction poolers that do not support them need `off`. */
    prepare: read('DATABASE_PREPARE', 'on', onOff),
    /** Connections to PostgreSQL per process: for all instances together, a few times the cores of a usual database server. */
    pool: read('DATABASE_POOL', '10', integer(1, 1000)),
  };
}

function readAuth({ read, refuse }: Reader, production: boolean) {
  const file = read('AUTH_KEYS_FILE', '', anything);
  refuse(
    production && file === '',
    'AUTH_KEYS_FILE is required in production: the private JWKS that signs access tokens',
  );
  return { keysFile: file === '' ? 'data/keys.json' : file };
}

/** The number of wrong passwords per minute after which further ones are not checked. */
const readSignIns = ({ read }: Reader) => ({
  /** For one account from one device or network: enough for a person who tries to remember. */
  perAccount: read('SIGN_INS_PER_ACCOUNT', '5', integer(1, 1_000_000)),
  /**
   * For one account, from all networks together from which it has not signed in recently: fewer than four guessing networks do
   * not lock out a person on another one, and 29,000 guesses a day are hopeless.
   */
  fromUnknown: read('SIGN_INS_FROM_UNKNOWN', '20', integer(1, 1_000_000)),
  /** From one address: an office may share one address. */
  perAddress: read('SIGN_INS_PER_ADDRESS', '300', integer(1, 1_000_000)),
});

/** The budget of each caller, in points. */
const readBudget = ({ read }: Reader) => ({
  /** Points of a full budget: 20 of the most expensive operations at once, thousands of usual ones. */
  points: read('RATE_LIMIT_POINTS', '20000', integer(1, 1_000_000_000)),
  /** Points refilled per second. */
  perSecond: read('RATE_LIMIT_PER_SECOND', '1000', integer(1, 1_000_000_000)),
});

function readOperations(reader: Reader) {
  const { read } = reader;
  return {
    /**
     * Maximum points of an operation: a page of 100 orders with 5 items each costs 601. Every route can run with the minimum, although its
     * lists only with few rows.
     */
    cost: read('OPERATION_COST', '1000', integer(20, 1_000_000)),
    /** Maximum milliseconds of an operation. Few people wait longer for a screen. */
    deadline: read('DEADLINE', '10000', integer(100, 600_000)),
    /** Maximum milliseconds that an operation waits to start while more than `calmQueue` do: responses take under a second. */
    patience: read('OPERATION_PATIENCE', '500', integer(10, 600_000)),
    /** Maximum rows per page. A larger size is capped to this, so that no request reads unbounded rows. The schema promises 100 at most. */
    pageMax: read('PAGE_MAX', '100', integer(1, 100)),
    ...readDocumentLimits(reader),
  };
}

/** Limits of clients' documents. */
const readDocumentLimits = ({ read }: Reader) => ({
  /** Maximum lexical tokens of a client's document. The longest hand-written operation we know has under 1,000. */
  documentTokens: read('DOCUMENT_TOKENS', '5000', integer(1000, 20_000)),
  /**
   * Maximum levels of fields of a client's operation, through fragments, the leaves included. Introspection has 6, and the maximum is
   * below `documentNesting`.
   */
  depth: read('OPERATION_DEPTH', '10', integer(6, 30)),
  /** Maximum aliases of a client's operation, fragments counted at each use. */
  aliases: read('OPERATION_ALIASES', '30', integer(0, 1000)),
  /** Maximum root fields of a client's operation, fragments counted at each use: each is a query of its own. The console uses 5. */
  rootFields: read('OPERATION_ROOT_FIELDS', '20', integer(5, 1000)),
});

/** Limits for long-lived connections; those of callers and networks are per process. */
const readConnections = ({ read }: Reader) => ({
  /** Maximum streams of one caller, through all doors: four WebSockets full of subscriptions, or tabs on many screens. */
  streamsPerCaller: read('STREAMS_PER_CALLER', '200', integer(1, 1_000_000)),
  /**
   * Maximum WebSockets from one network (`networks.ts`): an office behind one address, with a few for each person. Each takes about
   * 20 KiB before its caller is authenticated.
   */
  socketsPerNetwork: read('SOCKETS_PER_NETWORK', '1000', integer(1, 1_000_000)),
  /**
   * Maximum other connections from one network: browsers of 3,000 people behind one address, with six each. Idle ones take 8 KiB, so these
   * are 160 MB. Connections of trusted proxies are not counted, since they are those of all clients.
   */
  connectionsPerNetwork: read('CONNECTIONS_PER_NETWORK', '20000', integer(1, 1_000_000)),
  /** Maximum subscriptions on one WebSocket, or on one stream of several operations: a screen full of them, not a flood. */
  subscriptionsPerSocket: read('SUBSCRIPTIONS_PER_SOCKET', '50', integer(1, 10_000)),
  /** Maximum bytes of a message from a WebSocket client: a document of the maximum size with its variables. */
  socketFrameLimit: read('SOCKET_FRAME_LIMIT', String(64 * KIB), integer(4 * KIB, 1 * MIB)),
  /** Milliseconds in which a WebSocket client must send `connection_init`. */
  connectionInitTimeout: read('CONNECTION_INIT_TIMEOUT', '3000', integer(100, 60_000)),
  /** Milliseconds that a WebSocket without credentials may be open without an operation. */
  anonymousSocketTimeout: LIMITS.anonymousSocketTimeout,
});

const readDocuments = ({ read }: Reader) => ({
  /** `prefer` accepts the documents of the manifest by id, `only` refuses all others as well. */
  trusted: read('TRUSTED_DOCUMENTS', 'off', oneOf(['off', 'prefer', 'only'])),
  /** The manifest of the documents that clients were built with. */
  file: read('TRUSTED_DOCUMENTS_FILE', 'trusted-documents.json', anything),
});

function readPayments(reader: Reader) {
  const { read } = reader;
  const provider = read('PAYMENTS', 'sandbox', oneOf(['sandbox', 'stripe']));
  return {
    /** `sandbox` records charges without moving money. */
    provider,
    /** The key for requests to Stripe; empty for another provider. */
    stripeSecretKey: provider === 'stripe' ? readStripeKey(reader) : '',
    /** Secrets with which the payment provider signs its events. Without any, no event is accepted. */
    paymentEventsSecrets: readSecrets(
      reader,
      'PAYMENT_EVENTS_SECRETS',
      (secrets) => secrets.every(isSigningSecret),
      'must be secrets of Standard Webhooks (whsec_ and base64), separated by commas',
    ),
    /** The same for Stripe's own messages, from its dashboard. */
    stripeWebhookSecrets: readSecrets(
      reader,
      'STRIPE_WEBHOOK_SECRET',
      (secrets) => secrets.length <= 2 && secrets.every((secret) => /^whsec_\w+$/.test(secret)),
      'must be whsec_ followed by letters, digits or underscores; during a rotation, a comma separates two secrets',
    ),
    /** Milliseconds that a caller waits for the gateway. A later response is still recorded. */
    gatewayTimeout: LIMITS.gatewayTimeout,
    /** Milliseconds between two polls for charges with an unknown outcome. */
    reconcileInterval: LIMITS.reconcileInterval,
  };
}

function readWebhooks({ read, refuse }: Reader, production: boolean) {
  const allowLoopback = read('WEBHOOK_ALLOW_LOOPBACK', '0', onOff);
  refuse(
    production && allowLoopback,
    "WEBHOOK_ALLOW_LOOPBACK must not be set in production: webhooks could reach services on the server's machine",
  );
  /** Whether webhooks may be sent to this machine, for developing receivers; never in production. */
  return { allowLoopback };
}

function readMail({ read, text }: Reader) {
  const { hostname = '' } = URL.parse(text('PUBLIC_URL')) ?? {};
  // A URL may have characters in its host that an address cannot have.
  const host = /^([\w.-]+|\[.*\])$/.test(hostname) ? hostname : 'localhost';
  return {
    /** The URL of the mail server; undefined for none. */
    url: read('MAIL_URL', '', mailUrl),
    /** The sender of mail. */
    from: read('MAIL_FROM', `Portico <no-reply@${host}>`, mailbox),
    /** Maximum messages to one address per hour: enough for a person who checks the wrong mailbox a few times. */
    perAddress: read('MAIL_PER_ADDRESS', '5', integer(1, 1_000_000)),
    /** Maximum messages per hour that one caller, or one network of anonymous callers, causes: an office may share one address. */
    perCaller: read('MAIL_PER_CALLER', '60', integer(1, 1_000_000)),
    /** Milliseconds between two polls for messages to send. */
    poll: LIMITS.mailPoll,
    /** Milliseconds before the second attempt to send a message. */
    retryPause: LIMITS.mailRetryPause,
  };
}

function readEvents({ read }: Reader, demo: boolean) {
  const days = read('EVENT_RETENTION_DAYS', String(demo ? DEMO_RETENTION_DAYS : 90), integer(1, 36_500));
  return {
    /** Milliseconds that events are kept: a client may be offline for a season, and the log does not grow forever. */
    lifetime: days * DAY,
  };
}

function readTelemetry({ read }: Reader) {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', '', optional(httpUrl));
  const sampled = read('OTEL_TRACES_SAMPLER_ARG', '1', ratio);
  const serviceName = read('OTEL_SERVICE_NAME', 'portico', anything);
  return {
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    /** Where `/metrics` is served: with the other routes (true), nowhere (false), or on a port of its own. */
    metrics: read('METRICS', 'on', metricsPlace),
    /** The endpoint for traces and the name of the service; undefined for no tracing. */
    tracing: endpoint === '' ? undefined : { endpoint, serviceName, ratio: sampled },
  };
}

function readStripeKey({ text, refuse }: Reader): string {
  const key = text('STRIPE_SECRET_KEY');
  // The value is not repeated: it may be a secret of something else.
  refuse(
    !/^[sr]k_\w+$/.test(key),
    'STRIPE_SECRET_KEY is required with PAYMENTS=stripe, and begins with sk_ or rk_',
  );
  return key;
}

/** Reads a list of secrets: several during a rotation. The problem does not repeat the values, which may be secrets of something else. */
function readSecrets(
  { text, refuse }: Reader,
  name: string,
  areValid: (secrets: readonly string[]) => boolean,
  problem: string,
): readonly string[] {
  const given = listOf(text(name));
  refuse(!areValid(given), `${name} ${problem}`);
  return given;
}
