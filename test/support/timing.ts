/** Whether one thing takes longer than another, on a machine that does something else as well. */

/**
 * The part of the pairs that is left out at either end, so that the middle fifth is left. Whatever else the machine does
 * comes in between seldom and for long. With a fifth instead, a busy machine shows differences of 4 % where there are none.
 */
const TRIMMED = 0.4;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of what is left when the greatest and the smallest are left out, so that a pause of the machine weighs nothing. */
function trimmedMean(values: readonly number[]): number {
  const cut = Math.floor(values.length * TRIMMED);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

interface Compared {
  /** Does it once, and gives the milliseconds that it took. */
  one(pair: number): Promise<number>;
  other(pair: number): Promise<number>;
}

/**
 * By how much the one takes longer than the other, as a part of the mean.
 *
 * One of each is done right after the other, and the first of them by turns, so that a machine that gets slower or
 * faster, and whatever the first leaves behind for the second, cancel out in the differences.
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
