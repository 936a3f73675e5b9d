/** `npm run bench -- fanout`: the same events to thousands, beside graphql-ws as it comes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadKeys } from '../../src/auth/keys.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { ROLE_SCOPES } from '../../src/auth/policy.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import type { Cleanups } from '../cleanups.ts';
import { integer, readTexts } from '../options.ts';
import { type Cores, chooseCores, endProcess, startNode } from '../processes.ts';
import { createProgress } from '../progress.ts';
import { PUBLIC_URL } from '../servers.ts';
import { type Figures, figuresOf, report } from './figures.ts';
import { ask, type ClientsState, nextAnswer, type ServerState } from './messages.ts';

export interface FanoutOptions {
  readonly connections: number;
  readonly events: number;
  readonly onProgress: (what: string) => void;
}

/** Connections that come and go before anything counts, so that code and its buffers are no part of what one more takes. */
const WARM_UP_CONNECTIONS = 200;
/** Events that do not count. */
const WARM_UP_EVENTS = 10;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const USAGE = `npm run bench -- fanout [options]

  --connections <number>  subscribers (5000)
  --events <number>       events that count (100)
`;

/** @throws UsageError naming what cannot be understood. */
export async function fanout(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { connections: '5000', events: '100' }, USAGE);
  if (values === 'help') return;
  const progress = createProgress();
  cleanups.push(() => progress.clear());
  const options: FanoutOptions = {
    connections: integer('connections', values.connections, 1, 15_000),
    events: integer('events', values.events, 1, 1000),
    onProgress: (what) => progress.show(what),
  };
  const folder = await mkdtemp(join(tmpdir(), 'portico-fanout-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const cores = chooseCores();
  const portico = await measureFanout('portico', folder, cores, options);
  const baseline = await measureFanout('baseline', folder, cores, options);
  progress.clear();
  process.stdout.write(report(portico, baseline, options.connections, options.events));
}

/** @param folder for its database and keys. */
export async function measureFanout(
  kind: 'portico' | 'baseline',
  folder: string,
  cores: Cores,
  { connections, events, onProgress }: FanoutOptions,
): Promise<Figures> {
  const databaseFile = join(folder, `${kind}.db`);
  const keyFile = join(folder, 'keys.json');
  const token = await prepare(databaseFile, keyFile);
  const server = startNode(
    ['--expose-gc', pathOf('server.ts'), kind, databaseFile, keyFile],
    { NODE_ENV: 'production' },
    cores.servers,
  );
  const { port } = await nextAnswer<ServerState>(server, 'start');
  const clients = startNode([pathOf('clients.ts')], {}, cores.load);
  const url = `ws://127.0.0.1:${port}/graphql`;
  const tell = (task: Parameters<typeof ask>[1]) => ask<ClientsState>(clients, task);
  const measured = () => ask<ServerState>(server, { task: 'measure' });

  onProgress(`${kind}: warming up`);
  await tell({ task: 'connect', url, token, connections: Math.min(connections, WARM_UP_CONNECTIONS) });
  await tell({ task: 'subscribe' });
  await send(WARM_UP_EVENTS);
  await tell({ task: 'disconnect' });

  onProgress(`${kind}: ${connections} connections`);
  const empty = await measured();
  await tell({ task: 'connect', url, token, connections });
  const connected = await measured();
  await tell({ task: 'subscribe' });
  const subscribed = await measured();
  await send(WARM_UP_EVENTS);

  onProgress(`${kind}: ${events} events`);
  const before = await measured();
  await send(events, WARM_UP_EVENTS);
  const after = await ask<ServerState>(server, { task: 'look' });
  await Promise.all([endProcess(clients), endProcess(server)]);
  return figuresOf({ empty, connected, subscribed, before, after }, connections, events);

  /** One event after the other, each when everybody has the one before it. */
  async function send(count: number, sent = 0): Promise<void> {
    for (let number = 1; number <= count; number += 1) {
      await ask<ServerState>(server, { task: 'record' });
      await tell({ task: 'await', events: sent + number });
    }
  }
}

/** A database with the demo's people, and a token of an administrator. */
async function prepare(databaseFile: string, keyFile: string): Promise<string> {
  const url = `file:${databaseFile}`;
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  await installDemo(database, hashPassword);
  await database.close();
  const keys = await loadKeys({ file: keyFile, createWhenMissing: true, clock: systemClock });
  const tokens = createTokens({ keys, issuer: PUBLIC_URL, audience: PUBLIC_URL, clock: systemClock });
  const subject = { userId: 1, org: 'acme', role: 'admin', scopes: ROLE_SCOPES.admin } as const;
  return (await tokens.issue(subject)).accessToken;
}
