/** A pseudo-random number generator (mulberry32). The sequence only depends on the seed, so that failures can be reproduced. */
export function randomIntegers(seed: number): (min: number, max: number) => number {
  let state = seed;
  return (min, max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return min + Math.floor(fraction * (max - min + 1));
  };
}
