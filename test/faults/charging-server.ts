/**
 * A server process that kills itself at a point of a charge or a refund. It runs the whole server: the
 * wrappers around its database and its gateway do nothing until a line on standard input names the point.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { api } from '../support/api.ts';
import { DEFAULTS, settingsWith } from '../support/settings.ts';
import { membersOf } from '../support/test-doubles.ts';
import { type ChargingServerOptions, POINTS, type Point } from './points.ts';

// Written by `charging.ts`, which starts this process.
const options = JSON.parse(process.argv[2] ?? '') as ChargingServerOptions;
const { url, keysFile, port, ahead, slow = 0, reconcileInterval } = options;
const clock = () => new Date(Date.now() + ahead);

/** The point at which the process kills itself. */
let armed: Point | undefined;
/** Whether the gateway has moved the money of the interrupted request. */
let moved = false;

const dieAt = (here: Point): void => {
  if (here === armed) process.kill(process.pid, 'SIGKILL');
};

const database = await openDatabase({ ...DEFAULTS.database, url });
const sandbox = createSandbox({ database, clock });

const mortal: OpenDatabase = {
  ...membersOf(database),
  async transaction(work, signal) {
    dieAt('before the record');
    const result = await database.transaction(async (tx) => {
      const value = await work(tx);
      if (moved) dieAt('before the commit');
      return value;
    }, signal);
    if (moved) dieAt('after the commit');
    return result;
  },
};

/** Whether the first call to the gateway was reported. */
let reported = false;

/** Delays the gateway, and reports its first call on standard output. */
async function pause(): Promise<void> {
  if (slow === 0) return;
  if (!reported) process.stdout.write('asked\n');
  reported = true;
  await sleep(Math.random() * slow);
}

async function move<T>(ask: () => Promise<T>): Promise<T> {
  dieAt('after the record');
  await pause();
  const result = await ask();
  await pause();
  moved = armed !== undefined;
  dieAt('after the gateway');
  return result;
}

const app = await createApp({
  config: settingsWith({
    http: { publicUrl: 'https://portico.test' },
    // Milliseconds. No operation is rejected on a busy machine, since the test is about those that run.
    operations: { patience: 60_000 },
    ...(reconcileInterval !== undefined && { payments: { reconcileInterval } }),
  }),
  api,
  database: mortal,
  keys: await loadKeys({ file: keysFile, createWhenMissing: true, clock }),
  clock,
  logger: pino({ level: 'warn' }, process.stderr),
  gateway: {
    charge: (request) => move(() => sandbox.charge(request)),
    recover: (request) => sandbox.recover(request),
    refund: (request) => move(() => sandbox.refund(request)),
  },
});
await app.http.listen({ host: '127.0.0.1', port });
if (reconcileInterval !== undefined) app.reconciler.start();
process.stdout.write('ready\n');

createInterface(process.stdin).on('line', (line) => {
  armed = POINTS.find((point) => point === line);
  process.stdout.write('armed\n');
});
