import { expect, test } from 'vitest';
import { KeyedCounts } from '../../src/core/keyed-counts.ts';

test('a count is not negative, however often its key is released', () => {
  const counts = new KeyedCounts<string>();
  counts.increment('a');
  for (let n = 0; n < 3; n += 1) counts.decrement('a');
  expect(counts.of('a')).toBe(0);
  counts.increment('a');
  expect(counts.of('a')).toBe(1);
});
