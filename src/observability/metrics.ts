/**
 * What the server counts, for Prometheus. Each application has a registry of its own, passed to the modules that count.
 *
 * No label takes what a client sends: a route is its template, an operation the name of one that the server knows, a client
 * the kind of its credentials. Who it was in each case is in the log.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CounterTally, HistogramTally, JoinedKeys, type Tally } from './tallies.ts';

/** Through which door an operation came. */
export type Door = 'rest' | 'graphql' | 'websocket' | 'sse' | 'command';

/** `none` for a document that has no operation to run. */
export type OperationType = 'query' | 'mutation' | 'subscription' | 'none';

/** What kind of credentials a caller showed. */
export type ClientKind = 'user' | 'api_key' | 'certificate' | 'app' | 'operator' | 'anonymous';

/** Why a request was turned away before it ran. */
export type Refusal = 'points' | 'sign_in' | 'overload' | 'cost' | 'depth' | 'tokens' | 'fields' | 'deadline';

/** Why an operation was turned away while the server had too much to do: too many waited, or it had waited too long. */
export type ShedCause = 'queue_full' | 'queue_time';

/** Who reads the log of events. */
export type LogReader = 'streams' | 'webhooks';

/** What became of one attempt to deliver a webhook. */
export type WebhookOutcome = 'delivered' | 'failed' | 'refused' | 'gone' | 'given_up';

/** Whether the client was sent the whole list. */
export type ExportOutcome = 'complete' | 'cut';

/** `failed` is tried again; `refused` and `expired` are not. */
export type MailOutcome = 'sent' | 'failed' | 'refused' | 'expired';

export interface Request {
  readonly method: string;
  /** The template, such as `/v1/orders/:order_id`, and `none` where no route was found. */
  readonly route: string;
  /** The operation behind a route of REST, and `none` elsewhere. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

export interface GraphQLOperation {
  readonly door: Door;
  readonly type: OperationType;
  /** As the client calls it: a name that is not among the known ones counts as `other`. */
  readonly name: string | null | undefined;
  /** `ok`, or the code of the first error. */
  readonly code: string;
  readonly seconds: number;
}

/** The database's connections at this moment. */
export interface PoolLoad {
  readonly inUse: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
}

export interface Metrics {
  /** Everything that was counted, in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Names operations whose counts are kept apart; all others are `other` together. */
  knowOperations(names: Iterable<string>): void;
  request(request: Request): void;
  operation(operation: GraphQLOperation): void;
  /** Points that an operation was estimated to cost, before it ran. */
  cost(door: Door, points: number): void;
  refused(refusal: Refusal): void;
  /** An operation was turned away because there was too much to do. It counts among the refusals, too. */
  shed(cause: ShedCause): void;
  /** Sets the function that gives the number of waiting operations when metrics are read. */
  watchQueue(look: () => number): void;
  /** A use of something deprecated: a route such as `POST /v1/charges`, or a coordinate of the schema such as `Charge.cents`. */
  deprecatedUse(what: string, client: ClientKind): void;
  /** A stream was opened. Call what it gives once, when the stream ends. */
  subscriptionOpened(door: Door): () => void;
  /** An export began. Call what it gives once, when the export ends. */
  exportOpened(): (outcome: ExportOutcome) => void;
  /** Seconds between an event's record and its arrival at a reader. */
  readerLag(reader: LogReader, seconds: number): void;
  webhookAttempt(outcome: WebhookOutcome, seconds: number): void;
  /** Counts what became of an attempt to send a message. */
  mail(outcome: MailOutcome): void;
  /** How long a statement ran, from just before to just after. */
  statement(name: string, seconds: number): void;
  /** Sets the function that gives the database's connections when metrics are read. */
  watchPool(look: () => PoolLoad): void;
}

export interface MetricsOptions {
  /**
   * Whether to count for the process as well: memory, processor, event loop, garbage collection. For the one
   * application of a process; what it measures with cannot be stopped.
   */
  readonly process?: boolean;
}

