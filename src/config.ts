import { isIP } from 'node:net';
import { LIMITS } from './core/limits.ts';
import { isSigningSecret } from './core/signatures.ts';

/** Everything that can be set from outside, checked. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Where clients reach this server, without a slash at its end. Absolute URLs in answers begin with it. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  /** Connections to PostgreSQL that one process holds at most. */
  readonly databasePool: number;
  /** Where instances hear from each other; undefined when there is only this one. */
  readonly redisUrl: string | undefined;
  /** Whether a new database gets the demo data. */
  readonly demo: boolean;
  readonly authKeysFile: string;
  /** Where `/metrics` is: among the routes, nowhere, or alone on a port of its own. */
  readonly metrics: 'on' | 'off' | number;
  /** Where traces go and under which name; undefined when there are none. */
  readonly tracing:
    | { readonly endpoint: string; readonly serviceName: string; readonly ratio: number }
    | undefined;
  /** Who moves money. */
  readonly payments: PaymentsConfig;
  /** What the payment provider signs its events with. None means that none are taken. */
  readonly paymentEventsSecrets: readonly string[];
  /** What Stripe signs its events with. None means that none are taken. */
  readonly stripeWebhookSecrets: readonly string[];
  readonly logLevel: LogLevel;
  /** Whose X-Forwarded-* headers count: so many proxies before this server, or those at the addresses named. */
  readonly trustProxy: number | string;
  /** Wrong passwords in a minute, after which the next one is not looked at. */
  readonly signIns: {
    readonly perAccount: number;
    readonly fromUnknown: number;
    readonly perAddress: number;
  };
  /** What each caller may spend, in points. */
  readonly budget: { readonly points: number; readonly perSecond: number };
  /** Bounds of what stays open, in one process. */
  readonly connections: { readonly streamsPerCaller: number; readonly socketsPerNetwork: number };
  /** Origins whose pages may read answers, or `*` for all. */
  readonly corsOrigins: readonly string[];
  /** The manifest of documents that clients were built with, and whether no others are accepted. */
  readonly trustedDocuments: { readonly only: boolean; readonly file: string } | undefined;
  /** Milliseconds that an operation may wait for its turn, while many do, before operations are turned away. */
  readonly operationPatience: number;
  /** Milliseconds that one operation may take. */
  readonly deadline: number;
  /** Points that one operation may cost. */
  readonly operationCost: number;
  /** Milliseconds that events are kept. */
  readonly eventLifetime: number;
  /** Whether webhooks may be sent to this machine, for receivers that are being developed; never in production. */
  readonly webhooks: { readonly allowLoopback: boolean };
}

/** The sandbox moves no money: it keeps books as if it did. */
export type PaymentsConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'stripe'; readonly secretKey: string };

/** Milliseconds. */
const DAY = 86_400_000;

