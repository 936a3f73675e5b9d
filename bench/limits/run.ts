/**
 * `npm run bench -- limits`: measures the cost of a request's limits in time and allocations. Compares the server with itself without
 * budgets, prices, deadlines and load shedding.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Case } from '../cases.ts';
import type { Cleanups } from '../cleanups.ts';
import { headersOf, signIn } from '../client.ts';
import type { BenchData } from '../data.ts';
import { prepareData } from '../data.ts';
import { integer, readTexts } from '../options.ts';
import { caseNamed, comparePairs, PAIR_OPTIONS } from '../pairs.ts';
import { chooseCores, endProcess } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { runLoad, startLoad } from '../rounds.ts';
import { type BenchServer, startServer } from '../servers.ts';
import type { Heap } from './heap.ts';

const USAGE = `npm run bench -- limits [options]

  --pairs <number>    pairs of processes, measured in turns (16)
  --orders <number>   orders in the database (20000)
`;

const CASE_NAME = 'order';
const WITHOUT = 'without limits';

/** The size of V8's semi-spaces in MiB: so large that no garbage is collected while allocations are counted. */
const YOUNG = 1024;
/** Seconds of load while allocations are counted, and before that. */
const COUNTING = { counted: 1, warmUp: 3 };

const preload = (file: string) => ['--import', fileURLToPath(new URL(file, import.meta.url))];

/** @throws UsageError for an invalid option. */
export async function limits(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { pairs: '16', orders: '20000' }, USAGE);
  const pairs = integer('pairs', values.pairs, 2, 1000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const { data, progress } = await prepareData(orders, cleanups);
  const one = caseNamed(CASE_NAME);
  const times = await comparePairs(
    {
      one,
      pairs,
      sides: [{ name: 'with limits' }, { name: WITHOUT, nodeOptions: preload('without.ts') }],
      check: (limited, unlimited) => expectOnlyLimited(limited, unlimited, one, data),
    },
    data,
    progress,
  );
  const [limited, unlimited] = [
    await allocationsOf(one, data, [], progress),
    await allocationsOf(one, data, preload('without.ts'), progress),
  ];
  progress.clear();
  process.stdout.write(
    `${times}\nAllocated per request: ${kib(limited)}, ${kib(unlimited)} ${WITHOUT} (${(unlimited / limited).toFixed(2)}).\n`,
  );
}

const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

/** @throws Error unless both responses have the same body and only the first has rate limit headers. */
async function expectOnlyLimited(
  server: BenchServer,
  baseline: BenchServer,
  one: Case,
  { ids }: BenchData,
): Promise<void> {
  const [request] = one.requests(ids);
  if (!request) throw new Error(`The case ${one.name} has no requests.`);
  const [own, other] = await Promise.all(
    [server, baseline].map(async ({ url }) => {
      const headers = headersOf(await signIn(url));
      const response = await fetch(url + request.path, { headers });
      return { limit: response.headers.get('ratelimit'), body: await response.text() };
    }),
  );
  if (own?.body !== other?.body) throw new Error(`The responses differ: ${own?.body} and ${other?.body}`);
  if (!own?.limit || other?.limit) throw new Error('Only the first of the two servers must have limits.');
}

/** Returns the bytes that the server allocates per request. */
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
    connections: PAIR_OPTIONS.connections,
  };
  await runLoad(load, { ...job, seconds: COUNTING.warmUp });
  const before = await heapOf(server, 'collect');
  const { responses } = await runLoad(load, { ...job, seconds: COUNTING.counted });
  const after = await heapOf(server, 'read');
  if (after.collections !== before.collections) {
    throw new Error('Garbage was collected while allocations were counted.');
  }
  for (const child of [load, server.process]) await endProcess(child);
  return (after.bytes - before.bytes) / responses;
}

async function heapOf(server: BenchServer, request: 'collect' | 'read'): Promise<Heap> {
  server.process.send(request);
  // heap.ts sends one message per request.
  const [heap] = (await once(server.process, 'message')) as [Heap];
  return heap;
}
