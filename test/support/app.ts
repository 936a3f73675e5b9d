/** Starts a complete server on a separate port, on one engine's database with the demo data. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type App, type AppDependencies, createApp } from '../../src/app.ts';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { type Keys, loadKeys } from '../../src/auth/keys.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
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
import { api } from './api.ts';
import { type Client, createClient } from './client.ts';
import type { TestEngine } from './engines.ts';
import { type Fingerprint, type LoggedEvent, readEvents, readFingerprint } from './fixtures/rows.ts';
import { checkExchange } from './openapi.ts';
import { ROOT } from './process.ts';
import { DEFAULTS, type SettingOverrides, settingsWith } from './settings.ts';
import { runningClock, type TestClock, testClock } from './test-doubles.ts';

/** The issuer of tokens and the base of absolute URLs. As behind a proxy, it differs from the address of the server. */
export const PUBLIC_URL = 'https://portico.test';

export interface TestApp extends Client {
  /** In tests: the URL of the server. */
  readonly url: string;
  readonly port: number;
  /** In tests: the HTTP server. */
  readonly server: Server;
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
    readonly around?: (database: OpenDatabase) => OpenDatabase;
  };

/** The settings of all suites. */
const SETTINGS: SettingOverrides = {
  http: { publicUrl: PUBLIC_URL },
  // Suites send more requests a second than the default budget allows. Suites about budgets have their own settings.
  budget: { points: 1_000_000_000, perSecond: 1_000_000_000 },
  // Tests share the cores with other processes, so a slow operation must not fail.
  operations: { patience: 60_000, deadline: 60_000 },
  connections: { connectionInitTimeout: 60_000 },
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
    keys = await loadKeys({ file: keyFile(), createWhenMissing: true, clock });
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

  const running = (): App => {
    if (!app) throw new Error('The server only runs in hooks and tests.');
    return app;
  };
  // A server that listens on a TCP port has an address of this type.
  const portOf = (): number => (running().http.server.address() as AddressInfo).port;
  const keyFile = (): string => {
    if (!directory) throw new Error('The key file only exists in hooks and tests.');
    return join(directory, KEYS_FILE);
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
    get server() {
      return running().http.server;
    },
    isConnectedTo: (port) => peers.has(port),
    clock,
    get keys() {
      if (!keys) throw new Error('The keys only exist in hooks and tests.');
      return keys;
    },
    async rotateKeys() {
      await rotateKeyFile(keyFile(), clock);
      await keys?.reload();
    },
    log,
    get services() {
      return running().services;
    },
    get reconciler() {
      return running().reconciler;
    },
    get keyFile() {
      return keyFile();
    },
    get janitor() {
      return running().janitor;
    },
    get webhooks() {
      return running().webhooks;
    },
    get outbox() {
      return running().outbox;
    },
    get usage() {
      return running().usage;
    },
    mails,
    statements,
    forgetStatements,
    events: (afterId = 0) => readEvents(engine, afterId),
    fingerprint: () => readFingerprint(engine),
    stop: async () => app?.http.close(),
  };
}

export type Documents = Readonly<Record<string, string>>;

/**
 * Creates a folder named `rest` with these documents.
 *
 * @param around whether it also contains the server's own documents.
 * @param after registers the removal: after the suite, or after the test with `onTestFinished`.
 */
export function restFolder(
  documents: Documents,
  around: 'own documents' | 'nothing',
  after: (remove: () => void) => void = afterAll,
): string {
  const directory = mkdtempSync(join(tmpdir(), 'portico-rest-'));
  after(() => rmSync(directory, { recursive: true }));
  const folder = join(directory, 'rest');
  if (around === 'own documents') cpSync(join(ROOT, 'rest'), folder, { recursive: true });
  for (const [name, text] of Object.entries(documents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