const DEMO_RETENTION_DAYS = 3650;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the settings, all of it at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(`Some settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Reads the settings from the environment. An empty value counts as absent.
 *
 * @throws ConfigError naming every bad value, so that one start shows all that is to be mended.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const read = createReader(environment, problems);
  const production = environment['NODE_ENV'] === 'production';
  const demo = read('DEMO', production ? '0' : '1', oneOf(['0', '1'])) === '1' && !production;
  const port = read('PORT', '4000', integer(0, 65_535));
  const keysFile = read('AUTH_KEYS_FILE', '', anything);
  if (production && keysFile === '') {
    problems.push('AUTH_KEYS_FILE is required in production: the private JWKS that signs access tokens');
  }
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', '', optional(httpUrl));
  const serviceName = read('OTEL_SERVICE_NAME', 'portico', anything);
  const ratio = read('OTEL_TRACES_SAMPLER_ARG', '1', partOfOne);
  const allowLoopback = read('WEBHOOK_ALLOW_LOOPBACK', '0', oneOf(['0', '1'])) === '1';
  if (production && allowLoopback) {
    problems.push(
      'WEBHOOK_ALLOW_LOOPBACK is not for production: webhooks would reach what runs beside the server',
    );
  }
  // What happened in the demo data has its dates, which would soon be too old.
  const usualDays = demo ? DEMO_RETENTION_DAYS : LIMITS.eventLifetime / DAY;
  const retentionDays = read('EVENT_RETENTION_DAYS', String(usualDays), integer(1, 36_500));
  const trusted = read('TRUSTED_DOCUMENTS', 'off', oneOf(['off', 'prefer', 'only']));
  const config: Config = {
    production,
    host: read('HOST', '0.0.0.0', anything),
    port,
    publicUrl: read('PUBLIC_URL', `http://localhost:${port}`, httpUrl),
    databaseUrl: read('DATABASE_URL', 'file:data/portico.db', databaseUrl),
    databasePool: read('DATABASE_POOL', String(LIMITS.databasePool), integer(1, 1000)),
    redisUrl: read('REDIS_URL', '', redisUrl),
    demo,
    authKeysFile: keysFile === '' ? 'data/keys.json' : keysFile,
    metrics: read('METRICS', 'on', metricsPlace),
    tracing: endpoint === '' ? undefined : { endpoint, serviceName, ratio },
    payments: readPayments(read, environment, problems),
    paymentEventsSecrets: readSecrets(environment, problems),
    stripeWebhookSecrets: readStripeSecrets(environment, problems),
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    trustProxy: read('TRUST_PROXY', '0', trustProxy),
    signIns: {
      perAccount: read('SIGN_INS_PER_ACCOUNT', String(LIMITS.signInsPerAccount), integer(1, 1_000_000)),
      fromUnknown: read('SIGN_INS_FROM_UNKNOWN', String(LIMITS.signInsFromUnknown), integer(1, 1_000_000)),
      perAddress: read('SIGN_INS_PER_ADDRESS', String(LIMITS.signInsPerAddress), integer(1, 1_000_000)),
    },
    budget: {
      points: read('RATE_LIMIT_POINTS', String(LIMITS.budgetPoints), integer(1, 1_000_000_000)),
      perSecond: read('RATE_LIMIT_PER_SECOND', String(LIMITS.budgetPerSecond), integer(1, 1_000_000_000)),
    },
    connections: {
      streamsPerCaller: read('STREAMS_PER_CALLER', String(LIMITS.streamsPerCaller), integer(1, 1_000_000)),
      socketsPerNetwork: read('SOCKETS_PER_NETWORK', String(LIMITS.socketsPerNetwork), integer(1, 1_000_000)),
    },
    corsOrigins: read('CORS_ORIGINS', '', origins),
    trustedDocuments:
      trusted === 'off'
        ? undefined
        : {
            only: trusted === 'only',
            file: read('TRUSTED_DOCUMENTS_FILE', 'trusted-documents.json', anything),
          },
    operationPatience: read('OPERATION_PATIENCE', String(LIMITS.operationPatience), integer(10, 600_000)),
    deadline: read('DEADLINE', String(LIMITS.deadline), integer(100, 600_000)),
    operationCost: read('OPERATION_COST', String(LIMITS.operationCost), integer(1, 1_000_000)),
    eventLifetime: retentionDays * DAY,
    webhooks: { allowLoopback },
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Gives the value, or throws an Error whose message completes "NAME …". */
type Parser<T> = (value: string) => T;

function readPayments(read: Reader, environment: Environment, problems: string[]): PaymentsConfig {
  const kind = read('PAYMENTS', 'sandbox', oneOf(['sandbox', 'stripe']));
  if (kind === 'sandbox') return { kind };
  const secretKey = environment['STRIPE_SECRET_KEY']?.trim() ?? '';
  // What it says instead is not repeated: it may be a secret of something else.
  if (!/^[sr]k_\w+$/.test(secretKey)) {
    problems.push('STRIPE_SECRET_KEY is required with PAYMENTS=stripe, and begins with sk_ or rk_');
  }
  return { kind, secretKey };
}

/** Several while one is being replaced by the other. */
function readSecrets(environment: Environment, problems: string[]): readonly string[] {
  const given = listOf(environment['PAYMENT_EVENTS_SECRETS']);
  if (!given.every(isSigningSecret)) {
    problems.push(
      'PAYMENT_EVENTS_SECRETS must be secrets of Standard Webhooks: whsec_ and base64, with commas between',
    );
  }
  return given;
}

/** The secret of a webhook endpoint in Stripe's dashboard, two while it is rotated. */
function readStripeSecrets(environment: Environment, problems: string[]): readonly string[] {
  const given = listOf(environment['STRIPE_WEBHOOK_SECRET']);
  // What is wrong is not repeated: it may be a secret of something else.
  if (given.length > 2 || !given.every((secret) => /^whsec_\w{16,}$/.test(secret))) {
    problems.push('STRIPE_WEBHOOK_SECRET must begin with whsec_, with a comma between two during rotation');
  }
  return given;
}

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

type Reader = ReturnType<typeof createReader>;

function createReader(environment: Environment, problems: string[]) {
  return <T>(name: string, fallback: string, parse: Parser<T>): T => {
    const value = environment[name]?.trim();
    try {
      return parse(value || fallback);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(`${name} ${reason}, not ${JSON.stringify(withoutPassword(value ?? ''))}`);
      return parse(fallback);
    }
  };
}

/** A URL as it may be shown: a password in it is left out. */
export function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1@');
}

const anything: Parser<string> = (value) => value;

function integer(least: number, most: number): Parser<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

/** For a setting that may be left out: the empty text then. */
function optional(parse: Parser<string>): Parser<string> {
  return (value) => (value === '' ? '' : parse(value));
}

const metricsPlace: Parser<'on' | 'off' | number> = (value) => {
  if (value === 'on' || value === 'off') return value;
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535) return Number(value);
  throw new Error('must be on, off or the number of a port');
};

const partOfOne: Parser<number> = (value) => {
  const number = Number(value);
  if (!/^[01](\.\d+)?$/.test(value) || number > 1) throw new Error('must be a number from 0 to 1');
  return number;
};

function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };
}

const httpUrl: Parser<string> = (value) => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error('must be an http or https URL without query or fragment');
  }
  return value.replace(/\/+$/, '');
};

const databaseUrl: Parser<string> = (value) => {
  if (!/^file:.+/.test(value) && !/^postgres(ql)?:\/\/.+/.test(value)) {
    throw new Error('must begin with file: or postgres://');
  }
  return value;
};

const redisUrl: Parser<string | undefined> = (value) => {
  if (value === '') return undefined;
  if (!/^rediss?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error('must begin with redis:// or rediss://');
  return value;
};

const origins: Parser<readonly string[]> = (value) => {
  const named = value.split(',').map((part) => part.trim());
  if (value === '') return [];
  if (value !== '*' && !named.every((origin) => URL.parse(origin)?.origin === origin)) {
    throw new Error('must be a list of origins such as https://app.example, or *');
  }
  return named;
};

const trustProxy: Parser<number | string> = (value) => {
  if (/^\d$/.test(value)) return Number(value);
  const addresses = value.split(',').map((part) => part.trim().replace(/\/\d{1,3}$/, ''));
  if (!addresses.every((address) => isIP(address))) {
    throw new Error('must be the number of proxies in front, or a list of their addresses');
  }
  return value;
};
