/** Measures and compares the durations of actions on a machine with other load. */

/**
 * The share of pairs that is discarded at either end, so that the middle fifth remains. Other load interrupts rarely, but for a long time.
 * With a fifth instead, a busy machine shows differences of 4 % between equal actions.
 */
const TRIMMED = 0.4;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the mean without the largest and the smallest values, so that pauses of the machine have no effect. */
function trimmedMean(values: readonly number[]): number {
  const cut = Math.floor(values.length * TRIMMED);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

interface Compared {
  /** Runs the action once. @returns its duration in milliseconds. */
  one(pair: number): Promise<number>;
  other(pair: number): Promise<number>;
}

/**
 * Returns how much longer the one action takes than the other, as a ratio of the mean.
 *
 * The two run directly after each other, in alternating order, so that changes of the machine's speed and effects of the first action
 * on the second cancel out in the differences.
 */
export async function difference(pairs: number, { one, other }: Compared): Promise<number> {
  const differences: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const isOneFirst = pair % 2 === 0;
    const first = await (isOneFirst ? one : other)(pair);
    const second = await (isOneFirst ? other : one)(pair);
    differences.push(isOneFirst ? first - second : second - first);
    times.push(first, second);
  }
  return trimmedMean(differences) / trimmedMean(times);
}

/** Returns the shortest duration of an action in milliseconds: a pause of the machine only makes some of them longer. */
export async function fastest(times: number, action: () => unknown): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    await action();
    shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}

/**
 * The processor time of this thread in milliseconds. Other programs, and threads that collect the garbage of other tests, do not count. The
 * kernel counts it in steps of up to four.
 */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
