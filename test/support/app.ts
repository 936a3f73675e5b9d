/** Starts a complete server on a separate port, on one engine's database with the demo data. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type App, type AppDependencies, createApp } from '../../src/app.ts';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { type Keys, loadKeys } from '../../src/auth/keys.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import type { Database } from '../../src/db/database.ts';
import { postgresTables } from '../../src/db/postgres/columns.ts';
import type { Tables } from '../../src/db/tables.ts';
import type { Janitor } from '../../src/jobs/janitor.ts';
import type { Reconciler } from '../../src/jobs/reconciler.ts';
import type { Outbox } from '../../src/mail/outbox.ts';
import type { Message, SendMessage } from '../../src/mail/transport.ts';
import { loggerOptions } from '../../src/observability/log.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { createStripeVerifier } from '../../src/payments/stripe-webhooks.ts';
import type { Services } from '../../src/pipeline/context.ts';
import type { Usage } from '../../src/pipeline/usage.ts';
import { type Api, type ApiOptions, readApi } from '../../src/rest/api.ts';
import type { Dispatcher } from '../../src/webhooks/dispatcher.ts';
import { type Client, createClient, OF_SIGNING_IN } from './client.ts';
import { runningClock, type TestClock, testClock } from './clock.ts';
import type { TestEngine } from './engines.ts';
import { checkExchange } from './openapi-check.ts';
import { api } from './operations.ts';
import { DEFAULTS, type SettingOverrides, settingsWith } from './settings.ts';

/** The issuer of tokens and the base of absolute URLs. As behind a proxy, it differs from the address of the server. */
export const PUBLIC_URL = 'https://portico.test';

export interface TestApp extends Client {
  /** In tests: the URL of the server. */
  readonly url: string;
  readonly port: number;
  /** Whether the server has a connection from this local port. */
  isConnectedTo(port: number | undefined): boolean;
  readonly clock: TestClock;
  /** In tests: the server's keys. */
  readonly keys: Keys;
  /** Rotates the keys, as an operator does: a new key signs and seals from now on. */
  rotateKeys(): Promise<void>;
  /** The server's log so far, as lines of JSON. */
  readonly log: readonly string[];
  /** The names of the statements that the last request ran, in order, without those of its login. */
  readonly statements: readonly string[];
  /** Clears that list, for requests that are not sent with this client. */
  forgetStatements(): void;
  /** The events after this id, read directly from the database. */
  events(afterId?: number): Promise<LoggedEvent[]>;
  /** Numbers that summarise all tables. They are the same before and after a request only if it wrote nothing. */
  fingerprint(): Promise<Fingerprint>;
  /** In tests: the services that resolvers use. */
  readonly services: Services;
  /** In tests: the reconciler of charges with unknown outcomes. It is not started: tests run its rounds. */
  readonly reconciler: Reconciler;
  /** In tests: the janitor, which deletes expired rows and encrypts secrets with the newest key. */
  readonly janitor: Janitor;
  /** In tests: the path of the key file. */
  readonly keyFile: string;
  /** In tests: the webhook dispatcher. It is not started. */
  readonly webhooks: Dispatcher;
  /** In tests: the outbox of emails. It is not started. */
  readonly outbox: Outbox;
  /** In tests: the usage counters. They are not started: tests have them write. */
  readonly usage: Usage;
  /** In tests: the sent emails, unless the suite has its own `sendMail`. */
  readonly mails: readonly Message[];
  /** Closes the HTTP server, as in a graceful shutdown before the database is closed. */
  stop(): Promise<void>;
}

export interface LoggedEvent {
  readonly id: number;
  readonly org: string;
  readonly type: string;
  readonly actorId: number | null;
  readonly subjectType: string;
  readonly subjectId: number;
  readonly data: unknown;
}

/** The number of rows of a table, its largest id, and the sum of its versions; 0 if it has no such column. */
interface TablePrint {
  readonly rows: number;
  readonly newest: number;
  readonly changes: number;
}

export type Fingerprint = Readonly<Record<keyof Tables, TablePrint>>;

