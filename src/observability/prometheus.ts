/** The metrics in the text format of Prometheus. Each application has its own registry. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  type Dependencies,
  EXPORT_OUTCOMES,
  MAIL_OUTCOMES,
  type Metrics,
  type PoolLoad,
  REFUSALS,
  SHED_CAUSES,
  WEBHOOK_OUTCOMES,
} from './metrics.ts';
import { createTallies, DURATIONS } from './tallies.ts';

/** Buckets in seconds for the lag of a reader: after a notification, after a poll, or far behind. */
const LAGS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** @param ofProcess whether to include metrics of the process: only for its single application, since their observers cannot be stopped. */
export function createMetrics({ process: ofProcess = false }: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry();
  const { text, ...ofEachRequest } = createTallies();
  if (ofProcess) countProcess(registry);
  return {
    text: async () => text() + (await registry.metrics()),
    contentType: registry.contentType,
    ...ofEachRequest,
    ...limitMetrics(registry),
    ...exportMetrics(registry),
    ...eventMetrics(registry),
    ...poolMetrics(registry),
    ...dependencyMetrics(registry),
  };
}

/** Gauges that sum up other metrics. Their names end like those of counters, which Prometheus's linter rejects. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

function countProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

/**
 * Creates a counter with a sample for each value of its label from the beginning. Prometheus does not know that one that appears later was 0
 * before, so its `rate` ignores the first event, which is often the only one: a webhook that gives up is disabled.
 */
function counterOf<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: Label,
  values: readonly string[],
) {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0);
  return counter;
}

function limitMetrics(
  registry: Registry,
): Pick<Metrics, 'refused' | 'shed' | 'watchQueue' | 'deprecatedUse'> {
  const refusals = counterOf(
    registry,
    'portico_refusals_total',
    'Operations that were refused by a limit before they ran: out of points, too costly, too large, overload.',
    'refusal',
    [...REFUSALS, 'overload'],
  );
  const shed = counterOf(
    registry,
    'portico_shed_operations_total',
    'Operations that were shed under overload, by cause.',
    'cause',
    SHED_CAUSES,
  );
  let look: (() => number) | undefined;
  new Gauge({
    name: 'portico_operations_waiting',
    help: 'Operations that wait for their turn. It is 0 while the process keeps up.',
    registers: [registry],
    collect() {
      this.set(look?.() ?? 0);
    },
  });
  const deprecated = new Counter({
    name: 'portico_deprecated_uses_total',
    help: 'Uses of deprecated routes and fields, by the kind of client. The log has the callers.',
    labelNames: ['what', 'client'],
    registers: [registry],
  });
  return {
    refused: (refusal) => refusals.inc({ refusal }),
    shed(cause) {
      shed.inc({ cause });
      refusals.inc({ refusal: 'overload' });
    },
    watchQueue(read) {
      look = read;
    },
    deprecatedUse: (what, client) => deprecated.inc({ what, client }),
  };
}

function exportMetrics(registry: Registry): Pick<Metrics, 'exportOpened'> {
  const open = new Gauge({
    name: 'portico_exports_open',
    help: 'Exports that run now, each with a snapshot of the database.',
    registers: [registry],
  });
  const ended = counterOf(
    registry,
    'portico_exports_total',
    'Exports that have ended: complete, or cut off before the last row.',
    'outcome',
    EXPORT_OUTCOMES,
  );
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
  const mails = counterOf(
    registry,
    'portico_mails_total',
    'Attempts to send mail, by outcome.',
    'outcome',
    MAIL_OUTCOMES,
  );
  const lag = new Histogram({
    name: 'portico_log_reader_lag_seconds',
    help: 'Time from the recording of an event to its arrival at a reader of the log.',
    labelNames: ['reader'],
    buckets: LAGS,
    registers,
  });
  const attempts = counterOf(
    registry,
    'portico_webhook_attempts_total',
    'Attempts to deliver to a webhook, by outcome.',
    'outcome',
    WEBHOOK_OUTCOMES,
  );
  const attemptDuration = new Histogram({
    name: 'portico_webhook_attempt_duration_seconds',
    help: 'Time that receivers of webhooks took to respond, or until the attempt was given up.',
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

function poolMetrics(registry: Registry): Pick<Metrics, 'watchPool'> {
  let look: (() => PoolLoad) | undefined;
  new Gauge({
    name: 'portico_db_connections',
    help: 'Database connections by state, and the number of callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      if (!look) return;
      const { inUse, idle, waiting } = look();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  return {
    watchPool(read) {
      look = read;
    },
  };
}

function dependencyMetrics(registry: Registry): Pick<Metrics, 'watchDependencies'> {
  const registers = [registry];
  let look: (() => Dependencies) | undefined;
  new Gauge({
    name: 'portico_changes_refused',
    help: '1 if the database refused a change and none succeeded a minute or more later: its disk is full or fails, it is read-only, or its file was replaced.',
    registers,
    collect() {
      this.set(Number(look?.().refusesChanges ?? false));
    },
  });
  new Gauge({
    name: 'portico_redis_degraded',
    help: '1 if Redis is configured, but requests do without it or did within the last minute.',
    registers,
    collect() {
      this.set(Number(look?.().lacksRedis ?? false));
    },
  });
  new Gauge({
    name: 'portico_tls_expiry_timestamp_seconds',
    help: 'When the first of the TLS files of each kind expires, in seconds since the epoch.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      const latestFirst = (look?.().expiries ?? []).toSorted((a, b) => b.at.getTime() - a.at.getTime());
      for (const { kind, at } of latestFirst) this.set({ kind }, at.getTime() / 1000);
    },
  });
  return {
    watchDependencies(read) {
      look = read;
    },
  };
}
