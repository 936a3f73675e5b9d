/** `npm run bench -- fanout`: sends the same events to thousands of subscribers, compared with an unmodified graphql-ws. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadKeys } from '../../src/auth/keys.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { ROLE_SCOPES } from '../../src/auth/policy.ts';
import { Tokens } from '../../src/auth/tokens.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { type Cleanups, temporaryFolder } from '../cleanups.ts';
import { integer, readTexts } from '../options.ts';
import { type Cores, chooseCores, endProcess, startNode } from '../processes.ts';
import { createProgress } from '../progress.ts';
import { PUBLIC_URL } from '../servers.ts';
import { type Figures, figuresOf, report } from './figures.ts';
import { type ClientsState, nextReply, runTask, type ServerState } from './messages.ts';

export interface FanoutOptions {
  readonly connections: number;
  readonly events: number;
  /** Number of events that are recorded together. */
  readonly burst: number;
  readonly onProgress: (what: string) => void;
}

/** Connections that are opened and closed before the measurement, so that compiled code and buffers do not count as their memory. */
const WARM_UP_CONNECTIONS = 200;
/** Events before the measurement. */
const WARM_UP_EVENTS = 10;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const USAGE = `npm run bench -- fanout [options]

  --connections <number>  subscribers (5000)
  --events <number>       measured events (100)
  --burst <number>        events that are recorded together, of which each client receives all before the next (1)
`;

/** @throws UsageError for an invalid option. */
export async function fanout(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { connections: '5000', events: '100', burst: '1' }, USAGE);
  const progress = createProgress(cleanups);
  const options: FanoutOptions = {
    connections: integer('connections', values.connections, 1, 15_000),
    events: integer('events', values.events, 1, 1000),
    burst: integer('burst', values.burst, 1, 100),
    onProgress: (what) => progress.show(what),
  };
  const folder = await temporaryFolder(cleanups);
  const cores = chooseCores();
  const portico = await measureFanout('portico', folder, cores, options);
  const baseline = await measureFanout('baseline', folder, cores, options);
  progress.clear();
  process.stdout.write(report(portico, baseline, options));
}

/** @param folder the folder for the database and the keys. */
export async function measureFanout(
  kind: 'portico' | 'baseline',
  folder: string,
  cores: Cores,
  { connections, events, burst, onProgress }: FanoutOptions,
): Promise<Figures> {
  const databaseFile = join(folder, `${kind}.db`);
  const keyFile = join(folder, 'keys.json');
  const token = await prepare(databaseFile, keyFile);
  const server = startNode(
    ['--expose-gc', pathOf('server.ts'), kind, databaseFile, keyFile],
    { NODE_ENV: 'production' },
    cores.servers,
  );
  const { port } = await nextReply<ServerState>(server, 'start');
  const clients = startNode([pathOf('clients.ts')], {}, cores.load);
  const url = `ws://127.0.0.1:${port}/graphql`;
  const runOnClients = (task: Parameters<typeof runTask>[1]) => runTask<ClientsState>(clients, task);
  const measureServer = () => runTask<ServerState>(server, { task: 'measure' });

  onProgress(`${kind}: warming up`);
  await runOnClients({
    task: 'connect',
    url,
    token,
    connections: Math.min(connections, WARM_UP_CONNECTIONS),
  });
  await runOnClients({ task: 'subscribe' });
  await send(WARM_UP_EVENTS);
  await runOnClients({ task: 'disconnect' });

  onProgress(`${kind}: ${connections} connections`);
  const empty = await measureServer();
  await runOnClients({ task: 'connect', url, token, connections });
  const connected = await measureServer();
  await runOnClients({ task: 'subscribe' });
  const subscribed = await measureServer();
  await send(WARM_UP_EVENTS);

  onProgress(`${kind}: ${events} events`);
  const before = await measureServer();
  await send(events, WARM_UP_EVENTS);
  const after = await runTask<ServerState>(server, { task: 'state' });
  await Promise.all([endProcess(clients), endProcess(server)]);
  return figuresOf({ empty, connected, subscribed, before, after }, connections, events);

  /** Sends bursts of events, each when all clients have received the previous one. */
  async function send(count: number, sent = 0): Promise<void> {
    for (let done = 0; done < count; done += burst) {
      const together = Math.min(burst, count - done);
      await runTask<ServerState>(server, { task: 'record', events: together });
      await runOnClients({ task: 'await', events: sent + done + together });
    }
  }
}

/** Creates a database with the demo data, and the keys. @returns a token of an administrator. */
async function prepare(databaseFile: string, keyFile: string): Promise<string> {
  const url = `file:${databaseFile}`;
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  await installDemo(database, hashPassword);
  await database.close();
  const keys = await loadKeys({ file: keyFile, createWhenMissing: true, clock: systemClock });
  const tokens = new Tokens({ keys, issuer: PUBLIC_URL, audience: PUBLIC_URL, clock: systemClock });
  const subject = { userId: 1, org: 'acme', role: 'admin', scopes: ROLE_SCOPES.admin } as const;
  return (await tokens.issue(subject)).accessToken;
}
