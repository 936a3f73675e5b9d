/** `npm run bench -- http`: see `options.ts` for how to call it, and `table.ts` for what it says. */
import { assertAgreement } from './agreement.ts';
import { CASES } from './cases.ts';
import type { Cleanups } from './cleanups.ts';
import { signIn } from './client.ts';
import type { BenchData } from './data.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { prepare } from './prepared.ts';
import { chooseCores } from './processes.ts';
import type { Progress } from './progress.ts';
import { measureCase, startLoad } from './rounds.ts';
import { startHandwritten, startServer } from './servers.ts';
import { formatTable, summarize } from './table.ts';
import { measureTokens, type TokenCost } from './token-cost.ts';

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
      summarize(
        await measureCase(one, { server, baseline: handwritten, load, token, ids, options, onProgress }),
      ),
    );
  }
  progress.show('verifying tokens');
  const tokens = await measureTokens(data.keysFile);
  progress.clear();
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ options, cases: summaries, tokens }, null, 2)}\n`
      : `${formatTable(summaries, handwritten.name)}\n\n${describeTokens(tokens)}\n`,
  );
}

const describeTokens = ({ cached, fresh }: TokenCost) =>
  `A verified token: ${cached.toFixed(2)} µs when it is known, ${fresh.toFixed(0)} µs when it is new.`;

/** @throws UsageError naming what cannot be understood. */
export async function http(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const options = readOptions(args);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const { data, progress } = await prepare(options.orders, cleanups);
  await bench(options, data, progress);
}
