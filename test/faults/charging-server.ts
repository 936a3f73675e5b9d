/**
 * The server as a process of its own that kills itself at a point of a charge. It is the whole server: what is put in between
 * stands around its database and its gateway, and does nothing until it is armed by a line on standard input.
 */
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import type { ChargingServerOptions } from './charging.ts';

// Written by `charging.ts`, which starts this.
const options = JSON.parse(process.argv[2] ?? '') as ChargingServerOptions;
const { point, url, keysFile, port, ahead } = options;
const clock = () => new Date(Date.now() + ahead);

let armed = false;
/** Whether the gateway has moved the money of the charge that is not to come to its end. */
let moved = false;

const dieAt = (here: typeof point): void => {
  if (armed && here === point) process.kill(process.pid, 'SIGKILL');
};

const database = await openDatabase({ url });
const sandbox = createSandbox({ database, clock });

const mortal: Database = {
  engine: database.engine,
  run: (statement, params) => database.run(statement, params),
  ping: () => database.ping(),
  load: () => database.load(),
  close: () => database.close(),
  onGrowth: (listener) => database.onGrowth(listener),
  missingMigrations: () => database.missingMigrations(),
  async transaction(work) {
    dieAt('before the record');
    const result = await database.transaction(async (tx) => {
      const value = await work(tx);
      if (moved) dieAt('before the commit');
      return value;
    });
    if (moved) dieAt('after the commit');
    return result;
  },
};

const app = await createApp({
  database: mortal,
  keys: await loadKeys({ file: keysFile, createWhenMissing: true, clock }),
  clock,
  logger: pino({ level: 'warn' }, process.stderr),
  publicUrl: 'https://portico.test',
  production: false,
  trustProxy: 0,
  gateway: {
    refund: (request) => sandbox.refund(request),
    async charge(request) {
      dieAt('after the record');
      const result = await sandbox.charge(request);
      moved = armed;
      dieAt('after the gateway');
      return result;
    },
  },
});
await app.http.listen({ host: '127.0.0.1', port });
process.stdout.write('ready\n');

createInterface(process.stdin).on('line', () => {
  armed = true;
  process.stdout.write('armed\n');
});
