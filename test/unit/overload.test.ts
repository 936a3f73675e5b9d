import { expect, test } from 'vitest';
import { nextShare } from '../../src/http/overload.ts';
import { LIMITS } from '../../src/limits.ts';

const CALM = { loop: 1, waiting: 0 };
const LATE = { loop: LIMITS.overloadLag + 1, waiting: 0 };
const FULL = { loop: 1, waiting: LIMITS.overloadWaiting + 1 };
const BETWEEN = { loop: LIMITS.overloadLag * 0.7, waiting: 0 };

const after = (lags: readonly (typeof CALM)[], share = 0) =>
  lags.reduce((before, lag) => nextShare(before, lag), share);
const times = (count: number, lag: typeof CALM) => Array.from({ length: count }, () => lag);

test('while nothing is late, nobody is turned away', () => {
  expect(after(times(100, CALM))).toBe(0);
  expect(after(times(100, BETWEEN))).toBe(0);
});

test.each([
  ['a late event loop', LATE],
  ['many who wait for the database', FULL],
])('%s turns more and more away, and never all', (_name, lag) => {
  expect(after([lag])).toBeCloseTo(0.2);
  expect(after(times(3, lag))).toBeCloseTo(0.6);
  expect(after(times(100, lag))).toBeLessThan(1);
});

test('it stays so while it is neither calm nor late', () => {
  expect(after(times(50, BETWEEN), 0.6)).toBeCloseTo(0.6);
});

test('once it is calm, all are let in again within two seconds', () => {
  expect(after(times(20, CALM), 0.98)).toBe(0);
});
