import type { Cleanups } from './cleanups.ts';
import { type BenchData, prepareData } from './data.ts';
import { createProgress, type Progress } from './progress.ts';

/** Creates a database with orders, and a progress display. The cleanups remove both. */
export async function prepare(
  orders: number,
  cleanups: Cleanups,
): Promise<{ readonly data: BenchData; readonly progress: Progress }> {
  const progress = createProgress();
  cleanups.push(() => progress.clear());
  const data = await prepareData(orders, (done) => progress.show(`${done} of ${orders} orders`));
  cleanups.push(() => data.remove());
  return { data, progress };
}
