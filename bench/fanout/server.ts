/** `node --expose-gc bench/fanout/server.ts <portico|baseline> <database file> <key file>`: a server that is measured. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { type Keys, loadKeys } from '../../src/auth/keys.ts';
import { systemClock } from '../../src/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { record } from '../../src/events/record.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { PUBLIC_URL } from '../servers.ts';
import { listenBaseline } from './baseline.ts';
import type { ServerState, ServerTask } from './messages.ts';

const PLENTY = 1_000_000_000;

async function listenPortico(database: Database, keys: Keys): Promise<Server> {
  const app = await createApp({
    database,
    keys,
    clock: systemClock,
    logger: pino({ level: 'warn' }),
    publicUrl: PUBLIC_URL,
    production: true,
    trustProxy: 0,
    budget: { points: PLENTY, perSecond: PLENTY },
    // Thousands connect within moments, from one address; what is measured comes after that.
    overloadLag: PLENTY,
    gateway: createSandbox({ database, clock: systemClock }),
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  return app.http.server;
}

/** What an update of an order says. */
function recordOne(database: Database): Promise<number> {
  return database.transaction((tx) =>
    record(
      tx,
      {
        org: 'acme',
        type: 'order.updated',
        actorId: 1,
        subjectType: 'order',
        subjectId: 1,
        data: { status: 'shipped', changed: ['status'], previous: { status: 'processing' } },
      },
      systemClock,
    ),
  );
}

async function stateOf(port: number, collect: boolean): Promise<ServerState> {
  for (let round = 0; collect && round < 4; round += 1) {
    // The regular kind keeps pages for what comes next.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    // What was let go of in one turn is collected in the next.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { port, user, system, rss, heap: heapUsed + external };
}

const [kind = '', databaseFile = '', keyFile = ''] = process.argv.slice(2);
const keys = await loadKeys({ file: keyFile, createWhenMissing: false, clock: systemClock });
const database = await openDatabase({ url: `file:${databaseFile}` });
const server =
  kind === 'baseline' ? await listenBaseline(database, keys) : await listenPortico(database, keys);
// A server that listens on a port has an address with one.
const { port } = server.address() as AddressInfo;

process.on('message', async ({ task }: ServerTask) => {
  if (task === 'record') await recordOne(database);
  process.send?.(await stateOf(port, task === 'measure'));
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.send?.(await stateOf(port, false));
