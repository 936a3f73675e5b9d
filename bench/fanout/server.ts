/** `node --expose-gc bench/fanout/server.ts <portico|baseline> <database file> <key file>`: runs a measured server. */
import type { AddressInfo } from 'node:net';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { record } from '../../src/events/record.ts';
import { listen } from '../in-process.ts';
import { listenBaseline } from './baseline.ts';
import type { ServerState, ServerTask } from './messages.ts';

const UPDATE: Parameters<typeof record>[1] = {
  org: 'acme',
  type: 'order.updated',
  actorId: 1,
  subjectId: 1,
  data: { user_id: 1, status: 'shipped', total: 39.98, currency: 'USD' },
};

/** Records events of order updates. */
function recordEvents(database: Database, events: number): Promise<void> {
  return database.transaction(async (tx) => {
    for (let event = 0; event < events; event += 1) await record(tx, UPDATE, systemClock);
  });
}

async function stateOf(port: number, collect: boolean): Promise<ServerState> {
  for (let round = 0; collect && round < 4; round += 1) {
    // A regular collection keeps free pages; this one returns them to the system.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    // Objects that become unreachable in one round are collected in the next.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { port, user, system, rss, heap: heapUsed + external };
}

const [kind = '', databaseFile = '', keyFile = ''] = process.argv.slice(2);
const database = await openDatabase({ ...loadConfig({}).database, url: `file:${databaseFile}` });
const server =
  kind === 'baseline'
    ? await listenBaseline(database, keyFile)
    : (await listen(database, keyFile)).app.http.server;
// A server that listens on a TCP port has an address of this type.
const { port } = server.address() as AddressInfo;

process.on('message', async (message: ServerTask) => {
  if (message.task === 'record') await recordEvents(database, message.events);
  process.send?.(await stateOf(port, message.task === 'measure'));
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.send?.(await stateOf(port, false));