/** The secret with which the tests' payment provider signs messages. */
export const PAYMENT_EVENTS_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The same for Stripe. */
export const STRIPE_WEBHOOK_SECRET = 'whsec_4nJ2kQ8sVb1xWm7RtYz5PcLdGh3FaEu6';

const KEYS_FILE = 'keys.json';

/** Resolves every host name to a public address, to which webhooks may be sent. No test uses DNS. */
const publicAddress = async () => ['93.184.215.14'];

/** The settings and dependencies of a suite's server that differ from the defaults. */
export type AppSettings = SettingOverrides &
  Partial<
    Pick<
      AppDependencies,
      'trustedDocuments' | 'scheduling' | 'gateway' | 'offerDemo' | 'verifyStripeEvent' | 'sendMail' | 'tls'
    >
  > &
  Pick<ApiOptions, 'restFolder'> & {
    /** Whether the clock runs, for values that libraries compare with the clock of the machine. */
    readonly realTime?: boolean;
    /** Wraps the database of the engine. */
    readonly around?: (database: Database) => Database;
  };

/** The settings of all suites. */
const SETTINGS: SettingOverrides = {
  http: { publicUrl: PUBLIC_URL },
  // Suites send more requests a second than the default budget allows. Suites about budgets have their own settings.
  budget: { points: 1_000_000_000, perSecond: 1_000_000_000 },
  // Tests share the cores with other processes, so a slow operation must not fail.
  operations: { patience: 60_000, deadline: 60_000 },
  payments: { paymentEventsSecrets: [PAYMENT_EVENTS_SECRET] },
  webhooks: { resolve: publicAddress },
  mail: { perCaller: 1_000_000, poll: 20, retryPause: 20 },
};

/** The APIs by the limits and the documents that they depend on. Servers share them. */
const apis = new Map([[keyOf(DEFAULTS), api]]);

function keyOf({ operations: { cost, pageMax }, restFolder = '' }: ApiOptions): string {
  return `${cost} ${pageMax} ${restFolder}`;
}

function apiWith(options: ApiOptions): Api {
  const key = keyOf(options);
  const known = apis.get(key) ?? readApi(options);
  apis.set(key, known);
  return known;
}

