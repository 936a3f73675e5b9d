/**
 * `npm run bench -- limits`: what the limits of a request take of it, in time and in memory: the server beside itself without
 * budget, price, deadline and shedding of load.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CASES, type Case } from '../cases.ts';
import type { Cleanups } from '../cleanups.ts';
import { headersOf, signIn } from '../client.ts';
import type { BenchData } from '../data.ts';
import { integer, readTexts } from '../options.ts';
import { prepare } from '../prepared.ts';
import { type Cores, chooseCores, endProcess } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { type Alternating, measureAlternating, runLoad, startLoad } from '../rounds.ts';
import { type BenchServer, startServer } from '../servers.ts';
import { meanOf, spreadOf } from '../table.ts';
import type { Heap } from './heap.ts';

const USAGE = `npm run bench -- limits [options]

  --pairs <number>    pairs of processes, each measured by turns (16)
  --orders <number>   orders in the database (20000)
`;

const CASE_NAME = 'order';
const WITHOUT = 'without limits';

/**
 * Of the measurement of one pair of processes, both by turns, and of what comes before it: some ten thousands of requests to each,
 * after which V8 compiles nothing any more.
 */
const OPTIONS = { seconds: 4, warmUp: 12, connections: 16 };

/** MiB for what has just been allocated: so much that nothing is collected while it is counted. */
const YOUNG = 1024;
/** Seconds of load in which allocations are counted, and before. */
const COUNTING = { counted: 1, warmUp: 3 };

const preload = (file: string) => ['--import', fileURLToPath(new URL(file, import.meta.url))];

/** @throws UsageError naming what cannot be understood. */
export async function limits(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { pairs: '16', orders: '20000' }, USAGE);
  if (values === 'help') return;
  const pairs = integer('pairs', values.pairs, 2, 1000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const { data, progress } = await prepare(orders, cleanups);
  const one = CASES.find(({ name }) => name === CASE_NAME);
  if (!one) throw new Error(`There is no case ${CASE_NAME}.`);

  const times = await compareTimes(one, data, pairs, progress);
  const [limited, unlimited] = [
    await allocationsOf(one, data, [], progress),
    await allocationsOf(one, data, preload('without.ts'), progress),
  ];
  progress.clear();
  process.stdout.write(
    `${times}\nAllocated for a request: ${kib(limited)}, ${kib(unlimited)} ${WITHOUT} (${(unlimited / limited).toFixed(2)}).\n`,
  );
}

const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

/**
 * Two processes of the same program differ by some hundredths for as long as they run, by where their memory happens to be and
 * what V8 happened to compile when. What is looked for here is as small, so the mean of many pairs of processes counts.
 */
async function compareTimes(one: Case, data: BenchData, pairs: number, progress: Progress): Promise<string> {
  const cores = chooseCores();
  if (cores.servers === undefined) progress.note('Processes cannot be bound to cores here: expect noise.');
  const times: Alternating[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const onProgress = (what: string) => progress.show(`pair ${pair} of ${pairs}, ${what}`);
    times.push(await measurePair(one, data, cores, onProgress, pair % 2 === 0));
  }
  const [limited, unlimited] = [times.map(({ server }) => server), times.map(({ baseline }) => baseline)];
  const ratios = times.map(({ server, baseline }) => baseline / server);
  const { mean, error } = meanOf(ratios);
  const { min, max } = spreadOf(ratios);
  const ratio = `${mean.toFixed(3)} ± ${error.toFixed(3)}, from ${min.toFixed(2)} to ${max.toFixed(2)} of ${pairs} pairs`;
  return `${one.title}: ${microseconds(limited)} of processor time, ${microseconds(unlimited)} ${WITHOUT} (${ratio}).`;
}

const microseconds = (times: readonly number[]) => `${meanOf(times).mean.toFixed(1)} µs`;

/** @param isReversed whether the one without limits is started first, in case that makes a difference. */
async function measurePair(
  one: Case,
  data: BenchData,
  cores: Cores,
  onProgress: (what: string) => void,
  isReversed: boolean,
): Promise<Alternating> {
  const limited = { name: 'with limits' };
  const unlimited = { name: WITHOUT, nodeOptions: preload('without.ts') };
  const first = await startServer(data, cores.servers, isReversed ? unlimited : limited);
  const second = await startServer(data, cores.servers, isReversed ? limited : unlimited);
  const [server, baseline] = isReversed ? [second, first] : [first, second];
  await expectOnlyLimited(server, baseline, one, data);
  const loads = [startLoad(cores.load), startLoad(cores.load)] as const;
  const token = await signIn(server.url);
  const { ids } = data;
  const result = await measureAlternating(one, {
    server,
    baseline,
    loads,
    token,
    ids,
    options: OPTIONS,
    onProgress,
  });
  for (const child of [...loads, server.process, baseline.process]) await endProcess(child);
  return result;
}

/** The two answer alike, and one of them reports its limits. */
async function expectOnlyLimited(
  server: BenchServer,
  baseline: BenchServer,
  one: Case,
  { ids }: BenchData,
): Promise<void> {
  const [request] = one.requests(ids);
  if (!request) throw new Error(`There is nothing to ask for in ${one.name}.`);
  const [own, other] = await Promise.all(
    [server, baseline].map(async ({ url }) => {
      const headers = headersOf(await signIn(url));
      const response = await fetch(url + request.path, { headers });
      return { limit: response.headers.get('ratelimit'), body: await response.text() };
    }),
  );
  if (own?.body !== other?.body) throw new Error(`The answers differ: ${own?.body} and ${other?.body}`);
  if (!own?.limit || other?.limit) throw new Error('Not exactly one of the two servers has limits.');
}

/** Bytes that the server allocates for a request. */
async function allocationsOf(
  one: Case,
  data: BenchData,
  preloaded: readonly string[],
  progress: Progress,
): Promise<number> {
  progress.show('counting allocations');
  const cores = chooseCores();
  const server = await startServer(data, cores.servers, {
    nodeOptions: [
      '--expose-gc',
      `--min-semi-space-size=${YOUNG}`,
      `--max-semi-space-size=${YOUNG}`,
      ...preloaded,
      ...preload('heap.ts'),
    ],
  });
  const load = startLoad(cores.load);
  const token = await signIn(server.url);
  const job = {
    url: server.url,
    requests: one.requests(data.ids),
    headers: headersOf(token),
    connections: OPTIONS.connections,
  };
  await runLoad(load, { ...job, seconds: COUNTING.warmUp });
  const before = await heapOf(server, 'collect');
  const { answers } = await runLoad(load, { ...job, seconds: COUNTING.counted });
  const after = await heapOf(server, 'tell');
  if (after.collections !== before.collections) {
    throw new Error('Garbage was collected while allocations were counted.');
  }
  for (const child of [load, server.process]) await endProcess(child);
  return (after.bytes - before.bytes) / answers;
}

async function heapOf(server: BenchServer, request: 'collect' | 'tell'): Promise<Heap> {
  server.process.send(request);
  // It sends nothing else.
  const [heap] = (await once(server.process, 'message')) as [Heap];
  return heap;
}
