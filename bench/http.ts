/** `npm run bench -- http`: what the compression of responses costs clients that do not ask for it. */
import type { Cleanups } from './cleanups.ts';
import { integer, readTexts } from './options.ts';
import { caseNamed, comparePairs } from './pairs.ts';
import { prepare } from './prepared.ts';

const USAGE = `npm run bench -- http [options]

  --pairs <number>    pairs of processes, each measured by turns (16)
  --orders <number>   orders in the database (20000)
  --case <name>       what is asked for (page: its responses are large enough to be compressed)
`;

/** @throws UsageError naming what cannot be understood. */
export async function http(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { pairs: '16', orders: '20000', case: 'page' }, USAGE);
  if (values === 'help') return;
  const pairs = integer('pairs', values.pairs, 2, 1000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const one = caseNamed(values.case);
  const { data, progress } = await prepare(orders, cleanups);
  const without = { name: 'without compression', environment: { COMPRESSION: 'off' } };
  const sides = [{ name: 'with compression for clients that ask' }, without] as const;
  const sentence = await comparePairs({ one, pairs, sides }, data, progress);
  progress.clear();
  process.stdout.write(`${sentence}\n`);
}