/** Seconds. From a single row in the memory of the database to the deadline of a request. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Seconds. SQLite answers from its own memory, in microseconds. */
const STATEMENT_DURATIONS = [0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1, 10];

/** Seconds that a reader may be behind: a wake away, a slow poll away, or lost. */
const LAGS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Points, up to what one operation may cost. */
const COSTS = [1, 5, 10, 25, 50, 100, 250, 500, 1000];

export const UNKNOWN_OPERATION = 'other';

export function createMetrics({ process: ofProcess = false }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const tallies: Tally[] = [];
  if (ofProcess) countProcess(registry);
  return {
    text: async () => tallies.map((tally) => tally.text()).join('') + (await registry.metrics()),
    contentType: registry.contentType,
    ...requestMetrics(tallies),
    ...operationMetrics(tallies),
    ...limitMetrics(registry),
    ...exportMetrics(registry),
    ...eventMetrics(registry),
    ...databaseMetrics(registry, tallies),
  };
}

/** Sums of what other metrics tell by kind. They are no counters, and end as counters do, which Prometheus's linter refuses. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

function countProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

function requestMetrics(tallies: Tally[]): Pick<Metrics, 'request'> {
  const total = new CounterTally({
    name: 'portico_http_requests_total',
    help: 'Requests, by route template and, for REST, the operation behind it.',
    labelNames: ['method', 'route', 'operation', 'status'],
  });
  const duration = new HistogramTally(
    {
      name: 'portico_http_request_duration_seconds',
      help: 'Time from the request to the end of its answer. A stream counts until it ends.',
      labelNames: ['method', 'route'],
    },
    DURATIONS,
  );
  tallies.push(total, duration);
  const routeKeys = new JoinedKeys();
  const keys = new JoinedKeys();
  return {
    request({ method, route, operation, status, seconds }) {
      const key = routeKeys.of(route, method);
      // A route has one operation.
      total.add(keys.of(key, status), [method, route, operation, status]);
      duration.observe(key, [method, route], seconds);
    },
  };
}

function operationMetrics(tallies: Tally[]): Pick<Metrics, 'knowOperations' | 'operation' | 'cost'> {
  const known = new Set<string>();
  const total = new CounterTally({
    name: 'portico_graphql_operations_total',
    help: 'Operations by what became of them: ok, or the code of the first error.',
    labelNames: ['door', 'type', 'operation', 'code'],
  });
  const duration = new HistogramTally(
    {
      name: 'portico_graphql_operation_duration_seconds',
      help: 'Time from the arrival of an operation to its result.',
      labelNames: ['door', 'type', 'operation'],
    },
    DURATIONS,
  );
  const costs = new HistogramTally(
    {
      name: 'portico_operation_cost_points',
      help: 'Points that operations were estimated to cost, before they ran.',
      labelNames: ['door'],
    },
    COSTS,
  );
  tallies.push(total, duration, costs);
  const typeKeys = new JoinedKeys();
  const operationKeys = new JoinedKeys();
  const keys = new JoinedKeys();
  return {
    knowOperations(names) {
      for (const name of names) known.add(name);
    },
    operation({ door, type, name, code, seconds }) {
      const operation = name != null && known.has(name) ? name : UNKNOWN_OPERATION;
      const key = operationKeys.of(typeKeys.of(door, type), operation);
      total.add(keys.of(key, code), [door, type, operation, code]);
      duration.observe(key, [door, type, operation], seconds);
    },
    cost: (door, points) => costs.observe(door, [door], points),
  };
}

function limitMetrics(
  registry: Registry,
): Pick<Metrics, 'refused' | 'shed' | 'watchQueue' | 'deprecatedUse'> {
  const registers = [registry];
  const refusals = new Counter({
    name: 'portico_refusals_total',
    help: 'Requests that were turned away by a limit: out of points, too many sign-ins, too costly, overload.',
    labelNames: ['refusal'],
    registers,
  });
  const shed = new Counter({
    name: 'portico_shed_operations_total',
    help: 'Operations that were turned away because there was too much to do, by cause.',
    labelNames: ['cause'],
    registers,
  });
  let look: (() => number) | undefined;
  new Gauge({
    name: 'portico_operations_waiting',
    help: 'Operations that wait for their turn. It is 0 while the process keeps up.',
    registers,
    collect() {
      this.set(look?.() ?? 0);
    },
  });
  const deprecated = new Counter({
    name: 'portico_deprecated_uses_total',
    help: 'Uses of deprecated routes and fields, by the kind of client. The log says who it was.',
    labelNames: ['what', 'client'],
    registers,
  });
  return {
    refused: (refusal) => refusals.inc({ refusal }),
    shed(cause) {
      shed.inc({ cause });
      refusals.inc({ refusal: 'overload' });
    },
    watchQueue(toLookAt) {
      look = toLookAt;
    },
    deprecatedUse: (what, client) => deprecated.inc({ what, client }),
  };
}

function exportMetrics(registry: Registry): Pick<Metrics, 'exportOpened'> {
  const registers = [registry];
  const open = new Gauge({
    name: 'portico_exports_open',
    help: 'Exports that run now, each with a snapshot of the database.',
    registers,
  });
  const ended = new Counter({
    name: 'portico_exports_total',
    help: 'Exports that have ended: complete, or cut before the last row.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    exportOpened() {
      open.inc();
      return (outcome) => {
        open.dec();
        ended.inc({ outcome });
      };
    },
  };
}

function eventMetrics(
  registry: Registry,
): Pick<Metrics, 'subscriptionOpened' | 'readerLag' | 'webhookAttempt' | 'mail'> {
  const registers = [registry];
  const open = new Gauge({
    name: 'portico_subscriptions_open',
    help: 'Subscriptions and event streams that are open now.',
    labelNames: ['door'],
    registers,
  });
  const mails = new Counter({
    name: 'portico_mails_total',
    help: 'Attempts to send mail, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'portico_log_reader_lag_seconds',
    help: 'Time from the record of an event to its arrival at a reader of the log.',
    labelNames: ['reader'],
    buckets: LAGS,
    registers,
  });
  const attempts = new Counter({
    name: 'portico_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  const attemptDuration = new Histogram({
    name: 'portico_webhook_attempt_duration_seconds',
    help: 'Time that the receivers of webhooks took to answer, or until they were given up.',
    buckets: DURATIONS,
    registers,
  });
  return {
    subscriptionOpened(door) {
      open.inc({ door });
      let counted = true;
      return () => {
        if (counted) open.dec({ door });
        counted = false;
      };
    },
    mail: (outcome) => mails.inc({ outcome }),
    readerLag: (reader, seconds) => lag.observe({ reader }, Math.max(0, seconds)),
    webhookAttempt(outcome, seconds) {
      attempts.inc({ outcome });
      attemptDuration.observe(seconds);
    },
  };
}

function databaseMetrics(registry: Registry, tallies: Tally[]): Pick<Metrics, 'statement' | 'watchPool'> {
  const registers = [registry];
  const duration = new HistogramTally(
    {
      name: 'portico_db_statement_duration_seconds',
      help: 'Time that database statements took, without waiting for a connection.',
      labelNames: ['statement'],
    },
    STATEMENT_DURATIONS,
  );
  tallies.push(duration);
  let look: (() => PoolLoad) | undefined;
  new Gauge({
    name: 'portico_db_connections',
    help: 'Connections to the database by what they do, and how many callers wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      if (!look) return;
      const { inUse, idle, waiting } = look();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const families = new Map<string, string>();
  /** Statements that write any number of rows are one each for each number: `orderItems.insert.3`. */
  const familyOf = (name: string) => {
    const family = name.replace(/\.\d+$/, '');
    families.set(name, family);
    return family;
  };
  return {
    statement(name, seconds) {
      const family = families.get(name) ?? familyOf(name);
      duration.observe(family, [family], seconds);
    },
    watchPool(toLookAt) {
      look = toLookAt;
    },
  };
}
