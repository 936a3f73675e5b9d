import type { Cleanups } from './cleanups.ts';
import { type BenchData, prepareData } from './data.ts';
import { createProgress, type Progress } from './progress.ts';

/** Orders to ask for, and where to say how far a benchmark has come. Both go with the cleanups. */
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
