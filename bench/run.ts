/** `npm run bench -- [name] [options]`: one of the benchmarks. */
import { type Cleanups, cleanUp } from './cleanups.ts';
import { UsageError } from './options.ts';

type Benchmark = (args: readonly string[], cleanups: Cleanups) => Promise<void>;

interface Entry {
  readonly about: string;
  /** Loaded when it is asked for, since each needs other parts of the server. */
  readonly load: () => Promise<Benchmark>;
}

const BENCHMARKS: Readonly<Record<string, Entry>> = {
  peers: {
    about:
      'Portico beside hand-written servers, mercurius and Apollo Server, on both engines (what runs without a name)',
    load: async () => (await import('./peers/run.ts')).peers,
  },
  report: {
    about: 'docs/performance.md and its picture, from docs/performance.json',
    load: async () => (await import('./peers/report.ts')).report,
  },
  fanout: {
    about:
      'one event to 5,000 subscribers, beside graphql-ws running it for each, and the memory of a connection',
    load: async () => (await import('./fanout/run.ts')).fanout,
  },
  feed: {
    about: 'the first page of a million events beside the thousandth, on SQLite and PostgreSQL',
    load: async () => (await import('./feed.ts')).feed,
  },
  orders: {
    about:
      "the first page of a million orders beside the thousandth, with each filter of an organisation's list",
    load: async () => (await import('./order-pages.ts')).orderPages,
  },
  search: {
    about: 'searches among 100,000 documents, by words from common to rare, on SQLite and PostgreSQL',
    load: async () => (await import('./search.ts')).search,
  },
  limits: {
    about: 'one order with its limits, beside the same without: time and allocations',
    load: async () => (await import('./limits/run.ts')).limits,
  },
  http: {
    about: 'a page for clients that ask for no compression, beside a server without it',
    load: async () => (await import('./http.ts')).http,
  },
  apps: {
    about: 'one order with the token of an app, beside that of a person',
    load: async () => (await import('./apps.ts')).apps,
  },
  overload: {
    about: 'four times the load that can be served: what is let in, what is turned away, and memory',
    load: async () => (await import('./overload/run.ts')).overload,
  },
  neighbours: {
    about:
      'one organisation while another one sends the most expensive operations: latency, and what is turned away',
    load: async () => (await import('./neighbours/run.ts')).neighbours,
  },
  exports: {
    about: 'an export of a million orders on each engine: memory, and the latency of others meanwhile',
    load: async () => (await import('./exports/run.ts')).exports,
  },
  workers: {
    about: 'several workers of one server beside one, on PostgreSQL',
    load: async () => (await import('./workers.ts')).workers,
  },
  simulation: {
    about: 'how many instances, replicas and Redis a load takes, from what a request takes of each',
    load: async () => (await import('./simulation/run.ts')).simulation,
  },
  janitor: {
    about: 'charges while old idempotency records are removed, beside charges alone',
    load: async () => (await import('./janitor.ts')).janitor,
  },
};

const USAGE = `npm run bench -- [name] [options]

${Object.entries(BENCHMARKS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

Each reports its options with --help.
`;

/** What shells report of a command that was ended with Ctrl-C. */
const INTERRUPTED = 130;

/** Whatever fails after that fails because everything is being ended. */
let interrupted = false;

async function main([first = '', ...rest]: readonly string[]): Promise<void> {
  // Options alone are those of the first benchmark, which was there before the others.
  const isNamed = first !== '' && !first.startsWith('-');
  const [name, args] = isNamed ? [first, rest] : ['peers', first === '' ? [] : [first, ...rest]];
  const entry = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
  if (!entry) throw new UsageError(`There is no benchmark called ${name}.\n\n${USAGE}`);
  const cleanups: Cleanups = [];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      void cleanUp(cleanups).finally(() => process.exit(INTERRUPTED));
    });
  }
  try {
    const benchmark = await entry.load();
    await benchmark(args, cleanups);
  } finally {
    await cleanUp(cleanups);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (interrupted) await new Promise(() => undefined);
  const isUsage = error instanceof UsageError;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(isUsage ? `${text}\n` : `The benchmark did not work: ${text}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
