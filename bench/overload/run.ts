/**
 * `npm run bench -- overload`: several times the load that the server can serve, sent at a fixed rate whatever the answers take.
 * What it lets in, what it turns away, its memory, and whether it serves as before when it is over.
 */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.ts';
import type { Cleanups } from '../cleanups.ts';
import { headersOf, signIn } from '../client.ts';
import type { LoadJob } from '../load.ts';
import { watchMemory } from '../memory.ts';
import { integer, readTexts } from '../options.ts';
import { prepare } from '../prepared.ts';
import { chooseCores, startNode } from '../processes.ts';
import { runLoad, startLoad } from '../rounds.ts';
import { startServer } from '../servers.ts';
import { documentOf } from './document.ts';
import type { FloodJob, FloodResult } from './flood.ts';

const DEFAULTS = { times: '4', seconds: '30', connections: '1000', orders: '20000' };

const USAGE = `npm run bench -- overload [options]

  --times <number>        how many times as much as can be served (${DEFAULTS.times})
  --seconds <number>      for how long (${DEFAULTS.seconds})
  --connections <number>  over how many connections (${DEFAULTS.connections})
  --orders <number>       orders in the database (${DEFAULTS.orders})
`;

/** How it is found out what the server can serve: clients that each wait for their answer, and seconds. */
const SERVABLE = { connections: 16, warmUp: 3, seconds: 5, documents: 30_000 };

/**
 * How often that is tried. A pause of the machine looks like overload to the server, which turns some clients away then, and says
 * nothing of what it can serve.
 */
const ATTEMPTS = 3;

/** Documents are numbered; each series begins at a multiple of this. */
const SERIES = 1_000_000_000;

/** Milliseconds in which the server may come to itself afterwards. */
const RECOVERY = 6000;

/** @throws UsageError naming what cannot be understood. */
export async function overload(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  if (values === 'help') return;
  const times = integer('times', values.times, 1, 100);
  const seconds = integer('seconds', values.seconds, 1, 600);
  const connections = integer('connections', values.connections, 1, 10_000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const { data, progress } = await prepare(orders, cleanups);
  const cores = chooseCores();
  const server = await startServer(data, cores.servers, {
    operationPatience: loadConfig({}).operations.patience,
  });
  const load = startLoad(cores.load);
  const headers = headersOf(await signIn(server.url));
  const target = { url: server.url, headers };

  progress.show('finding out what can be served');
  await servable(load, target, SERVABLE.warmUp, 1);
  const before = await servable(load, target, SERVABLE.seconds, 2);
  const memory = watchMemory(server);
  cleanups.push(() => memory.end());
  progress.show(`${times} times that for ${seconds} s`);
  const rate = Math.round(before * times);
  const flood = startNode([fileURLToPath(new URL('flood.ts', import.meta.url))], {}, cores.load);
  flood.send({ url: server.url, headers, rate, connections, seconds } satisfies FloodJob);
  // It sends its result, and nothing else.
  const [result] = (await once(flood, 'message')) as [FloodResult];
  const most = memory.end();
  await sleep(RECOVERY);
  progress.show('what can be served afterwards');
  const after = await servable(load, target, SERVABLE.seconds, 3);
  progress.clear();
  process.stdout.write(
    `${[
      `Served one after the other: ${before.toFixed(0)} requests a second, and ${after.toFixed(0)} afterwards (${(after / before).toFixed(2)}).`,
      `${rate} a second were due for ${seconds} s, whatever became of them, over ${connections} connections:`,
      ...describe(result),
      `Memory: ${memory.before} MiB before, ${most} MiB at most.`,
    ].join('\n')}\n`,
  );
}

/** Documents that are sent in no other series, nor by the flood; more than are asked for in the time. */
function unseen(series: number): LoadJob['requests'] {
  return Array.from({ length: SERVABLE.documents }, (_, n) => ({
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query: documentOf(series * SERIES + n) }),
  }));
}

/**
 * Requests a second that are answered when each client waits for its answer.
 *
 * @param series another one for each time that it is found out; an attempt has documents of its own.
 */
async function servable(
  load: ChildProcess,
  target: Pick<LoadJob, 'url' | 'headers'>,
  seconds: number,
  series: number,
): Promise<number> {
  let unanswered = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { requestsPerSecond, refused, failed } = await runLoad(load, {
      ...target,
      requests: unseen(series * ATTEMPTS + attempt),
      seconds,
      connections: SERVABLE.connections,
    });
    if (refused + failed === 0) return requestsPerSecond;
    unanswered += refused + failed;
  }
  throw new Error(`${unanswered} requests were not answered without overload, in ${ATTEMPTS} attempts.`);
}

function describe({ statuses, sent, silent, failed, p50, p99 }: FloodResult): string[] {
  const shares = Object.entries(statuses).map(
    ([status, count]) => `${status} ${((count / sent) * 100).toFixed(1)} %`,
  );
  return [
    `  ${shares.join(', ')}; ${failed} of ${sent} without an answer, ${silent} turned away without Retry-After`,
    `  let in: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  ];
}
