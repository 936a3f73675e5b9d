/** `npm run bench -- http`: measures the cost of response compression for clients that do not accept it. */
import type { Cleanups } from './cleanups.ts';
import { prepareData } from './data.ts';
import { integer, readTexts } from './options.ts';
import { caseNamed, comparePairs } from './pairs.ts';

const USAGE = `npm run bench -- http [options]

  --pairs <number>    pairs of processes, measured in turns (16)
  --orders <number>   orders in the database (20000)
  --case <name>       the kind of request (page: its responses are large enough to be compressed)
`;

/** @throws UsageError for an invalid option. */
export async function http(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { pairs: '16', orders: '20000', case: 'page' }, USAGE);
  const pairs = integer('pairs', values.pairs, 2, 1000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const one = caseNamed(values.case);
  const { data, progress } = await prepareData(orders, cleanups);
  const without = { name: 'without compression', environment: { COMPRESSION: 'off' } };
  const sides = [{ name: 'with compression for clients that accept it' }, without] as const;
  const sentence = await comparePairs({ one, pairs, sides }, data, progress);
  progress.clear();
  process.stdout.write(`${sentence}\n`);
}
