/** `npm run bench -- [name] [options]`: runs one of the benchmarks. */
import { type Cleanups, cleanUp } from './cleanups.ts';
import { UsageError, UsageShown } from './options.ts';

type Benchmark = (args: readonly string[], cleanups: Cleanups) => Promise<void>;

interface Entry {
  readonly about: string;
  /** Imports the benchmark on demand, since each one imports different parts of the server. */
  readonly load: () => Promise<Benchmark>;
}

const BENCHMARKS: Readonly<Record<string, Entry>> = {
  peers: {
    about:
      'compares Portico with hand-written servers, mercurius and Apollo Server, on both engines (the default)',
    load: async () => (await import('./peers/run.ts')).peers,
  },
  report: {
    about: 'writes docs/performance.md and its picture from docs/performance.json',
    load: async () => (await import('./peers/report.ts')).report,
  },
  fanout: {
    about:
      'sends one event to 5,000 subscribers, compared with graphql-ws, which executes it for each; memory per connection',
    load: async () => (await import('./fanout/run.ts')).fanout,
  },
  pages: {
    about:
      "compares the first and the thousandth page of the feed and of an organisation's orders, with each filter of the list",
    load: async () => (await import('./pages.ts')).pages,
  },
  search: {
    about: 'searches 100,000 documents for words from common to rare, on SQLite and PostgreSQL',
    load: async () => (await import('./search.ts')).search,
  },
  limits: {
    about: 'compares reading one order with and without all limits: time and allocations',
    load: async () => (await import('./limits/run.ts')).limits,
  },
  http: {
    about: 'compares a page for clients that do not accept compression with a server without compression',
    load: async () => (await import('./http.ts')).http,
  },
  apps: {
    about: 'compares reading one order with the token of an app and of a person',
    load: async () => (await import('./apps.ts')).apps,
  },
  overload: {
    about: 'sends four times the load that can be served: what is admitted and shed, and memory',
    load: async () => (await import('./overload/run.ts')).overload,
  },
  neighbours: {
    about:
      "measures the effect of one organisation's most expensive operations on another: latency and rejected requests",
    load: async () => (await import('./neighbours/run.ts')).neighbours,
  },
  exports: {
    about: 'exports a million orders on each engine: memory, and the latency of other requests',
    load: async () => (await import('./exports/run.ts')).exports,
  },
  workers: {
    about: 'compares several workers with one, on PostgreSQL',
    load: async () => (await import('./workers.ts')).workers,
  },
  simulation: {
    about:
      'estimates the instances, replicas and Redis cores that a load requires, from the measured cost of a request',
    load: async () => (await import('./simulation/run.ts')).simulation,
  },
  janitor: {
    about: 'compares charges while expired idempotency records are deleted with charges alone',
    load: async () => (await import('./janitor.ts')).janitor,
  },
};

const USAGE = `npm run bench -- [name] [options]

${Object.entries(BENCHMARKS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

Each benchmark lists its options with --help.
`;

/** The exit status of a command that was ended with Ctrl-C, by the convention of shells. */
const INTERRUPTED = 130;

/** Whether a signal has ended the benchmark. Errors after that are consequences and are not reported. */
let interrupted = false;

async function main([first = '', ...rest]: readonly string[]): Promise<void> {
  if (first === '--help') {
    process.stdout.write(USAGE);
    return;
  }
  // Without a name, the options are those of `peers`.
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
  if (!(error instanceof UsageShown)) {
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(isUsage ? `${text}\n` : `The benchmark failed: ${text}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}
