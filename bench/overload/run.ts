/**
 * `npm run bench -- overload`: sends several times the load that the server can serve, at a fixed rate that is independent of response
 * times. Measures admitted and shed requests, memory, and whether the throughput recovers afterwards.
 */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.ts';
import type { Cleanups } from '../cleanups.ts';
import { headersOf, signIn } from '../client.ts';
import { prepareData } from '../data.ts';
import type { LoadJob } from '../load.ts';
import { watchMemory } from '../memory.ts';
import { integer, readTexts } from '../options.ts';
import { chooseCores, startNode } from '../processes.ts';
import { runLoad, startLoad } from '../rounds.ts';
import { startServer } from '../servers.ts';
import { documentOf } from './document.ts';
import type { FloodJob, FloodResult } from './flood.ts';

const DEFAULTS = { times: '4', seconds: '30', connections: '1000', orders: '20000' };

const USAGE = `npm run bench -- overload [options]

  --times <number>        the load, as a multiple of what the server can serve (${DEFAULTS.times})
  --seconds <number>      seconds of overload (${DEFAULTS.seconds})
  --connections <number>  connections of the overload (${DEFAULTS.connections})
  --orders <number>       orders in the database (${DEFAULTS.orders})
`;

/** The closed load that measures what the server can serve: each connection waits for its response. */
const CAPACITY = { connections: 16, warmUp: 3, seconds: 5, documents: 30_000 };

/**
 * The maximum number of attempts for that. If the machine pauses, the server sheds requests as under overload, and the measurement is
 * invalid.
 */
const ATTEMPTS = 3;

/** Documents are numbered. Each series starts at a multiple of this. */
const SERIES = 1_000_000_000;

/** Milliseconds for the server to recover after the overload. */
const RECOVERY = 6000;

/** @throws UsageError for an invalid option. */
export async function overload(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const times = integer('times', values.times, 1, 100);
  const seconds = integer('seconds', values.seconds, 1, 600);
  const connections = integer('connections', values.connections, 1, 10_000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const { data, progress } = await prepareData(orders, cleanups);
  const cores = chooseCores();
  const server = await startServer(data, cores.servers, {
    operationPatience: loadConfig({}).operations.patience,
  });
  const load = startLoad(cores.load);
  const headers = headersOf(await signIn(server.url));
  const target = { url: server.url, headers };

  progress.show('measuring the capacity');
  await measureCapacity(load, target, CAPACITY.warmUp, 1);
  const before = await measureCapacity(load, target, CAPACITY.seconds, 2);
  const memory = watchMemory(server);
  cleanups.push(() => memory.end());
  progress.show(`${times} times the capacity for ${seconds} s`);
  const rate = Math.round(before * times);
  const flood = startNode([fileURLToPath(new URL('flood.ts', import.meta.url))], {}, cores.load);
  flood.send({ url: server.url, headers, rate, connections, seconds } satisfies FloodJob);
  // flood.ts sends one message: its result.
  const [result] = (await once(flood, 'message')) as [FloodResult];
  const peak = memory.end();
  await sleep(RECOVERY);
  progress.show('measuring the capacity afterwards');
  const after = await measureCapacity(load, target, CAPACITY.seconds, 3);
  progress.clear();
  process.stdout.write(
    `${[
      `Capacity: ${before.toFixed(0)} requests a second, and ${after.toFixed(0)} afterwards (${(after / before).toFixed(2)}).`,
      `Overload: ${rate} requests a second for ${seconds} s, over ${connections} connections:`,
      ...describe(result),
      `Memory: ${memory.before} MiB before, ${peak} MiB peak.`,
    ].join('\n')}\n`,
  );
}

/** Returns documents that no other series and not the overload contain: more than a measurement sends. */
function newDocuments(series: number): LoadJob['requests'] {
  return Array.from({ length: CAPACITY.documents }, (_, n) => ({
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query: documentOf(series * SERIES + n) }),
  }));
}

/**
 * Measures the throughput of clients that each wait for their response, in requests a second.
 *
 * @param series a different number for each measurement, since each attempt needs new documents.
 */
async function measureCapacity(
  load: ChildProcess,
  target: Pick<LoadJob, 'url' | 'headers'>,
  seconds: number,
  series: number,
): Promise<number> {
  let failures = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { requestsPerSecond, refused, failed } = await runLoad(load, {
      ...target,
      requests: newDocuments(series * ATTEMPTS + attempt),
      seconds,
      connections: CAPACITY.connections,
    });
    if (refused + failed === 0) return requestsPerSecond;
    failures += refused + failed;
  }
  throw new Error(`${failures} requests failed without overload, in ${ATTEMPTS} attempts.`);
}

function describe({ statuses, sent, withoutRetryAfter, failed, p50, p99 }: FloodResult): string[] {
  const shares = Object.entries(statuses).map(
    ([status, count]) => `${status} ${((count / sent) * 100).toFixed(1)} %`,
  );
  return [
    `  ${shares.join(', ')}; ${failed} of ${sent} without a response, ${withoutRetryAfter} errors without Retry-After`,
    `  admitted: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  ];
}
