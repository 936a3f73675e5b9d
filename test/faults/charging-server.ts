/**
 * The server as a process of its own that kills itself at a point of a charge or a refund. It is the whole server: what is put
 * in between stands around its database and its gateway, and does nothing until a line on standard input names the point.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { membersOf } from '../support/around-database.ts';
import { api } from '../support/operations.ts';
import { DEFAULTS, settingsWith } from '../support/settings.ts';
import { type ChargingServerOptions, POINTS, type Point } from './points.ts';

// Written by `charging.ts`, which starts this.
const options = JSON.parse(process.argv[2] ?? '') as ChargingServerOptions;
const { url, keysFile, port, ahead, slow = 0, reconcileInterval } = options;
const clock = () => new Date(Date.now() + ahead);

/** Where the process is to end. */
let armed: Point | undefined;
/** Whether the gateway has moved the money of the request that is not to come to its end. */
let moved = false;

const dieAt = (here: Point): void => {
  if (here === armed) process.kill(process.pid, 'SIGKILL');
};

const database = await openDatabase({ ...DEFAULTS.database, url });
const sandbox = createSandbox({ database, clock });

const mortal: Database = {
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

/** Whether it was said that the gateway was asked. */
let said = false;

/** Of a slow gateway, which says when it is asked for the first time. */
async function pause(): Promise<void> {
  if (slow === 0) return;
  if (!said) process.stdout.write('asked\n');
  said = true;
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
    // Milliseconds. However busy the machine is, no operation is turned away: the test is about those that are let in.
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