/** Starts the server before the tests of a suite and stops it after them. */
export function startApp(
  engine: TestEngine,
  {
    realTime = false,
    around = (database) => database,
    restFolder,
    trustedDocuments,
    scheduling,
    gateway,
    offerDemo,
    sendMail,
    tls,
    verifyStripeEvent = createStripeVerifier([STRIPE_WEBHOOK_SECRET]),
    ...overrides
  }: AppSettings = {},
): TestApp {
  const clock = realTime ? runningClock() : testClock();
  const config = settingsWith(SETTINGS, overrides);
  const statements: string[] = [];
  const log: string[] = [];
  const mails: Message[] = [];
  const keepMail: SendMessage = async (message) => void mails.push(message);
  const peers = new Set<number | undefined>();
  let keys: Keys | undefined;
  let app: App | undefined;
  let directory: string | undefined;

  engine.withDemo();
  beforeAll(async () => {
    const observe = (name: string) => {
      // This statement belongs to no request: it runs once a second, with the next request.
      if (!/^standing\..*Since$/i.test(name)) statements.push(name);
    };
    const database = around(await engine.open({ observe }));
    directory = await mkdtemp(join(tmpdir(), 'portico-app-'));
    keys = await loadKeys({ file: join(directory, KEYS_FILE), createWhenMissing: true, clock });
    app = await createApp({
      config,
      api: apiWith({ ...config, restFolder }),
      database,
      keys,
      clock,
      logger: pino(loggerOptions('trace'), { write: (line: string) => void log.push(line) }),
      gateway: gateway ?? createSandbox({ database, clock, late: 50 }),
      verifyStripeEvent,
      sendMail: sendMail ?? keepMail,
      tls,
      ...(trustedDocuments && { trustedDocuments }),
      ...(scheduling && { scheduling }),
      ...(offerDemo !== undefined && { offerDemo }),
    });
    app.http.server.on('connection', (socket) => {
      const { remotePort } = socket;
      peers.add(remotePort);
      socket.on('close', () => peers.delete(remotePort));
    });
    await app.http.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await app?.http.close();
    if (directory) await rm(directory, { recursive: true });
  });

  const portOf = (): number => {
    if (!app) throw new Error('The server only runs in hooks and tests.');
    // A server that listens on a TCP port has an address of this type.
    return (app.http.server.address() as AddressInfo).port;
  };
  const urlOf = () => `http://127.0.0.1:${portOf()}`;
  const forgetStatements = () => {
    statements.length = 0;
  };
  return {
    ...createClient({
      url: urlOf,
      password: DEMO_PASSWORD,
      beforeRequest: forgetStatements,
      check: checkExchange,
    }),
    get url() {
      return urlOf();
    },
    get port() {
      return portOf();
    },
    isConnectedTo: (port) => peers.has(port),
    clock,
    get keys() {
      if (!keys) throw new Error('The keys only exist in hooks and tests.');
      return keys;
    },
    async rotateKeys() {
      if (!directory) throw new Error('The keys only exist in hooks and tests.');
      await rotateKeyFile(join(directory, KEYS_FILE), clock);
      await keys?.reload();
    },
    log,
    get services() {
      if (!app) throw new Error('The server only runs in hooks and tests.');
      return app.services;
    },
    get reconciler() {
      if (!app) throw new Error('The server only runs in hooks and tests.');
      return app.reconciler;
    },
    get keyFile() {
      if (!directory) throw new Error('The key file only exists in hooks and tests.');
      return join(directory, KEYS_FILE);
    },
    get janitor() {
      if (!app) throw new Error('The server only runs in hooks and tests.');
      return app.janitor;
    },
    get webhooks() {
      if (!app) throw new Error('The server only runs in hooks and tests.');
      return app.webhooks;
    },
    get outbox() {
      if (!app) throw new Error('The server only runs in hooks and tests.');
      return app.outbox;
    },
    get usage() {
      if (!app) throw new Error('The server only runs in hooks and tests.');
      return app.usage;
    },
    mails,
    statements,
    forgetStatements,
    events: (afterId = 0) => readEvents(engine, afterId),
    fingerprint: () => readFingerprint(engine),
    stop: async () => app?.http.close(),
  };
}

/** Reads events. PostgreSQL's driver returns 64-bit integers as text, and SQLite stores JSON as text. */
async function readEvents({ place, name }: TestEngine, afterId: number): Promise<LoggedEvent[]> {
  const rows = await place.query(
    `select id, org, type, actor_id, subject_type, subject_id, data from events where id > ${afterId} order by id`,
  );
  return rows.map((row) => ({
    id: Number(row['id']),
    org: String(row['org']),
    type: String(row['type']),
    actorId: row['actor_id'] === null ? null : Number(row['actor_id']),
    subjectType: String(row['subject_type']),
    subjectId: Number(row['subject_id']),
    data: name === 'sqlite' ? JSON.parse(String(row['data'])) : row['data'],
  }));
}

const PRINTED = Object.entries(postgresTables)
  .filter(([name]) => !OF_SIGNING_IN.has(name))
  .map(([name, table]) => {
    const columns = getTableColumns(table);
    const newest = 'id' in columns && columns.id.dataType === 'number' ? 'coalesce(max(id), 0)' : '0';
    const changes = 'version' in columns ? 'coalesce(sum(version), 0)' : '0';
    return {
      name,
      sql: `(select count(*) || ' ' || ${newest} || ' ' || ${changes} from ${getTableName(table)}) as "${name}"`,
    };
  });
const PRINT = `select ${PRINTED.map(({ sql }) => sql).join(', ')}`;

async function readFingerprint({ place }: TestEngine): Promise<Fingerprint> {
  const [row] = await place.repeat('fingerprint', PRINT);
  const prints = PRINTED.map(({ name }) => {
    const [rows = 0, newest = 0, changes = 0] = String(row?.[name]).split(' ').map(Number);
    return [name, { rows, newest, changes }];
  });
  // The statement returns every table.
  return Object.fromEntries(prints) as Fingerprint;
}
