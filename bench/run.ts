/** `npm run bench`: see `options.ts` for how to call it, and `table.ts` for what it says. */
import { assertAgreement } from './agreement.ts';
import { CASES } from './cases.ts';
import { signIn } from './client.ts';
import { type BenchData, prepareData } from './data.ts';
import { type Options, readOptions, USAGE, UsageError } from './options.ts';
import { chooseCores, endAll } from './processes.ts';
import { createProgress, type Progress } from './progress.ts';
import { measureCase, startLoad } from './rounds.ts';
import { startHandwritten, startServer } from './servers.ts';
import { formatTable, summarize } from './table.ts';
import { measureTokens } from './token-cost.ts';

async function bench(options: Options, data: BenchData, progress: Progress): Promise<void> {
  const cores = chooseCores();
  if (cores.servers === undefined) progress.note('Processes cannot be bound to cores here: expect noise.');
  progress.show('starting');
  const [server, handwritten] = [
    await startServer(data, cores.servers),
    await startHandwritten(data, cores.servers),
  ];
  const load = startLoad(cores.load);
  const cases = CASES.filter(({ name }) => options.only.includes(name));

  progress.show('comparing the answers');
  await assertAgreement(server, handwritten, await signIn(server.url), cases, data.ids);

  const summaries = [];
  for (const one of cases) {
    // A token of its own for each case, since tokens end after a quarter of an hour.
    const token = await signIn(server.url);
    const { ids } = data;
    const onProgress = (what: string) => progress.show(what);
    summaries.push(
      summarize(await measureCase(one, { server, handwritten, load, token, ids, options, onProgress })),
    );
  }
  progress.show('verifying tokens');
  const tokens = await measureTokens(data.keysFile);
  progress.clear();
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ options, cases: summaries, tokens }, null, 2)}\n`
      : `${formatTable(summaries, tokens)}\n`,
  );
}

/** What shells report of a command that was ended with Ctrl-C. */
const INTERRUPTED = 130;

/** Whatever fails after that fails because the servers are being ended. */
let interrupted = false;

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const progress = createProgress();
  let data: BenchData | undefined;
  const cleanUp = async () => {
    progress.clear();
    await endAll();
    await data?.remove();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      void cleanUp().finally(() => process.exit(INTERRUPTED));
    });
  }
  try {
    data = await prepareData(options.orders, (done) => progress.show(`${done} of ${options.orders} orders`));
    await bench(options, data, progress);
  } finally {
    await cleanUp();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (interrupted) await new Promise(() => undefined);
  const isUsage = error instanceof UsageError;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(isUsage ? `${text}\n\n${USAGE}` : `The benchmark did not work: ${text}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
